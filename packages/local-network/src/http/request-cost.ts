import {
  accountEndpoint,
  allTokenNamesEndpoint,
  balanceAllEndpoint,
  balanceAllUnfilteredEndpoint,
  delegationPageEndpoint,
  delegationsEndpoint,
  delegatorPageEndpoint,
  delegatorsEndpoint,
  incomingEndpoint,
  keyBlockPageEndpoint,
  keyBlockRewardsEndpoint,
  minersOnlineEndpoint,
  miningRewardsEndpoint,
  outgoingEndpoint,
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
import type { Cost } from '../fair-turns.ts'
import { API_PREFIX } from './route.ts'

/** Endpoints that search the records of an account or of the whole chain, or answer with a long list. */
const costlyPaths: ReadonlySet<string> = new Set(
  [
    accountEndpoint,
    allTokenNamesEndpoint,
    balanceAllEndpoint,
    balanceAllUnfilteredEndpoint,
    delegationPageEndpoint,
    delegationsEndpoint,
    delegatorPageEndpoint,
    delegatorsEndpoint,
    incomingEndpoint,
    keyBlockPageEndpoint,
    keyBlockRewardsEndpoint,
    minersOnlineEndpoint,
    miningRewardsEndpoint,
    outgoingEndpoint,
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
  ].map(({ path }) => API_PREFIX + path),
)

/** Returns whether answering a request is costly, as lists are, or cheap, as single values are. */
export function costOf(url: string): Cost {
  const path = /^[^?#]*/.exec(url)?.[0] ?? ''
  // The server takes both for the same.
  const plain = path.toLowerCase().replace(/\/$/, '')
  return costlyPaths.has(plain) ? 'costly' : 'cheap'
}
