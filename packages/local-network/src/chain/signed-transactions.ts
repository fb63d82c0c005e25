import { isTransactionSigned, type Transaction, type VerifyText } from '@hailstone/protocol'

/** Transactions whose signatures are known to be right. They are offered to many miners and verified once. */
export type SignedTransactions = {
  /** Returns true if its sender signed it. */
  readonly has: (transaction: Transaction) => boolean
  /** Returns true if that is known without looking. */
  readonly isKnown: (transaction: Transaction) => boolean
  /** Takes in one that was verified, or signed by this process itself. */
  readonly note: (transaction: Transaction) => void
}

export function createSignedTransactions(verify: VerifyText): SignedTransactions {
  const known = new WeakSet<Transaction>()
  return {
    has(transaction) {
      if (known.has(transaction)) return true
      const isSigned = isTransactionSigned(transaction, verify)
      if (isSigned) known.add(transaction)
      return isSigned
    },
    isKnown: (transaction) => known.has(transaction),
    note: (transaction) => void known.add(transaction),
  }
}
