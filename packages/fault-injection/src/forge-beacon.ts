import {
  addressOf,
  type JsonValue,
  microblockHashOf,
  parseJson,
  parsePrivateKey,
  sha256Hex,
  signingHashOfTexts,
  signText,
  stringifyJson,
  transactionHashOfTexts,
} from '@hailstone/protocol'
import type { SocketFaults } from './fault-script.ts'
import type { SeededRandom } from './seeded-random.ts'

export type ForgeryName = SocketFaults['forge']['what']

type Offered = Readonly<
  Record<'hash' | 'from' | 'to' | 'amount' | 'nonce' | 'sign' | 'ticker' | 'data', string>
>

type Content = {
  readonly kblocks_hash: string
  readonly publisher: string
  readonly nonce: bigint
  readonly txs: readonly Offered[]
}

type BeaconFrame = {
  readonly ver: bigint
  readonly method: 'on_leader_beacon'
  readonly data: { readonly leader_id: string; readonly m_hash: string; readonly mblock_data: Content }
}

const textsOf = ({ amount, data, from, nonce, sign, ticker, to }: Offered) => ({
  amount,
  data,
  from,
  nonce,
  signature: sign,
  tokenId: ticker,
  to,
})

const rehashed = (offered: Offered): Offered => ({
  ...offered,
  hash: transactionHashOfTexts(textsOf(offered)),
})

/** The frame with another content, under the hash that content has: only what was changed is wrong. */
function withContent(frame: BeaconFrame, change: Partial<Content>): BeaconFrame {
  const content = { ...frame.data.mblock_data, ...change }
  const { kblocks_hash: keyBlockHash, nonce, publisher, txs } = content
  const hash = microblockHashOf({
    keyBlockHash,
    nonce,
    publisher,
    transactionHashes: txs.map((one) => one.hash),
  })
  return { ...frame, data: { ...frame.data, m_hash: hash, mblock_data: content } }
}

const withFirst = ({ data }: BeaconFrame, change: (first: Offered) => Offered): readonly Offered[] =>
  data.mblock_data.txs.map((one, at) => (at === 0 ? change(one) : one))

const randomHash = (random: SeededRandom): string => sha256Hex(`forged ${random.next()}`)

const more = (amount: string): string => String(BigInt(amount) + 1n)

/** A signature that is well formed and of somebody else. */
const foreignSignature = (offered: Offered, random: SeededRandom): string =>
  signText(signingHashOfTexts(textsOf(offered)), parsePrivateKey(randomHash(random)))

/** Well formed: decimal coordinates below the field's prime, two for one point and one for the other (PROTOCOL 8.5). */
function garbledLeaderSignature(random: SeededRandom): JsonValue {
  const coordinate = (): string =>
    String(BigInt(`0x1${randomHash(random)}${randomHash(random).slice(0, 60)}`))
  const list = (length: number): readonly string[] => Array.from({ length }, coordinate)
  return { r: { x: list(2), y: list(2) }, s: { x: list(1), y: list(1) } }
}

const forgeries: {
  readonly [Name in ForgeryName]: (
    frame: BeaconFrame,
    context: { readonly random: SeededRandom; readonly pastKeyBlock: string },
  ) => BeaconFrame
} = {
  amount: (frame) =>
    withContent(frame, {
      txs: withFirst(frame, (first) => rehashed({ ...first, amount: more(first.amount) })),
    }),
  statedHash: (frame) =>
    // Under its old hash, so that only somebody who recomputes it sees the difference.
    withContent(frame, { txs: withFirst(frame, (first) => ({ ...first, amount: more(first.amount) })) }),
  signature: (frame, { random }) =>
    withContent(frame, {
      txs: withFirst(frame, (first) => rehashed({ ...first, sign: foreignSignature(first, random) })),
    }),
  microblockHash: (frame, { random }) => ({ ...frame, data: { ...frame.data, m_hash: randomHash(random) } }),
  publisher: (frame, { random }) =>
    withContent(frame, { publisher: addressOf(parsePrivateKey(randomHash(random))) }),
  empty: (frame) => withContent(frame, { txs: [] }),
  futureKeyBlock: (frame, { random }) => withContent(frame, { kblocks_hash: randomHash(random) }),
  pastKeyBlock: (frame, { pastKeyBlock }) => withContent(frame, { kblocks_hash: pastKeyBlock }),
  otherNonce: (frame) => withContent(frame, { nonce: frame.data.mblock_data.nonce + 1n }),
  leaderSignature: (frame, { random }) => ({
    ...frame,
    data: { ...frame.data, leader_sign: garbledLeaderSignature(random) },
  }),
}

const readFrame = (text: string): BeaconFrame => parseJson(text) as unknown as BeaconFrame

/**
 * A beacon with one thing wrong. `otherNonce` and `leaderSignature` alone keep a content that a miner without the key of
 * the network has to take for genuine.
 *
 * @param context.pastKeyBlock hash of a key block that is closed
 */
export const forgeBeacon = (
  text: string,
  what: ForgeryName,
  context: { readonly random: SeededRandom; readonly pastKeyBlock: string },
): string => stringifyJson(forgeries[what](readFrame(text), context) as unknown as JsonValue)

export const keyBlockOf = (text: string): string => readFrame(text).data.mblock_data.kblocks_hash

/** Returns the beacon with its first transaction repeated, under a hash that does not match. */
export function swollenBeacon(text: string, transactions: number): string {
  const frame = readFrame(text)
  const [first] = frame.data.mblock_data.txs
  const txs = first === undefined ? [] : Array.from({ length: transactions }, () => first)
  const data = { ...frame.data, mblock_data: { ...frame.data.mblock_data, txs } }
  return stringifyJson({ ...frame, data } as unknown as JsonValue)
}
