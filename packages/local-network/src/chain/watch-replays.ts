import type { LedgerState } from '@hailstone/ledger'
import type { Hash } from '@hailstone/protocol'
import type { CalculatedSource } from './learn-calculated.ts'

const HASHES_PER_QUERY = 500
/** Everything that is posted in this time comes into one query. */
const GATHER_MS = 50

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Returns a function to be called with every transaction that enters the pool. It looks up in the store, in batches
 * and beside everything else, which of them were calculated before, and marks those. Anybody can post the old
 * transactions of others again: as long as they count for the one who signed them, they take its quota and its turns.
 */
export function watchReplays(parameters: {
  readonly ledger: Pick<LedgerState, 'unasked'>
  readonly store: CalculatedSource
  /** Height of the open key block. */
  readonly height: () => number
  readonly markReplayed: (hashes: readonly Hash[]) => void
}): (hash: Hash) => void {
  const { ledger, store, height, markReplayed } = parameters
  const unchecked: Hash[] = []
  let isChecking = false
  async function check(): Promise<void> {
    while (unchecked.length > 0) {
      await pause(GATHER_MS)
      const batch = unchecked.splice(0, HASHES_PER_QUERY)
      // A hint alone: what is not found out now is a duplicate later.
      const replayed = await store.calculatedBelow(height(), batch).catch(() => [])
      if (replayed.length > 0) markReplayed(replayed)
    }
  }
  return (hash) => {
    if (ledger.unasked([hash]).length === 0) return
    unchecked.push(hash)
    if (isChecking) return
    isChecking = true
    void check().finally(() => {
      isChecking = false
    })
  }
}
