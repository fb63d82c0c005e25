import type { RewardLine, RewardRow } from '@hailstone/react'
import type { MinedDay } from '../app/earnings-pace.ts'
import { addToDay, fullDays, type MinedTimes, minedWithin } from './mined-days.ts'
import { connectStores } from './storage.ts'

export type RewardRole = RewardRow['role']

/** A reward as it is stored. */
type StoredReward = RewardRow & {
  /** Place in the list: consecutive, grows with the running number. */
  readonly place: number
  /** Sum of all rewards below this place, in units, relative to the first reward that was stored. */
  readonly sumBefore: bigint
}

/** The part of the history that is stored, without gaps. */
export type RewardExtent = {
  /** Places of the stored rewards, from `first` on and below `end`. */
  readonly first: number
  readonly end: number
  /** Sums of units before the oldest and after the newest reward; their difference is the total. */
  readonly sumFirst: bigint
  readonly sumEnd: bigint
  readonly counts: Readonly<Partial<Record<RewardRole, number>>>
  /** Newest records that were read, newest first, other tokens included. */
  readonly recent: readonly RewardLine[]
  readonly newestAtMs: number | null
  /** The oldest record that was read, other tokens included; null if none was. */
  readonly bottom: RewardLine | null
  /** Records that were read, other tokens included. */
  readonly records: number
  /** True if there are no older records. */
  readonly isComplete: boolean
  /** All rewards after this time are stored. Unix milliseconds; null before the first reading. */
  readonly readBackToMs: number | null
}

export const EMPTY_EXTENT: RewardExtent = {
  first: 0,
  end: 0,
  sumFirst: 0n,
  sumEnd: 0n,
  counts: {},
  recent: [],
  newestAtMs: null,
  bottom: null,
  records: 0,
  isComplete: false,
  readBackToMs: null,
}

/** Part of the list of one role; `from` counts from the oldest reward. */
export type RewardRange = {
  readonly role: RewardRole | 'all'
  readonly from: number
  readonly count: number
}

/**
 * Rewards of one account in one token, in a database of their own. Each has the sum of those below it, so that any
 * total is a difference of two sums and costs the same with ten rewards and with a hundred thousand.
 */
export type RewardStore = {
  readonly extent: () => Promise<RewardExtent>
  /** Stores the rewards of new records in place of those after `sinceIndex`. Both lists are newest first. */
  readonly append: (part: {
    readonly rows: readonly RewardRow[]
    readonly lines: readonly RewardLine[]
    readonly sinceIndex: number
  }) => Promise<void>
  /** Stores the rewards of older records, newest first. `isLast`: none is older. */
  readonly prepend: (part: {
    readonly rows: readonly RewardRow[]
    readonly lines: readonly RewardLine[]
    readonly isLast: boolean
  }) => Promise<void>
  /** Returns the units earned since a time; null if the history is not stored back that far. */
  readonly totalSince: (sinceMs: number) => Promise<bigint | null>
  /** Returns the units earned before each of these times, relative to each other. */
  readonly sumsBefore: (timesMs: readonly number[]) => Promise<readonly bigint[]>
  /** Returns rewards of a range, oldest first. */
  readonly range: (range: RewardRange) => Promise<readonly RewardRow[]>
  readonly byIndex: (index: number) => Promise<RewardRow | undefined>
  /** Adds time in which this device mined to the local day of a time. Both in ms. */
  readonly addMinedTime: (minedMs: number, atMs: number) => Promise<void>
  /** Returns the last 14 full local days before a time that were mined in and whose rewards are stored, newest first. */
  readonly minedDays: (nowMs: number) => Promise<readonly MinedDay[]>
  /** Removes the rewards. The time of mining stays: nobody could tell it again. */
  readonly clear: () => Promise<void>
  readonly close: () => void
}

const ROWS = 'rows'
const EXTENT = 'extent'
/** The mined times, beside the extent. */
const MINED = 'mined'
/** Records that are kept to recognise the history at the next reading. */
const MAX_RECENT = 20

const answerOf = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })

function createStores(database: IDBDatabase): void {
  const rows = database.createObjectStore(ROWS, { keyPath: 'place' })
  rows.createIndex('index', 'index')
  rows.createIndex('time', 'timeMs')
  rows.createIndex('role', ['role', 'place'])
  database.createObjectStore(EXTENT)
}

