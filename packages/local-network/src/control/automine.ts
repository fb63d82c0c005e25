import { setTimeout as sleep } from 'node:timers/promises'
import type { PendingPool } from '../http/api-parts.ts'

/** Macroblocks after a transaction: its own, and the depth at which a payment is settled. */
const BLOCKS = 6
/** Between two macroblocks, so that whoever asks the chain for news gets it in between, in ms. */
const PAUSE_MS = 20

/** Closes macroblocks after each transaction that is posted, without waiting for the time of a block. */
export type Automine = {
  /** Watches a pool of posted transactions. */
  readonly watched: (pool: PendingPool) => PendingPool
  /** Resolves when no macroblock is being closed. */
  readonly stop: () => Promise<void>
}

/** @param mine closes one macroblock; what it rejects with ends this round, and the clock goes on */
export function createAutomine(mine: () => Promise<unknown>): Automine {
  const ended = new AbortController()
  let left = 0
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    try {
      while (left > 0 && !ended.signal.aborted) {
        await sleep(PAUSE_MS, undefined, { signal: ended.signal })
        // Counted before: a transaction that comes while this one is closed gets all of its own.
        left--
        await mine()
      }
    } catch {
      // The next transaction begins another round.
    } finally {
      // At once, so that a transaction that comes now does not believe in this round.
      running = null
    }
  }

  function begin(): void {
    left = BLOCKS
    running ??= run()
  }

  return {
    watched: (pool) => ({
      ...pool,
      get size() {
        return pool.size
      },
      add: async (...given) => {
        const outcome = await pool.add(...given)
        if (outcome === 'added') begin()
        return outcome
      },
    }),
    stop: async () => {
      ended.abort()
      await running
    },
  }
}
