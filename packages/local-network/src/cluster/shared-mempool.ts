import { type Hash, hostError, NodeError, type Transaction } from '@hailstone/protocol'
import type { Mempool } from '../chain/mempool.ts'
import { reasonOf } from '../logger.ts'
import type { SharedStore } from '../store/index.ts'

type SharedPool = Pick<SharedStore, 'post' | 'remove' | 'news' | 'poolHashes' | 'wake'>

/** A pool of waiting transactions that several processes keep together. */
export type SharedMempool = Mempool & {
  /** Answers once every process can see the transaction; without that it is taken back. */
  readonly post: (transaction: Transaction, hash: Hash) => Promise<'added' | 'already in pool'>
  /** Takes what a macroblock calculated; storing the macroblock removed it for everybody. */
  readonly settle: (hashes: Iterable<Hash>) => void
  /** Writes what waits to be written. @throws whatever the store throws; the next flush tries again */
  readonly flush: () => Promise<void>
  /** Reads what others wrote. */
  readonly sync: (seen: { readonly size: number; readonly newest: bigint }) => Promise<void>
}

/**
 * The pool itself is in memory, as on the public network; every process has a copy. What one adds or removes is
 * written behind its back.
 */
export function createSharedMempool(local: Mempool, shared: SharedPool): SharedMempool {
  const unwritten = new Map<Hash, Transaction>()
  const unremoved = new Set<Hash>()
  let newest = 0n
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    if (unwritten.size === 0 && unremoved.size === 0) return
    const added = Array.from(unwritten, ([hash, transaction]) => ({ hash, transaction }))
    const removed = [...unremoved]
    await shared.post(added)
    // What was calculated in the meantime was removed before it was there, and would be mined a second time.
    const settled = added.map(({ hash }) => hash).filter((hash) => !unwritten.has(hash))
    await shared.remove([...removed, ...settled])
    for (const { hash } of added) unwritten.delete(hash)
    for (const hash of removed) unremoved.delete(hash)
    void shared.wake()
  }
  const flush = (): Promise<void> => {
    const done = writing.then(write)
    writing = done.catch(() => {})
    return done
  }
  const flushSoon = (): void => void flush().catch(() => {})

  function add(transaction: Transaction, hash: Hash): 'added' | 'already in pool' {
    const outcome = local.add(transaction, hash)
    if (outcome === 'added') {
      unwritten.set(hash, transaction)
      unremoved.delete(hash)
    }
    return outcome
  }
  function settle(hashes: Iterable<Hash>): void {
    const all = [...hashes]
    for (const hash of all) unwritten.delete(hash)
    local.remove(all)
  }
  /** What is here and not there, and the other way round. */
  async function compare(): Promise<void> {
    const there = new Set(await shared.poolHashes())
    const gone = local.entries().filter(({ hash }) => !there.has(hash) && !unwritten.has(hash))
    local.remove(gone.map(({ hash }) => hash))
    if ([...there].some((hash) => local.get(hash) === undefined && !unremoved.has(hash))) await read(0n)
  }
  async function read(after: bigint): Promise<void> {
    const news = await shared.news(after)
    for (const { hash, transaction } of news.added) if (!unremoved.has(hash)) local.add(transaction, hash)
    newest = news.newest > newest ? news.newest : newest
  }
  return {
    get: local.get,
    ofAccount: local.ofAccount,
    get size() {
      return local.size
    },
    take: local.take,
    countWaiting: local.countWaiting,
    markOffered: local.markOffered,
    entries: local.entries,
    setAside: local.setAside,
    add(transaction, hash) {
      const outcome = add(transaction, hash)
      if (outcome === 'added') flushSoon()
      return outcome
    },
    remove(hashes) {
      const all = [...hashes]
      settle(all)
      for (const hash of all) unremoved.add(hash)
      if (all.length > 0) flushSoon()
    },
    settle,
    async post(transaction, hash) {
      const outcome = add(transaction, hash)
      // Somebody else's copy may still be on its way.
      if (outcome === 'added' || unwritten.has(hash)) {
        try {
          await flush()
        } catch (error) {
          unwritten.delete(hash)
          local.remove([hash])
          throw error instanceof NodeError
            ? error
            : hostError('STORE_UNREACHABLE', { reason: reasonOf(error) })
        }
      }
      return outcome
    },
    flush,
    async sync(seen) {
      await flush()
      if (seen.newest > newest) await read(newest)
      if (local.size !== seen.size) await compare()
    },
  }
}
