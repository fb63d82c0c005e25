import {
  type Hash,
  type OfferedTransaction,
  signingHashOfTexts,
  transactionHashOfTexts,
} from '@hailstone/protocol'

/** A signature as it is asked about. */
export type SignatureQuestion = {
  readonly text: string
  readonly signature: string
  readonly address: string
}

/** Says of each whether it is valid, in order. */
export type VerifyMany = (questions: readonly SignatureQuestion[]) => Promise<readonly boolean[]>

/** Verdict on a list of offered transactions, shared by all addressees. */
type CheckedTransactions = {
  readonly hashes: readonly Hash[]
  /** True if a stated hash differs from the recomputed one. */
  readonly isMisstated: boolean
  /** Asks for the signatures the first time; the same promise for everybody. */
  readonly areSigned: () => Promise<boolean>
}

export type TransactionChecks = {
  readonly of: (transactions: readonly OfferedTransaction[]) => CheckedTransactions
  readonly counts: () => { readonly hashed: number; readonly verified: number }
}

type Known = { readonly hash: Hash; isSigned: Promise<boolean> | null }

/** About a kilobyte each; several beacons of the largest size. */
const TRANSACTIONS_KEPT = 4_096

/** The parts of fixed form come first and the lengths of the free ones are written down: no two share a key. */
const contentKey = ({ from, to, amount, nonce, signature, tokenId, data }: OfferedTransaction): string =>
  `${from} ${to} ${amount} ${nonce} ${signature.length} ${tokenId.length} ${signature}${tokenId}${data}`

/**
 * Hashes and verifies every transaction once for the whole process. The nodes of a fleet are offered the same
 * transactions under different names, so this is most of the work of a beacon.
 */
export function createTransactionChecks(verify: VerifyMany): TransactionChecks {
  const known = new Map<string, Known>()
  const lists = new WeakMap<readonly OfferedTransaction[], CheckedTransactions>()
  let hashed = 0
  let verified = 0

  function look(offered: OfferedTransaction): Known {
    const key = contentKey(offered)
    const found = known.get(key)
    if (found !== undefined) return found
    hashed++
    const entry: Known = { hash: transactionHashOfTexts(offered), isSigned: null }
    known.set(key, entry)
    const [oldest] = known.keys()
    if (known.size > TRANSACTIONS_KEPT && oldest !== undefined) known.delete(oldest)
    return entry
  }

  /** Asks about all that nobody asked about yet in one go. */
  function ask(transactions: readonly OfferedTransaction[], entries: readonly Known[]): void {
    const open = entries.flatMap((entry, at) => {
      const offered = transactions[at]
      return entry.isSigned === null && offered !== undefined ? [{ entry, offered }] : []
    })
    if (open.length === 0) return
    verified += open.length
    const answers = verify(open.map(({ offered }) => questionOf(offered)))
    open.forEach(({ entry }, at) => {
      entry.isSigned = answers.then((valid) => valid[at] === true)
      // Whoever could not be asked is asked again; the promise itself is awaited elsewhere.
      entry.isSigned.catch(() => {
        entry.isSigned = null
      })
    })
  }

  function check(transactions: readonly OfferedTransaction[]): CheckedTransactions {
    const entries = transactions.map(look)
    let areSigned: Promise<boolean> | null = null
    const begin = (): Promise<boolean> => {
      ask(transactions, entries)
      const all = Promise.all(entries.map(({ isSigned }) => isSigned)).then((valid) => valid.every(Boolean))
      all.catch(() => {
        areSigned = null
      })
      return all
    }
    return {
      hashes: entries.map(({ hash }) => hash),
      isMisstated: transactions.some(
        ({ statedHash }, at) => (statedHash ?? entries[at]?.hash) !== entries[at]?.hash,
      ),
      areSigned: () => {
        areSigned ??= begin()
        return areSigned
      },
    }
  }

  return {
    of: (transactions) => {
      const found = lists.get(transactions)
      if (found !== undefined) return found
      const checked = check(transactions)
      lists.set(transactions, checked)
      return checked
    },
    counts: () => ({ hashed, verified }),
  }
}

const questionOf = (offered: OfferedTransaction): SignatureQuestion => ({
  text: signingHashOfTexts(offered),
  signature: offered.signature,
  address: offered.from,
})
