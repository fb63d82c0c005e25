import {
  allTokenNamesEndpoint,
  balanceAllEndpoint,
  balanceAllUnfilteredEndpoint,
  delegationPageEndpoint,
  delegationsEndpoint,
  delegatorPageEndpoint,
  delegatorsEndpoint,
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
} from '@hailstone/protocol'
import type { Cost } from '../fair-turns.ts'
import { API_PREFIX } from './route.ts'

/**
 * Endpoints that search the records of the whole chain, or answer with a long list. A page of a history is neither: it is
 * a range of one index, and pages that are asked for at once are read together.
 */
const costlyPaths: ReadonlySet<string> = new Set(
  [
    allTokenNamesEndpoint,
    balanceAllEndpoint,
    balanceAllUnfilteredEndpoint,
    delegationPageEndpoint,
    delegationsEndpoint,
    delegatorPageEndpoint,
    delegatorsEndpoint,
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
  ].map(({ path }) => API_PREFIX + path),
)

/** Returns whether answering a request is costly, as lists are, or cheap, as single values are. */
export function costOf(url: string): Cost {
  const path = /^[^?#]*/.exec(url)?.[0] ?? ''
  // The server takes both for the same.
  const plain = path.toLowerCase().replace(/\/$/, '')
  return costlyPaths.has(plain) ? 'costly' : 'cheap'
}
