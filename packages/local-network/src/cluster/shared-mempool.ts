import { type Hash, hostError, NodeError, type Transaction } from '@hailstone/protocol'
import type { AddOutcome, BoundedMempool, Mempool } from '../chain/mempool.ts'
import type { PoolRefusal } from '../chain/pool-limits.ts'
import { REPLAYED } from '../chain/sender-lanes.ts'
import { reasonOf } from '../logger.ts'
import type { SharedStore } from '../store/index.ts'
import { within } from '../within.ts'

type SharedPool = Pick<
  SharedStore,
  'post' | 'confirm' | 'remove' | 'refile' | 'news' | 'contents' | 'poolHashes' | 'wake'
>

/** A pool of waiting transactions that several processes keep together. */
export type SharedMempool = Mempool & {
  /**
   * Answers once every process can see the transaction; without that it is taken back. Quotas hold over all processes.
   * A database that says nothing for some seconds may take it nevertheless, and it stays in the pool. One that is there
   * already is answered once a standby has it, where one is required.
   *
   * @throws {NodeError} `STORE_UNREACHABLE`, `STORE_NOT_REPLICATED`
   */
  readonly post: (transaction: Transaction, hash: Hash) => Promise<AddOutcome | PoolRefusal>
  /** Takes what a macroblock calculated; storing the macroblock removed it for everybody. */
  readonly settle: (hashes: Iterable<Hash>) => void
  /** Files transactions that were calculated before under a sender of their own, at every process. */
  readonly markReplayed: (hashes: readonly Hash[]) => void
  /** Removes the cheapest transactions beyond the cap at every process; for the leader, so that only one does it. */
  readonly trim: () => void
  /** Writes what waits to be written. @throws whatever the store throws; the next flush tries again */
  readonly flush: () => Promise<void>
  /** Reads what others wrote. */
  readonly sync: (seen: { readonly size: number; readonly newest: bigint }) => Promise<void>
}

/**
 * Several that wait to be written are joined by those that come meanwhile, as long as some come: what a statement of the
 * database costs depends little on what is in it.
 */
const GATHER_STEP_MS = 2
const MAX_GATHER_MS = 20

/** While transactions are posted here, sizes differ without a reason; the pools are compared at this interval, in ms. */
const COMPARE_MS = 2000

/** Longest wait for the database to answer a post, in ms. Whoever waits holds one of the few turns of the interface. */
const LONGEST_POST_MS = 5000

const SILENT = hostError('STORE_UNREACHABLE', { reason: 'what was posted is not confirmed' })

/** @throws `SILENT` after the time */
const withinLimit = (written: Promise<void>): Promise<void> =>
  within(LONGEST_POST_MS, written, () => Promise.reject(SILENT))

const failureOf = (error: unknown): NodeError =>
  error instanceof NodeError ? error : hostError('STORE_UNREACHABLE', { reason: reasonOf(error) })

/** A transaction on its way to the database, and what became of it. */
type Unwritten = {
  readonly transaction: Transaction
  /** Limit of the sender; null for the network's own. */
  readonly limit: number | null
  /**
   * Set when the sender turned out to have too many waiting, or the database refused. Every post that waits for this
   * entry reads it here: the transaction is nowhere then, so none of them may hear that it is in the pool.
   */
  refusedFor: 'quota' | NodeError | null
}

/** Questions to the database, one after the other. */
function createQuestions() {
  let last: Promise<void> = Promise.resolve()
  let askedAtMs: number | null = null
  return {
    /** True while the database has not answered one for too long. */
    isOverdue: (): boolean => askedAtMs !== null && performance.now() - askedAtMs > LONGEST_POST_MS,
    ask(question: () => Promise<void>): Promise<void> {
      const done = last.then(async () => {
        askedAtMs = performance.now()
        await question().finally(() => {
          askedAtMs = null
        })
      })
      last = done.catch(() => {})
      return done
    },
  }
}

