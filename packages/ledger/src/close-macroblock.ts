import { apiError } from '@hailstone/protocol'
import type { AccountRecord } from './account-record.ts'
import { applyBatch, type BatchReport, type CalculatedTransaction } from './apply-batch.ts'
import { applyRewards, type RewardReport } from './apply-rewards.ts'
import type { TransactionContext } from './apply-transaction.ts'
import { LedgerDraft } from './ledger-draft.ts'
import { byHash, type LedgerMacroblock, type LedgerMicroblock } from './ledger-macroblock.ts'
import type { LedgerParameters } from './ledger-parameters.ts'
import type { LedgerChanges, LedgerView } from './ledger-view.ts'

/** Rewards, transactions and records of a closed macroblock. */
export type MacroblockReport = Omit<RewardReport, 'records'> & {
  /** In the order of calculation. */
  readonly transactions: readonly CalculatedTransaction[]
  readonly confirmedCount: number
  /** In the order that fixes their running numbers (PROTOCOL 6.7). */
  readonly records: readonly AccountRecord[]
}

/** Result of {@link closeMacroblock}: rows to store, and a report of what happened. */
export type ClosedMacroblock = {
  /** The rows to store, all of them together. */
  readonly changes: LedgerChanges
  readonly report: MacroblockReport
}

function* batches(
  microblocks: readonly LedgerMicroblock[],
  size: number,
): Iterable<readonly LedgerMicroblock[]> {
  for (let at = 0; at < microblocks.length; at += size) yield microblocks.slice(at, at + size)
}

/**
 * Calculates the transactions of a macroblock and nothing else, batch by batch in the order of the hashes
 * (PROTOCOL 2.9).
 */
export function applyMicroblocks(
  context: TransactionContext,
  microblocks: readonly LedgerMicroblock[],
): BatchReport {
  const size = context.parameters.microblocksPerBatch ?? 10
  const reports = Array.from(batches(byHash(microblocks), size), (batch) => applyBatch(context, batch))
  return {
    transactions: reports.flatMap(({ transactions }) => transactions),
    records: reports.flatMap(({ records }) => records),
  }
}

/**
 * Calculates a macroblock once the next key block exists: its transactions in the order of the hashes, then its
 * rewards (PROTOCOL 2.9, 6). The ledger below is only read; whoever stores it applies the changes.
 *
 * @throws {NodeError} `TOKEN_UNKNOWN` when the ledger has no native token
 */
export function closeMacroblock(
  ledger: LedgerView,
  macroblock: LedgerMacroblock,
  parameters: LedgerParameters,
): ClosedMacroblock {
  const native = ledger.token(parameters.nativeTokenId)
  if (native === undefined) throw apiError('TOKEN_UNKNOWN', { tokenId: parameters.nativeTokenId })
  const draft = new LedgerDraft(ledger)
  const context = { draft, native, height: macroblock.keyBlock.height, parameters }
  const { transactions, records: transfers } = applyMicroblocks(context, macroblock.microblocks)
  const confirmedCount = transactions.filter(({ status }) => status === 'confirmed').length
  const rewards = applyRewards({ draft, native, parameters, macroblock, confirmedCount })
  const records = [...transfers, ...rewards.records]
  return { changes: draft.changes(), report: { ...rewards, transactions, confirmedCount, records } }
}
