import { balanceReference, historyReference } from './account-reference.ts'
import { blockReference } from './block-reference.ts'
import type { ReferenceGroup } from './endpoint-reference.ts'
import { explorerReference } from './explorer-reference.ts'
import { figureReference } from './figure-reference.ts'
import { faucetReference, networkReference, tokenReference } from './network-reference.ts'
import { stakeReference } from './stake-reference.ts'
import { transactionReference } from './transaction-reference.ts'

/** Every endpoint with its documentation, in the order of the page. */
export const referenceGroups: readonly ReferenceGroup[] = [
  blockReference,
  transactionReference,
  balanceReference,
  historyReference,
  tokenReference,
  networkReference,
  stakeReference,
  explorerReference,
  figureReference,
  faucetReference,
]
