// Types of the public interface. Compiled with the types of `npm test`, never run: a line after @ts-expect-error that
// compiles is an error.
import {
  type Client,
  type ErrorCode as ClientErrorCode,
  type Hash as ClientHash,
  NodeError as ClientNodeError,
  type TokenId as ClientTokenId,
  createClient,
  type getBalance,
  type PaymentState,
  type Payments,
  type Signer,
  type Wallet,
} from '@hailstone/client'
import type { LocalNetwork } from '@hailstone/local-network'
import {
  type Address,
  type Amount,
  type Hash,
  isNodeError,
  isPrivateKey,
  isSignature,
  NodeError,
  type PrivateKey,
  parseAddress,
  type parseAmount,
  type parseBlockName,
  type parsePrivateKey,
  type parseSignature,
  type Signature,
  type TokenId,
  toAmount,
} from '@hailstone/protocol'
import {
  createMiningNode,
  createMiningSession,
  type MiningEvents,
  type StopReason,
  type WatchMissedReferrals,
} from '../src/node.ts'
import { type MiningSigner, signLater } from '../src/signer/index.ts'
import { watchBalance, watchMissedReferrals, watchRewards } from '../src/watch/index.ts'

declare const client: Client
declare const wallet: Wallet
declare const text: string

/** True only for the same type, `any` and `unknown` told apart. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const isTrue = <T extends true>(value?: T): void => void value

export function brandsRefusePlainValues(): void {
  // @ts-expect-error a text is no address before it is parsed
  const address: Address = text
  // @ts-expect-error a bigint is no amount before it is checked
  const amount: Amount = 5n
  // @ts-expect-error an address is no token id
  const tokenId: TokenId = parseAddress(text)
  // @ts-expect-error a number is no money
  toAmount(5)
  isTrue<Same<ReturnType<typeof parseAddress>, Address>>()
  isTrue<Same<ReturnType<typeof parseAmount>, Amount>>()
  isTrue<Same<Awaited<ReturnType<typeof getBalance>>['amount'], Amount>>()
  void [address, amount, tokenId]
}

export function eventsAreInferred(): void {
  const node = createMiningNode({ wallet, apiUrl: text })
  node.on('rewarded', (reward) => {
    isTrue<Same<typeof reward, MiningEvents['rewarded']>>()
    isTrue<Same<typeof reward.amount, Amount>>()
  })
  node.on('stopped', ({ reason }) => isTrue<Same<typeof reason, StopReason>>())
  // @ts-expect-error no such event
  node.on('rewardd', () => undefined)
  // @ts-expect-error a snapshot is not written to
  node.snapshot().height = 1
}

export function everyBrandIsParsed(value: unknown): void {
  isTrue<Same<ReturnType<typeof parseSignature>, Signature>>()
  isTrue<Same<ReturnType<typeof parsePrivateKey>, PrivateKey>>()
  isTrue<Same<ReturnType<typeof parseBlockName>, Hash>>()
  // @ts-expect-error a text is no signature before it is parsed
  const signature: Signature = text
  // @ts-expect-error an address is no private key
  const key: PrivateKey = parseAddress(text)
  if (isSignature(value)) isTrue<Same<typeof value, Signature>>()
  if (isPrivateKey(value)) isTrue<Same<typeof value, PrivateKey>>()
  void [signature, key]
}

export function signersMayAnswerLater(remote: Signer, bare: MiningSigner): void {
  createMiningNode({ wallet: remote, apiUrl: text, signingTimeoutMs: 2_000 })
  createMiningNode({ wallet: bare, apiUrl: text })
  createMiningSession({ wallet: remote, gatewayUrl: text, signLater })
  createMiningSession({ wallet, gatewayUrl: text })
  // @ts-expect-error a session has to be given what waits for the signer
  createMiningSession({ wallet: remote, gatewayUrl: text })
  // @ts-expect-error an address signs nothing
  createMiningNode({ wallet: { address: remote.address }, apiUrl: text })
  // @ts-expect-error the key of a signer is not asked for
  void remote.exportPrivateKey
}

export function severalCodesNarrow(error: unknown): void {
  if (isNodeError(error, ['HASH_MALFORMED', 'TOKEN_ID_MALFORMED'])) {
    isTrue<Same<typeof error.code, 'HASH_MALFORMED' | 'TOKEN_ID_MALFORMED'>>()
    isTrue<Same<typeof error.docsUrl, string>>()
    // @ts-expect-error the address is of the documentation and is not changed
    error.docsUrl = text
  }
  // @ts-expect-error no such code
  isNodeError(error, ['HASH_MALFORMD'])
}

function narrows(error: NodeError): number {
  switch (error.code) {
    case 'HTTP_STATUS':
      return error.facts.status
    case 'REQUEST_TIMEOUT':
      // @ts-expect-error another code has this fact
      void error.facts.status
      return error.facts.timeoutMs
    default:
      return 0
  }
}

export function errorsNarrowWhereverTheyCome(thrown: unknown): void {
  const node = createMiningNode({ wallet, client, gatewayUrl: text })
  node.on('failed', ({ error }) => (error.code === 'HTTP_STATUS' ? error.facts.status : narrows(error)))
  node.on('failed', ({ error }: { readonly error: NodeError }) => narrows(error))
  watchBalance({
    client,
    address: parseAddress(text),
    onChange: () => undefined,
    onError: (error) => (error.code === 'REQUEST_TIMEOUT' ? error.facts.timeoutMs : narrows(error)),
  })
  const { lastError } = node.snapshot()
  if (lastError?.error.code === 'HTTP_STATUS') void lastError.error.facts.status
  if (thrown instanceof NodeError) narrows(thrown)
  if (isNodeError(thrown)) narrows(thrown)
  if (isNodeError(thrown, 'HTTP_STATUS')) isTrue<Same<typeof thrown.facts.status, number>>()
  const made: NodeError<'HASH_MALFORMED'> = new NodeError('HASH_MALFORMED', { text })
  const either = text === '' ? made : { address: text }
  if (!(either instanceof NodeError)) void either.address
}

export async function inputsTakePlainValues(payments: Payments): Promise<void> {
  const transaction = await client.getTransaction({ hash: text })
  isTrue<Same<NonNullable<typeof transaction>['hash'], Hash>>()
  const { amount, tokenId = '' } = await client.getBalance({ address: text, tokenId: text })
  isTrue<Same<typeof amount, Amount>>()
  const page = await client.getRewards({ address: text })
  isTrue<Same<typeof page.address, Address>>()
  await payments.pay({ to: text, amount: amount / 2n, tokenId })
  await client.sendTransaction({ wallet, to: text, amount: amount / 2n })
  const { fields } = await client.prepareTransaction({ from: text, to: text, amount: 5n })
  isTrue<Same<typeof fields.amount, Amount>>()
  await client.waitForTransaction({ hash: text })
  await client.getMicroblock({ hash: text })
  await client.getExpectedReturn({ stake: 5n })
  await client.requestTestCoins({ address: text, tokenId: text })
  watchRewards({ client, address: text, onReward: ({ address }) => isTrue<Same<typeof address, Address>>() })
  watchMissedReferrals({ client, address: text, onMissed: () => undefined })
  // @ts-expect-error a number is no money
  void payments.pay({ to: text, amount: 5 })
}

/** With the client alone. */
export type Named = readonly [ClientHash, ClientTokenId, ClientErrorCode]

