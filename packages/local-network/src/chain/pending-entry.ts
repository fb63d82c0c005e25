import type { Hash, TokenId, Transaction } from '@hailstone/protocol'

/** A posted transaction that waits for its macroblock to be calculated. */
export type PendingEntry = {
  readonly hash: Hash
  readonly transaction: Transaction
  /** Unix milliseconds of its arrival. */
  readonly addedAtMs: number
  /** True if a block can hold it. Otherwise it waits until it expires and is never offered. */
  isMineable: boolean
  /** Number of times it was offered to a miner. */
  offeredCount: number
  /** Unix milliseconds of the newest offer to a miner; null before the first. */
  lastOfferedAtMs: number | null
  /** Token of the miner that it was last offered to: in vain, if it is offered again. */
  lastOfferedIn: TokenId | null
  /** The same before the last offer, which may be withdrawn. */
  offeredBeforeIn: TokenId | null
}
