import {
  applyTransaction,
  type BalanceKey,
  LedgerDraft,
  type LedgerParameters,
  type LedgerState,
  refuseContract,
} from '@hailstone/ledger'
import { type Hash, readContract, type Transaction } from '@hailstone/protocol'

/** The balances of one sender, from which its waiting transactions are paid one after the other. */
export type Purse = {
  /** Returns true if the transaction would be confirmed after those that were paid; null while balances are missing. */
  readonly covers: (transaction: Transaction, hash: Hash) => boolean | null
  /** Pays the transaction if the purse covers it; returns whether it does, which it does not while balances are missing. */
  readonly pay: (transaction: Transaction, hash: Hash) => boolean
}

/** Decides which waiting transactions pay a fee if they are calculated now. */
export type Coverage = {
  readonly openPurse: () => Purse
  /** True if the transaction is known to have been calculated before, so that it ends as a duplicate. */
  readonly isReplayed: (hash: Hash) => boolean
}

/**
 * Applies the rules of the ledger itself (PROTOCOL 2.9) to a draft that is thrown away. The answer is a hint: other
 * senders' transactions may change the balances before this one is calculated.
 */
export function createCoverage(parameters: {
  readonly ledger: LedgerState
  readonly rules: LedgerParameters
  /** Height of the open key block. */
  readonly height: () => number
  /** Called with balances that are not in memory, and that a payment from a purse needs. */
  readonly onLacking: (keys: readonly BalanceKey[]) => void
}): Coverage {
  const { ledger, rules, height, onLacking } = parameters
  function isConfirmed(draft: LedgerDraft, sent: Transaction, hash: Hash): boolean {
    const native = draft.token(rules.nativeTokenId)
    if (native === undefined) return false
    const { from, to, amount, tokenId, data } = sent
    const transaction = { hash, from, to, amount, tokenId, data }
    const reading = readContract(data)
    const order = reading.kind === 'contract' ? reading.order : null
    const terms = { parameters: rules, nativeFee: native.feeValue }
    if (reading.kind !== 'memo' && refuseContract(transaction, reading, terms) !== null) return false
    const context = { draft, native, height: height(), parameters: rules }
    return applyTransaction(context, transaction, order).refusal === null
  }
  function openPurse(): Purse {
    let spent: LedgerDraft | undefined
    // Most transactions of a flood end here, without a draft.
    const isShort = ({ from, tokenId, amount }: Transaction): boolean =>
      ((spent ?? ledger).balance(from, tokenId) ?? 0n) < amount
    return {
      covers(sent, hash) {
        const { result, unread } = ledger.attempt(
          () => !isShort(sent) && isConfirmed(new LedgerDraft(spent ?? ledger), sent, hash),
        )
        return unread.length === 0 ? result : null
      },
      pay(sent, hash) {
        const { result, unread } = ledger.attempt(() => {
          if (isShort(sent)) return false
          spent ??= new LedgerDraft(ledger)
          return isConfirmed(spent, sent, hash)
        })
        if (unread.length > 0) onLacking(unread)
        return result && unread.length === 0
      },
    }
  }
  return {
    openPurse,
    isReplayed: (hash) => ledger.unasked([hash]).length === 0 && ledger.isCalculated(hash),
  }
}

/** Covers everything: for a pool that stands on no ledger. */
export const coversEverything: Coverage = {
  openPurse: () => ({ covers: () => true, pay: () => true }),
  isReplayed: () => false,
}
