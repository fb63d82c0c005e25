import { type ContractOrder, type Token, transferFee } from '@hailstone/protocol'
import type { AccountRecord } from './account-record.ts'
import { applyContract, type ContractFailure, type ContractRefusal } from './apply-contract.ts'
import type { LedgerDraft } from './ledger-draft.ts'
import type { LedgerTransaction } from './ledger-macroblock.ts'
import type { LedgerParameters } from './ledger-parameters.ts'

/** Code for why a transaction is rejected. The network reports only that it is. */
export type Refusal =
  | ContractRefusal
  | ContractFailure
  | 'tokenUnknown'
  | 'amountBelowFee'
  | 'balanceBelowAmount'
  | 'tokenOwnerCannotPayFee'
  | 'balanceBelowNativeFee'

/** State and parameters with which a transaction is applied. */
export type TransactionContext = {
  readonly draft: LedgerDraft
  readonly native: Token
  readonly height: number
  readonly parameters: LedgerParameters
}

/** The two history records of a transfer, confirmed or rejected: the receiver's, then the sender's. */
export const transferRecords = (transaction: LedgerTransaction): readonly AccountRecord[] => [
  { type: 'iin', account: transaction.to, hash: transaction.hash, value: transaction.amount },
  { type: 'iout', account: transaction.from, hash: transaction.hash, value: transaction.amount },
]

/** Steps 3 to 7 of PROTOCOL 2.9. Their order decides: every one must leave a balance that is not negative. */
function transfer(context: TransactionContext, transaction: LedgerTransaction): Refusal | null {
  const { draft, native } = context
  const { from, to, amount, tokenId } = transaction
  const token = draft.token(tokenId)
  if (token === undefined) return 'tokenUnknown'
  const fee = transferFee(token, amount)
  if (amount < fee) return 'amountBelowFee'
  if (!draft.debit(from, tokenId, amount)) return 'balanceBelowAmount'
  // The owner advances the native fee before it receives anything: it needs native coins already.
  if (!draft.debit(token.owner, native.id, native.feeValue)) return 'tokenOwnerCannotPayFee'
  if (token.feeType === 2) {
    if (!draft.debit(from, native.id, token.feeValue)) return 'balanceBelowNativeFee'
    draft.credit(token.owner, native.id, token.feeValue)
  } else {
    draft.credit(token.owner, tokenId, fee)
  }
  draft.credit(to, tokenId, amount - fee)
  return null
}

/** A refusal with no trace in the ledger, or the records that an executed contract adds. */
export type TransactionOutcome = {
  readonly refusal: Refusal | null
  readonly records: readonly AccountRecord[]
}

/**
 * Executes one transaction that is no duplicate and whose contract, if it has one, was not refused (PROTOCOL
 * 2.9). A rejected one changes nothing and pays no fee.
 */
export function applyTransaction(
  context: TransactionContext,
  transaction: LedgerTransaction,
  order: ContractOrder | null,
): TransactionOutcome {
  const records = [...transferRecords(transaction)]
  const claimed = (value: bigint) => {
    records.push({ type: 'ic', account: transaction.from, hash: transaction.hash, value })
  }
  const refusal = context.draft.attempt<Refusal>(
    () =>
      transfer(context, transaction) ??
      (order === null ? null : applyContract({ ...context, transaction, claimed }, order)),
  )
  return { refusal, records }
}
