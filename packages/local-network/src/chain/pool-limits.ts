/** Bounds of the pool of waiting transactions. */
export type PoolLimits = {
  /** Waiting transactions in all. @default 8192 */
  readonly maxTransactions: number
  /** Waiting transactions of one sender whose balance covers them. @default 2048 */
  readonly maxPerSender: number
  /** Waiting transactions of one sender from which on only covered ones are accepted. @default 64 */
  readonly maxUncoveredPerSender: number
  /** Longest time a transaction waits, in ms. @default 24 hours */
  readonly expiryMs: number
}

/**
 * Bounds with their defaults. A macroblock takes 24 transactions at the default pace: 8192 are more than an hour of
 * full macroblocks, and some 12 MB. 2048 let a publisher post a day's pay-out at once.
 */
export const poolLimits = ({
  maxTransactions = 8192,
  maxPerSender = 2048,
  maxUncoveredPerSender = 64,
  expiryMs = 24 * 60 * 60_000,
}: PoolOptions = {}): PoolLimits => ({ maxTransactions, maxPerSender, maxUncoveredPerSender, expiryMs })

/** Bounds of the pool as a person gives them. */
export type PoolOptions = { readonly [Name in keyof PoolLimits]?: PoolLimits[Name] | undefined }

/**
 * Reason why a posted transaction is not taken into the pool. `senderFull` and `uncovered` are about the quota of its
 * sender, `poolFull` about the pool as a whole; `limit` is the number of transactions that was reached.
 */
export type PoolRefusal = {
  readonly kind: 'senderFull' | 'uncovered' | 'poolFull'
  readonly limit: number
}