const createState = (local: BoundedMempool, shared: SharedPool) => ({
  ...{ local, shared },
  unwritten: new Map<Hash, Unwritten>(),
  unremoved: new Set<Hash>(),
  unfiled: new Set<Hash>(),
  /** Number of the newest one that was read. */
  newest: 0n,
  hasPosted: false,
  areManyPosted: false,
  comparedAtMs: Number.NEGATIVE_INFINITY,
  writes: createQuestions(),
  confirmations: createQuestions(),
  nextConfirmation: null as Promise<void> | null,
})

type State = ReturnType<typeof createState>

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function gather({ unwritten }: State): Promise<void> {
  const endsAt = performance.now() + MAX_GATHER_MS
  for (let known = 0; unwritten.size > known && performance.now() < endsAt; ) {
    known = unwritten.size
    await pause(GATHER_STEP_MS)
  }
}

async function write(state: State): Promise<void> {
  const { local, shared, unwritten, unremoved, unfiled } = state
  if (unwritten.size + unremoved.size + unfiled.size === 0) return
  if (unwritten.size > 1 || state.areManyPosted) await gather(state)
  state.areManyPosted = unwritten.size > 1
  const entries = [...unwritten]
  const added = entries.map(([hash, { transaction, limit }]) => ({
    ...{ hash, transaction, limit },
    sender: local.quota(hash)?.sender ?? transaction.from,
  }))
  const removed = [...unremoved]
  const refiled = [...unfiled]
  const refused = added.length === 0 ? [] : await shared.post(added)
  // What was calculated in the meantime was removed before it was there, and would be mined a second time.
  const settled = added.map(({ hash }) => hash).filter((hash) => !unwritten.has(hash))
  if (removed.length + settled.length > 0) await shared.remove([...removed, ...settled])
  if (refiled.length > 0) await shared.refile(refiled, REPLAYED)
  // One that was posted again after it was taken back has an entry of its own, which the next write takes.
  for (const [hash, entry] of entries) if (unwritten.get(hash) === entry) unwritten.delete(hash)
  for (const hash of removed) unremoved.delete(hash)
  for (const hash of refiled) unfiled.delete(hash)
  const isRefused = new Set(refused)
  for (const [hash, entry] of entries) if (isRefused.has(hash)) entry.refusedFor = 'quota'
  local.remove(refused.filter((hash) => !unwritten.has(hash)))
  void shared.wake()
}

const flush = (state: State): Promise<void> => state.writes.ask(() => write(state))
const flushSoon = (state: State): void => void flush(state).catch(() => {})

/** Begins after the call, so that it covers what is in the pool then; calls that come while another one runs share it. */
function confirm(state: State): Promise<void> {
  state.nextConfirmation ??= state.confirmations.ask(() => {
    state.nextConfirmation = null
    return state.shared.confirm()
  })
  return state.nextConfirmation
}

function noteAdded(state: State, transaction: Transaction, hash: Hash, limit: number | null): void {
  state.unwritten.set(hash, { transaction, limit, refusedFor: null })
  state.hasPosted = true
  state.unremoved.delete(hash)
}

/** Takes back what could not be written, for all that posted it and wait. */
function takeBack({ local, unwritten }: State, hash: Hash, entry: Unwritten, failure: NodeError): void {
  // An earlier write may have taken it, or a macroblock may have it.
  if (unwritten.get(hash) !== entry) return
  entry.refusedFor = failure
  unwritten.delete(hash)
  local.remove([hash])
}

function settle({ local, unwritten }: State, hashes: readonly Hash[]): void {
  for (const hash of hashes) unwritten.delete(hash)
  local.remove(hashes)
}

