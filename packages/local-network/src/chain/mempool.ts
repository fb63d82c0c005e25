import { type Hash, type Transaction, transactionHash } from '@hailstone/protocol'

/** A posted transaction that waits for its macroblock to be calculated. It has no expiry. */
export type PendingEntry = {
  readonly hash: Hash
  readonly transaction: Transaction
  readonly addedAtMs: number
  /** Whether a block can hold it; false keeps it waiting for ever, offered to nobody. */
  isMineable: boolean
  /** How often it was offered to a miner. */
  offeredCount: number
  lastOfferedAtMs: number | null
}

export type TakeParameters = {
  readonly limit: number
  readonly nowMs: number
  /** Time a transaction is left to the miner it was offered to. */
  readonly pendingTimeoutMs: number
  /** Leaves out what arrived later. @default 0 */
  readonly minimumAgeMs?: number | undefined
  /** Transactions that need no offer, because a microblock of the open macroblock holds them. */
  readonly isSettled?: ((hash: Hash) => boolean) | undefined
}

/** The transactions that wait, in memory only, as on the public network. */
export type Mempool = {
  readonly add: (transaction: Transaction, hash: Hash) => 'added' | 'already in pool'
  readonly get: (hash: string) => PendingEntry | undefined
  readonly ofAccount: (address: string, filter: 'from' | 'to' | 'both') => readonly PendingEntry[]
  readonly size: number
  /** What to offer next: most-offered first, then oldest (PROTOCOL 5.7). Does not count as an offer yet. */
  readonly take: (parameters: TakeParameters) => readonly PendingEntry[]
  /** How many transactions no microblock of the open macroblock holds; counts no further than `atMost`. */
  readonly countWaiting: (isSettled: (hash: Hash) => boolean, atMost: number) => number
  readonly markOffered: (entries: readonly PendingEntry[], nowMs: number) => void
  /** Offers them to nobody any more; they go on waiting. */
  readonly setAside: (entries: readonly PendingEntry[]) => void
  readonly remove: (hashes: Iterable<Hash>) => void
  /** In the order of their arrival. */
  readonly entries: () => readonly PendingEntry[]
}

/** @param parameters.now Unix milliseconds */
export function createMempool({ now }: { readonly now: () => number }): Mempool {
  // A map keeps the order of arrival, so "oldest first" needs no second index.
  const pool = new Map<string, PendingEntry>()
  return {
    add(transaction, hash) {
      if (pool.has(hash)) return 'already in pool'
      const isMineable = fitsBlock(transaction, hash)
      pool.set(hash, {
        hash,
        transaction,
        addedAtMs: now(),
        isMineable,
        offeredCount: 0,
        lastOfferedAtMs: null,
      })
      return 'added'
    },
    get: (hash) => pool.get(hash),
    ofAccount: (address, filter) => [...pool.values()].filter((entry) => concerns(entry, address, filter)),
    get size() {
      return pool.size
    },
    take: (parameters) => mostOffered(offerable(pool.values(), parameters), parameters.limit),
    countWaiting: (isSettled, atMost) => countWaiting(pool.values(), isSettled, atMost),
    markOffered(entries, nowMs) {
      for (const entry of entries) {
        entry.offeredCount++
        entry.lastOfferedAtMs = nowMs
      }
    },
    setAside(entries) {
      for (const entry of entries) entry.isMineable = false
    },
    remove(hashes) {
      for (const hash of hashes) pool.delete(hash)
    },
    entries: () => [...pool.values()],
  }
}

const concerns = ({ transaction }: PendingEntry, address: string, filter: 'from' | 'to' | 'both'): boolean =>
  (filter !== 'to' && transaction.from === address) || (filter !== 'from' && transaction.to === address)

/**
 * POST takes some transactions that no block can hold: a nonce with a fraction is rounded when it is stored, so the
 * signature and the hash are of another one (PROTOCOL 2.4). In a block it would have the hash of what is stored: the
 * pool would never hear that it was mined, and go on offering it.
 */
const fitsBlock = (transaction: Transaction, hash: Hash): boolean => transactionHash(transaction) === hash

function countWaiting(
  entries: Iterable<PendingEntry>,
  isSettled: (hash: Hash) => boolean,
  atMost: number,
): number {
  let count = 0
  for (const entry of entries) {
    if (count >= atMost) return count
    if (entry.isMineable && !isSettled(entry.hash)) count++
  }
  return count
}

function* offerable(entries: Iterable<PendingEntry>, parameters: TakeParameters): Iterable<PendingEntry> {
  const { nowMs, pendingTimeoutMs, minimumAgeMs = 0, isSettled } = parameters
  for (const entry of entries) {
    if (nowMs - entry.addedAtMs < minimumAgeMs) continue
    const isOffered = entry.lastOfferedAtMs !== null && nowMs - entry.lastOfferedAtMs < pendingTimeoutMs
    if (!isOffered && entry.isMineable && isSettled?.(entry.hash) !== true) yield entry
  }
}

/** The first few by number of offers, without sorting the whole pool: it is asked ten times a second. */
function mostOffered(entries: Iterable<PendingEntry>, limit: number): readonly PendingEntry[] {
  const best: PendingEntry[] = []
  for (const entry of entries) {
    const least = best.at(-1)
    if (best.length >= limit && (least === undefined || entry.offeredCount <= least.offeredCount)) continue
    const place = best.findIndex((other) => other.offeredCount < entry.offeredCount)
    best.splice(place === -1 ? best.length : place, 0, entry)
    if (best.length > limit) best.pop()
  }
  return best
}
