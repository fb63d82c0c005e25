import { type ContractOrder, type Hash, readContract } from '@hailstone/protocol'
import type { AccountRecord } from './account-record.ts'
import { refuseContract } from './apply-contract.ts'
import {
  applyTransaction,
  type Refusal,
  type TransactionContext,
  transferRecords,
} from './apply-transaction.ts'
import { byHash, type LedgerMicroblock, type LedgerTransaction } from './ledger-macroblock.ts'

/** Outcome of a transaction in the microblock that contains it. */
export type CalculatedTransaction = {
  readonly hash: Hash
  readonly microblockHash: Hash
  readonly status: 'duplicate' | 'rejected' | 'confirmed'
  /** Set for rejected transactions alone. */
  readonly refusal: Refusal | null
}

/** Outcome of the transactions of one batch. */
export type BatchReport = {
  /** In the order of calculation. */
  readonly transactions: readonly CalculatedTransaction[]
  readonly records: readonly AccountRecord[]
}

type Candidate = {
  readonly transaction: LedgerTransaction
  readonly microblockHash: Hash
  readonly verdict: 'duplicate' | 'open' | Refusal
  readonly order: ContractOrder | null
}

/** Steps 1 and 2 of PROTOCOL 2.9, taken for the whole batch before its first transfer. */
function examine(
  context: TransactionContext,
  transaction: LedgerTransaction,
): Pick<Candidate, 'verdict' | 'order'> {
  const { draft, parameters, native } = context
  if (draft.isCalculated(transaction.hash)) return { verdict: 'duplicate', order: null }
  draft.markCalculated(transaction.hash)
  const reading = readContract(transaction.data)
  if (reading.kind === 'memo') return { verdict: 'open', order: null }
  const refusal = refuseContract(transaction, reading, { parameters, nativeFee: native.feeValue })
  return { verdict: refusal ?? 'open', order: reading.kind === 'contract' ? reading.order : null }
}

/**
 * Calculates some microblocks of a macroblock, given in the order of their hashes. In the records those refused
 * for their contract come first, which is the one thing the size of a batch decides (PROTOCOL 6.7).
 */
export function applyBatch(
  context: TransactionContext,
  microblocks: readonly LedgerMicroblock[],
): BatchReport {
  const candidates: readonly Candidate[] = microblocks.flatMap((microblock) =>
    byHash(microblock.transactions).map((transaction) => ({
      transaction,
      microblockHash: microblock.hash,
      ...examine(context, transaction),
    })),
  )
  const refusedRecords: AccountRecord[] = []
  const otherRecords: AccountRecord[] = []
  const calculate = ({
    transaction,
    verdict,
    order,
  }: Candidate): Omit<CalculatedTransaction, 'microblockHash'> => {
    const { hash } = transaction
    if (verdict === 'duplicate') return { hash, status: 'duplicate', refusal: null }
    if (verdict !== 'open') {
      refusedRecords.push(...transferRecords(transaction))
      return { hash, status: 'rejected', refusal: verdict }
    }
    const { refusal, records } = applyTransaction(context, transaction, order)
    otherRecords.push(...records)
    return { hash, status: refusal === null ? 'confirmed' : 'rejected', refusal }
  }
  const transactions = candidates.map((candidate) => ({
    ...calculate(candidate),
    microblockHash: candidate.microblockHash,
  }))
  return { transactions, records: [...refusedRecords, ...otherRecords] }
}