/** True for rewards of blocks that the account itself published. */
const isOwn = ({ role }: RewardRow): boolean => role === 'miner' || role === 'referral'

const addCount = (counts: RewardExtent['counts'], role: RewardRole, change: number) => ({
  ...counts,
  [role]: (counts[role] ?? 0) + change,
})

const extentIn = async (extents: IDBObjectStore): Promise<RewardExtent> =>
  (await answerOf<RewardExtent | undefined>(extents.get(EXTENT))) ?? EMPTY_EXTENT

/** Removes the rewards after a running number. */
async function cut(rows: IDBObjectStore, extent: RewardExtent, sinceIndex: number): Promise<RewardExtent> {
  const later = IDBKeyRange.lowerBound(sinceIndex, true)
  const lost: readonly StoredReward[] = await answerOf(rows.index('index').getAll(later))
  const recent = extent.recent.filter(({ index }) => index <= sinceIndex)
  const records = extent.records - (extent.recent.length - recent.length)
  const [lowest] = lost
  if (lowest === undefined) return { ...extent, recent, records }
  rows.delete(IDBKeyRange.lowerBound(lowest.place))
  const counts = lost.reduce((left, { role }) => addCount(left, role, -1), extent.counts)
  return { ...extent, recent, records, counts, end: lowest.place, sumEnd: lowest.sumBefore }
}

/** Returns the sum of all rewards before a time. */
async function sumBefore(rows: IDBObjectStore, extent: RewardExtent, timeMs: number): Promise<bigint> {
  const earlier = IDBKeyRange.upperBound(timeMs, true)
  const found = await answerOf(rows.index('time').openCursor(earlier, 'prev'))
  if (found === null) return extent.sumFirst
  const { sumBefore: below, amount } = found.value as StoredReward
  return below + amount
}

type InTransaction = <T>(
  mode: IDBTransactionMode,
  act: (rows: IDBObjectStore, extents: IDBObjectStore) => Promise<T>,
) => Promise<T>

const writeCalls = (
  inTransaction: InTransaction,
): Pick<RewardStore, 'append' | 'prepend' | 'addMinedTime' | 'clear'> => ({
  append: ({ rows: added, lines, sinceIndex }) =>
    inTransaction('readwrite', async (rows, extents) => {
      let extent = await cut(rows, await extentIn(extents), sinceIndex)
      for (const row of [...added].reverse()) {
        rows.put({ ...row, place: extent.end, sumBefore: extent.sumEnd } satisfies StoredReward)
        const counts = addCount(extent.counts, row.role, 1)
        extent = { ...extent, counts, end: extent.end + 1, sumEnd: extent.sumEnd + row.amount }
      }
      const newest = await answerOf<RewardRow | undefined>(rows.get(extent.end - 1))
      extents.put(
        {
          ...extent,
          recent: [...lines, ...extent.recent].slice(0, MAX_RECENT),
          records: extent.records + lines.length,
          newestAtMs: newest?.timeMs ?? null,
        } satisfies RewardExtent,
        EXTENT,
      )
    }),
  prepend: ({ rows: added, lines, isLast }) =>
    inTransaction('readwrite', async (rows, extents) => {
      let extent = await extentIn(extents)
      for (const row of added) {
        const [place, sum] = [extent.first - 1, extent.sumFirst - row.amount]
        rows.put({ ...row, place, sumBefore: sum } satisfies StoredReward)
        extent = { ...extent, counts: addCount(extent.counts, row.role, 1), first: place, sumFirst: sum }
      }
      const bottom = lines.at(-1) ?? extent.bottom
      extents.put(
        {
          ...extent,
          recent: [...extent.recent, ...lines].slice(0, MAX_RECENT),
          records: extent.records + lines.length,
          newestAtMs: extent.newestAtMs ?? added[0]?.timeMs ?? null,
          bottom,
          isComplete: isLast,
          readBackToMs: isLast ? 0 : bottom && bottom.time * 1000,
        } satisfies RewardExtent,
        EXTENT,
      )
    }),
  addMinedTime: (minedMs, atMs) =>
    inTransaction('readwrite', async (_, extents) => {
      const before = (await answerOf<MinedTimes | undefined>(extents.get(MINED))) ?? {}
      extents.put(addToDay(before, minedMs, atMs), MINED)
    }),
  clear: () =>
    inTransaction('readwrite', async (rows, extents) => {
      rows.clear()
      extents.delete(EXTENT)
    }),
})

