import {
  confirmedTransactionsEndpoint,
  encodeReferralCode,
  keyBlockPageEndpoint,
  lastTransactionsEndpoint,
  microblocksEndpoint,
  minersOnlineEndpoint,
  richestAccountsEndpoint,
  tokenNamesEndpoint,
} from '@hailstone/protocol'
import { ask } from './ask.ts'
import { placeOf, placesShown } from './parts.tsx'

/** A hash, an address or a token id, and the place of its page. */
export type Candidate = { readonly text: string; readonly place: string }

const SHORTENED = /^((?:ref_)?[\da-f]{4,})(?:…|\.{2,3})([\da-f]{4,})$/

/** True for both ends of a hash, an address, an id or a referral code with dots between them, as screens show it. */
export const isShortened = (text: string): boolean => SHORTENED.test(text.toLowerCase())

const account = (address: string): Candidate => ({ text: address, place: placeOf.account(address) })
const transaction = (one: { readonly hash: string; readonly from: string; readonly to: string }) => [
  { text: one.hash, place: placeOf.transaction(one.hash) },
  account(one.from),
  account(one.to),
]

/** The ten newest key blocks with their microblocks and confirmed transactions. */
async function ofNewestBlocks(signal: AbortSignal): Promise<readonly Candidate[]> {
  const { keyBlocks = [] } = (await ask(keyBlockPageEndpoint, { page: 0 }, signal)) ?? {}
  const offset = keyBlocks.at(-1)?.height
  if (offset === undefined) return []
  const [microblocks = [], ...confirmed] = await Promise.all([
    ask(microblocksEndpoint, { offset, limit: keyBlocks.length }, signal),
    ...keyBlocks.map(({ height }) => ask(confirmedTransactionsEndpoint, { height }, signal)),
  ])
  return [
    ...keyBlocks.map(({ hash, height }) => ({ text: hash, place: placeOf.height(height) })),
    ...keyBlocks.map(({ publisher }) => account(publisher)),
    ...microblocks.map(({ hash }) => ({ text: hash, place: placeOf.microblock(hash) })),
    ...microblocks.map(({ publisher }) => account(publisher)),
    ...confirmed.flatMap((answer) => answer?.data.transactions ?? []).flatMap(transaction),
  ]
}

async function ofLists(signal: AbortSignal): Promise<readonly Candidate[]> {
  const [last, miners = [], richest, tokens = []] = await Promise.all([
    ask(lastTransactionsEndpoint, {}, signal),
    ask(minersOnlineEndpoint, {}, signal),
    ask(richestAccountsEndpoint, { page: 0 }, signal),
    ask(tokenNamesEndpoint, {}, signal),
  ])
  return [
    ...(last?.transactions ?? []).flatMap(transaction),
    ...miners.map(({ address }) => account(address)),
    ...(richest?.accounts ?? []).map((one) => account(one.account)),
    ...tokens.map(({ id }) => ({ text: id, place: placeOf.token(id) })),
  ]
}

/** Places of addresses and hashes that begin and end as the text does. */
function matches(shortened: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const [, head = '', tail = ''] = SHORTENED.exec(shortened.toLowerCase()) ?? []
  const isCode = head.startsWith('ref_')
  const nameOf = ({ text, place }: Candidate): string =>
    isCode && place === placeOf.account(text) ? encodeReferralCode(text) : text
  const found = candidates.filter((one) => nameOf(one).startsWith(head) && nameOf(one).endsWith(tail))
  return [...new Map(found.map((one) => [one.place, one])).values()]
}

/**
 * Returns what begins and ends as a shortened text does, among what this window has shown, the newest blocks and their
 * transactions, the miners, the largest accounts and the tokens. The node searches for whole names only.
 */
export async function findShortened(shortened: string, signal: AbortSignal): Promise<readonly Candidate[]> {
  const listed = (await Promise.all([ofNewestBlocks(signal), ofLists(signal)])).flat()
  const shown = [...placesShown].map(([text, place]) => ({ text, place }))
  return matches(shortened, [...shown, ...listed])
}
