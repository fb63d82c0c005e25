import type { Hash } from '@hailstone/protocol'

/** `unknown`: not held here, to be asked about before each macroblock. */
export type CalculatedContent = Iterable<Hash> | 'unknown'

/** The requested transactions, and those of them that have a status. */
export type CalculatedAnswer = { readonly asked: readonly Hash[]; readonly calculated: readonly Hash[] }

/**
 * Which transactions have a status. A hash is a duplicate for ever, so the whole list grows with the chain; over a
 * stored chain only the answers for the next macroblock are held. Guessing would pay a payment twice: whoever did
 * not ask gets an error.
 */
export type CalculatedTransactions = {
  readonly has: (hash: Hash) => boolean
  readonly unasked: (hashes: readonly Hash[]) => readonly Hash[]
  readonly learn: (answer: CalculatedAnswer) => void
  /** After a macroblock; answers for earlier ones are forgotten. */
  readonly add: (hashes: Iterable<Hash>) => void
  readonly content: () => CalculatedContent
  readonly replaceWith: (content: CalculatedContent) => void
}

/** @param limit all are held up to this number; with more of them, none. @default no limit */
export function createCalculatedTransactions(
  content: CalculatedContent,
  limit = Number.POSITIVE_INFINITY,
): CalculatedTransactions {
  let holdsAll = content !== 'unknown'
  let calculated = new Set<Hash>(content === 'unknown' ? [] : content)
  const asked = new Set<Hash>()
  const isKnown = (hash: Hash): boolean => holdsAll || asked.has(hash)
  return {
    has(hash) {
      if (!isKnown(hash)) throw new Error(`nobody asked whether ${hash} was calculated`)
      return calculated.has(hash)
    },
    unasked: (hashes) => hashes.filter((hash) => !isKnown(hash)),
    learn(answer) {
      for (const hash of answer.asked) asked.add(hash)
      for (const hash of answer.calculated) calculated.add(hash)
    },
    add(hashes) {
      if (holdsAll) for (const hash of hashes) calculated.add(hash)
      holdsAll &&= calculated.size <= limit
      if (holdsAll) return
      asked.clear()
      calculated.clear()
    },
    content: () => (holdsAll ? [...calculated] : 'unknown'),
    replaceWith(other) {
      holdsAll = other !== 'unknown'
      calculated = new Set(other === 'unknown' ? [] : other)
      asked.clear()
    },
  }
}