async function read(state: State, after: bigint): Promise<void> {
  const { local, shared, unremoved } = state
  const news = await shared.news(after)
  const unknown = news.added.filter(({ hash }) => local.get(hash) === undefined && !unremoved.has(hash))
  const contents = unknown.length === 0 ? null : await shared.contents(unknown.map(({ hash }) => hash))
  for (const { hash, ageMs } of unknown) {
    const transaction = contents?.get(hash)
    if (transaction !== undefined && !unremoved.has(hash)) local.adopt(transaction, hash, ageMs)
  }
  local.markReplayed(news.added.filter(({ sender }) => sender === REPLAYED).map(({ hash }) => hash))
  if (news.newest > state.newest) state.newest = news.newest
}

/** Compares both pools, and adds what either lacks. */
async function compare(state: State): Promise<void> {
  const { local, shared, unwritten, unremoved } = state
  state.comparedAtMs = performance.now()
  const there = new Set(await shared.poolHashes())
  const gone = local.entries().filter(({ hash }) => !there.has(hash) && !unwritten.has(hash))
  local.remove(gone.map(({ hash }) => hash))
  if ([...there].some((hash) => local.get(hash) === undefined && !unremoved.has(hash))) await read(state, 0n)
}

/** Waits until the database has an entry that is on its way. @throws {NodeError} why it has not */
async function written(state: State, hash: Hash, entry: Unwritten): Promise<void> {
  try {
    await withinLimit(flush(state))
  } catch (error) {
    if (error === SILENT) throw error
    const failure = failureOf(error)
    takeBack(state, hash, entry, failure)
    throw failure
  }
  if (entry.refusedFor instanceof NodeError) throw entry.refusedFor
}

async function post(state: State, transaction: Transaction, hash: Hash): Promise<AddOutcome | PoolRefusal> {
  const { local, unwritten, writes, confirmations } = state
  if (writes.isOverdue()) throw SILENT
  const outcome = local.post(transaction, hash)
  if (typeof outcome !== 'string') return outcome
  const { limit } = local.quota(hash) ?? { limit: 0 }
  if (outcome === 'added') noteAdded(state, transaction, hash, limit)
  const entry = unwritten.get(hash)
  if (entry !== undefined) {
    // This copy or an earlier one is still on its way.
    await written(state, hash, entry)
    return entry.refusedFor === 'quota' ? { kind: 'senderFull', limit } : outcome
  }
  // Whoever posted it first may have been told that it does not count.
  if (confirmations.isOverdue()) throw SILENT
  await withinLimit(confirm(state)).catch((error: unknown) => {
    throw failureOf(error)
  })
  return outcome
}

/**
 * The pool itself is in memory, as on the public network; every process has a copy. What one adds or removes is
 * written behind its back.
 */
export function createSharedMempool(local: BoundedMempool, shared: SharedPool): SharedMempool {
  const state = createState(local, shared)
  const { unremoved, unfiled } = state
  local.onDropped((hash) => {
    state.unwritten.delete(hash)
    unremoved.add(hash)
    flushSoon(state)
  })
  return {
    ...local,
    get size() {
      return local.size
    },
    add(transaction, hash) {
      const outcome = local.add(transaction, hash)
      if (outcome !== 'added') return outcome
      noteAdded(state, transaction, hash, null)
      flushSoon(state)
      return outcome
    },
    markReplayed(hashes) {
      local.markReplayed(hashes)
      for (const hash of hashes) if (!unremoved.has(hash)) unfiled.add(hash)
      if (hashes.length > 0) flushSoon(state)
    },
    remove(hashes) {
      const all = [...hashes]
      settle(state, all)
      for (const hash of all) unremoved.add(hash)
      if (all.length > 0) flushSoon(state)
    },
    settle: (hashes) => settle(state, [...hashes]),
    post: (transaction, hash) => post(state, transaction, hash),
    flush: () => flush(state),
    async sync(seen) {
      await flush(state)
      if (seen.newest > state.newest) await read(state, state.newest)
      const isDue = !state.hasPosted || performance.now() - state.comparedAtMs > COMPARE_MS
      state.hasPosted = false
      if (isDue && local.size !== seen.size) await compare(state)
    },
  }
}