const readCalls = (
  inTransaction: InTransaction,
): Omit<RewardStore, keyof ReturnType<typeof writeCalls> | 'close'> => ({
  extent: () => inTransaction('readonly', (_, extents) => extentIn(extents)),
  totalSince: (sinceMs) =>
    inTransaction('readonly', async (rows, extents) => {
      const extent = await extentIn(extents)
      const { readBackToMs, isComplete, sumEnd } = extent
      if (!isComplete && (readBackToMs === null || readBackToMs >= sinceMs)) return null
      return sumEnd - (await sumBefore(rows, extent, sinceMs))
    }),
  sumsBefore: (timesMs) =>
    inTransaction('readonly', async (rows, extents) => {
      const extent = await extentIn(extents)
      return Promise.all(timesMs.map((timeMs) => sumBefore(rows, extent, timeMs)))
    }),
  range: ({ role, from, count }) =>
    inTransaction('readonly', async (rows, extents) => {
      if (role !== 'all') return ofRole(rows, role, from, count)
      const lowest = (await extentIn(extents)).first + from
      return answerOf<RewardRow[]>(rows.getAll(IDBKeyRange.bound(lowest, lowest + count - 1)))
    }),
  byIndex: (index) =>
    inTransaction('readonly', (rows) => answerOf<RewardRow | undefined>(rows.index('index').get(index))),
  minedDays: (nowMs) =>
    inTransaction('readonly', async (rows, extents) => {
      const mined = (await answerOf<MinedTimes | undefined>(extents.get(MINED))) ?? {}
      const { isComplete, readBackToMs } = await extentIn(extents)
      const isStored = (startMs: number): boolean =>
        isComplete || (readBackToMs !== null && readBackToMs < startMs)
      const days = fullDays(nowMs).filter((day) => minedWithin(mined, day) > 0 && isStored(day.startMs))
      return Promise.all(
        days.map(async (day) => {
          const { startMs, endMs } = day
          const ofDay = IDBKeyRange.bound(startMs, endMs, false, true)
          const earned = await answerOf<RewardRow[]>(rows.index('time').getAll(ofDay))
          const units = earned.filter(isOwn).reduce((sum, { amount }) => sum + amount, 0n)
          return { startMs, minutes: minedWithin(mined, day) / 60_000, units }
        }),
      )
    }),
})

/** @param name database name, unique per brand, account and token */
export async function openRewardStore(name: string): Promise<RewardStore> {
  const { use, close } = await connectStores(name, createStores)

  const inTransaction: InTransaction = (mode, act) =>
    use(async (database) => {
      const transaction = database.transaction([ROWS, EXTENT], mode)
      const ended = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error)
      })
      const [value] = await Promise.all([
        act(transaction.objectStore(ROWS), transaction.objectStore(EXTENT)),
        ended,
      ])
      return value
    })
  return { ...readCalls(inTransaction), ...writeCalls(inTransaction), close }
}

/** Returns `count` rewards of a role, oldest first, after `from` older ones. */
function ofRole(
  rows: IDBObjectStore,
  role: RewardRole,
  from: number,
  count: number,
): Promise<readonly RewardRow[]> {
  return new Promise((resolve, reject) => {
    const found: RewardRow[] = []
    const all = IDBKeyRange.bound([role, Number.NEGATIVE_INFINITY], [role, Number.POSITIVE_INFINITY])
    const asked = rows.index('role').openCursor(all)
    let isThere = from === 0
    asked.onerror = () => reject(asked.error)
    asked.onsuccess = () => {
      const cursor = asked.result
      if (cursor === null) return resolve(found)
      if (!isThere) {
        isThere = true
        return cursor.advance(from)
      }
      found.push(cursor.value as RewardRow)
      if (found.length === count) return resolve(found)
      cursor.continue()
    }
  })
}