/** As programs wrote it while the address was branded. */
export const followed: WatchMissedReferrals = ({ address }: { readonly address: Address }) =>
  watchMissedReferrals({ client, address, onMissed: () => undefined })

export function optionsTakeUndefined(): void {
  createMiningNode({ wallet, apiUrl: text, gatewayUrl: undefined, tokenId: undefined, client: undefined })
  createClient({ apiUrl: text, retry: undefined, transport: undefined })
  // @ts-expect-error an option that does not exist
  createClient({ apiUrl: text, retries: 3 })
}

export function unionsAreComplete(state: PaymentState): string {
  switch (state.status) {
    case 'prepared':
    case 'stored':
    case 'sent':
    case 'forgotten':
      return state.status
    case 'inPool':
      return String(state.misses)
    case 'confirmed':
    case 'rejected':
    case 'duplicate':
    case 'superseded':
      return state.place.keyBlockHash
    case 'reorganised':
      return state.was.keyBlockHash
    case 'refused':
      return state.message
    case 'withdrawn':
    case 'uncertain':
      return state.reason
    default:
      return state satisfies never
  }
}

// One package is enough to look at an error, and the network of a test takes the texts that people type.
declare const thrown: unknown
if (thrown instanceof ClientNodeError) thrown.code satisfies string
declare const local: LocalNetwork
declare const typedText: string
local.balance(typedText, typedText) satisfies bigint
void local.control.fund(typedText, 1n, typedText)
void local.mineUntilRewarded(typedText)
void local.tokens.mint({ tokenId: typedText, amount: 1n })
