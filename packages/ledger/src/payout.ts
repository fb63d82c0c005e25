import type { Address, Hash, Token, TokenId } from '@hailstone/protocol'
import type { AccountRecord, RecordType } from './account-record.ts'
import type { LedgerDraft } from './ledger-draft.ts'
import type { LedgerMacroblock } from './ledger-macroblock.ts'
import type { LedgerParameters } from './ledger-parameters.ts'

/** Reward of a delegator of a stake pool, in native units. */
export type DelegatorReward = { readonly poolId: Hash; readonly delegator: Address; readonly amount: bigint }

/** The payments of one macroblock in progress. Belongs to one call of `applyRewards`. */
export type Payout = {
  readonly draft: LedgerDraft
  readonly native: Token
  readonly parameters: LedgerParameters
  readonly macroblock: LedgerMacroblock
  /** Native units collected from the token owners of the confirmed transactions. */
  readonly fees: bigint
  readonly records: AccountRecord[]
  readonly delegatorRewards: DelegatorReward[]
  /** Units of mined custom tokens paid so far; also of those that pay nothing any more. */
  readonly issued: Map<TokenId, bigint>
  /** Native units paid so far out of the block reward and out of the fees. */
  readonly paid: { ofBlockReward: bigint; ofFees: bigint }
}

export function record(
  payout: Payout,
  type: RecordType,
  account: string,
  block: { hash: Hash; value: bigint },
): void {
  payout.records.push({ type, account, ...block })
}

/** Pays out of the macroblock's reward in the token. */
export function payReward(payout: Payout, account: Address, token: Token, amount: bigint): void {
  // Paying nothing must not give an account a row: rows decide who counts as an agent.
  if (amount === 0n) return
  payout.draft.credit(account, token.id, amount)
  if (token.id === payout.native.id) payout.paid.ofBlockReward += amount
  else payout.issued.set(token.id, (payout.issued.get(token.id) ?? 0n) + amount)
}

export function sum(units: Iterable<bigint>): bigint {
  let total = 0n
  for (const amount of units) total += amount
  return total
}
