import {
  accountEndpoint,
  allTokenNamesEndpoint,
  balanceAllEndpoint,
  balanceAllUnfilteredEndpoint,
  delegationPageEndpoint,
  delegationsEndpoint,
  delegatorPageEndpoint,
  delegatorsEndpoint,
  holderCountEndpoint,
  incomingEndpoint,
  keyBlockPageEndpoint,
  keyBlockRewardsEndpoint,
  minersOnlineEndpoint,
  miningRewardsEndpoint,
  outgoingEndpoint,
  pendingAccountEndpoint,
  recordsOfHashEndpoint,
  referralRewardsEndpoint,
  rewardsEndpoint,
  richestAccountsEndpoint,
  searchEndpoint,
  stakePoolNamesEndpoint,
  stakePoolPageEndpoint,
  stakePoolsEndpoint,
  statBlockRewardsEndpoint,
  tokenNamesEndpoint,
  tokenPageEndpoint,
  topDelegatorsEndpoint,
  transactionsEndpoint,
  undelegationPageEndpoint,
  undelegationsEndpoint,
} from '@hailstone/protocol'
import { API_PREFIX } from './route.ts'

/** Room that requests take among those that run at once; for row A-6, online-lists and unread-histories. */
export const COSTLY_ROOM = 8
const LIST = 4
const PAGE = 1

const pathsOf = (endpoints: readonly { readonly path: string }[]): readonly string[] =>
  endpoints.map(({ path }) => API_PREFIX + path)

/** Pages of a history. Those of one moment are read together, so a few at once take less time than one by one. */
const pages = pathsOf([
  accountEndpoint,
  incomingEndpoint,
  keyBlockRewardsEndpoint,
  miningRewardsEndpoint,
  outgoingEndpoint,
  // Reads the whole pool.
  pendingAccountEndpoint,
  referralRewardsEndpoint,
  rewardsEndpoint,
  statBlockRewardsEndpoint,
  transactionsEndpoint,
])

/** Endpoints that search the records of the whole chain, or answer with a long list. */
const lists = pathsOf([
  allTokenNamesEndpoint,
  balanceAllEndpoint,
  balanceAllUnfilteredEndpoint,
  delegationPageEndpoint,
  delegationsEndpoint,
  delegatorPageEndpoint,
  delegatorsEndpoint,
  holderCountEndpoint,
  keyBlockPageEndpoint,
  minersOnlineEndpoint,
  recordsOfHashEndpoint,
  richestAccountsEndpoint,
  searchEndpoint,
  stakePoolNamesEndpoint,
  stakePoolPageEndpoint,
  stakePoolsEndpoint,
  tokenNamesEndpoint,
  tokenPageEndpoint,
  topDelegatorsEndpoint,
  undelegationPageEndpoint,
  undelegationsEndpoint,
])

/** Some queries and 340 kB of text: 20 ms of processor. */
export const LIVE_DOCUMENT = '/docs/chain.json'

const costs: ReadonlyMap<string, number> = new Map([
  [LIVE_DOCUMENT, LIST] as const,
  ...pages.map((path) => [path, PAGE] as const),
  ...lists.map((path) => [path, LIST] as const),
])

/** Returns the room that a request takes: 0 for single values. */
export function costOf(url: string): number {
  const path = /^[^?#]*/.exec(url)?.[0] ?? ''
  // The server takes both for the same.
  const plain = path.toLowerCase().replace(/\/$/, '')
  return costs.get(plain) ?? 0
}
