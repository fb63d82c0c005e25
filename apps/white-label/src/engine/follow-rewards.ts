import type { Client } from '@hailstone/client'
import type { Address, TokenId } from '@hailstone/mining-node'
import { createRewardReader } from '@hailstone/react'
import type { MinedTime } from './mined-time.ts'
import type { RecordMark, RewardExtent, RewardStore } from './reward-store.ts'

const DAY_MS = 86_400_000
/** The node has read the same page right before it reports a reward. */
const SHARED_MS = 3_000
/** Records on a page of the history. */
const PAGE_SIZE = 10
/** Records that are stored together when many are read. */
const BATCH = 100
/** Least time between two reports of a long reading, in ms. */
const REPORT_MS = 2_000
/** Reads one page of older records. */
const ONE_PAGE = Number.POSITIVE_INFINITY

/** Units earned in each period; null while the history was not read back that far. */
type RewardTotals = Readonly<Record<'today' | 'day' | 'week' | 'month' | 'all', bigint | null>>

/** The rewards as far as they are stored. */
export type RewardState = Pick<
  RewardExtent,
  'first' | 'end' | 'counts' | 'newestAtMs' | 'isComplete' | 'readBackToMs'
> & {
  /** True once something was read, now or in an earlier run. */
  readonly hasBegun: boolean
  readonly totals: RewardTotals
  /** Reason of the last failed reading; null if it succeeded. Rewards read before stay. */
  readonly why: string | null
}

/** Older rewards to read: at least `count`, or all back to a time in Unix milliseconds. */
export type OlderRewards = { readonly count: number } | { readonly backToMs: number }

/** Keeps the stored rewards of one account up to date. */
export type RewardFollower = {
  readonly state: () => RewardState
  /** Reads new rewards. `mayShrink`: the node has said that rewards were reverted. */
  readonly refresh: (mayShrink?: boolean) => Promise<void>
  readonly readOlder: (older: OlderRewards) => Promise<void>
  /** Computes the totals again, which change with the time alone, and keeps the time of mining since the last call. */
  readonly recount: (minedTime: MinedTime | null) => Promise<void>
  readonly clear: () => Promise<void>
  readonly close: () => Promise<void>
}

type Line = Awaited<ReturnType<Client['getRewards']>>['records'][number]

const marksOf = (lines: readonly Line[]): readonly RecordMark[] =>
  lines.map(({ index, hash }) => ({ index, hash }))

const countOf = ({ first, end }: RewardExtent): number => end - first

async function totalsOf(store: RewardStore): Promise<RewardTotals> {
  const now = Date.now()
  const [today, day, week, month, all] = await Promise.all(
    [new Date(now).setHours(0, 0, 0, 0), now - DAY_MS, now - 7 * DAY_MS, now - 30 * DAY_MS, 0].map(
      store.totalSince,
    ),
  )
  return {
    today: today ?? null,
    day: day ?? null,
    week: week ?? null,
    month: month ?? null,
    all: all ?? null,
  }
}

/** Reads the history of an account into a store, page by page. What was stored in an earlier run is not read again. */
export async function followRewards(parameters: {
  readonly store: RewardStore
  readonly client: Client
  readonly address: Address
  readonly tokenId: TokenId
  /** True for the native token, in which rewards other than for microblocks are paid. */
  readonly isNative: boolean
  readonly onChange: () => void
}): Promise<RewardFollower> {
  const { store, client, address, onChange } = parameters
  let extent = await store.extent()
  let totals = await totalsOf(store)
  let why: string | null = null
  let isClosed = false
  let queue: Promise<void> = Promise.resolve()

  const { getToken, getRewards, getMicroblock } = client
  /** No view shows the height of a reward, which costs a request for each. */
  const withoutHeights = { getToken, getRewards, getMicroblock }
  /** A reader keeps the microblocks that it has read: each part of a long history gets its own. */
  const rowsOf = (lines: readonly Line[]) =>
    createRewardReader({ ...parameters, client: withoutHeights })(lines)
  const pageOf = (page: number) => client.getRewards({ address, page, maxAgeMs: SHARED_MS })

  let reportedAtMs = 0
  async function changed(): Promise<void> {
    reportedAtMs = Date.now()
    extent = await store.extent()
    totals = await totalsOf(store)
    onChange()
  }

  /** Runs readings one after another. `read` returns true if the history answered, which ends an earlier error. */
  function inTurn(read: () => Promise<boolean>): Promise<void> {
    queue = queue.then(async () => {
      if (isClosed) return
      try {
        if (await read()) why = null
      } catch (error) {
        why = error instanceof Error ? error.message : String(error)
      }
      if (!isClosed) await changed()
    })
    return queue
  }

  /** Returns the next older records, of at least one page, at most `BATCH`, until they reach a time. */
  async function nextOlder(backToMs: number) {
    const { recent, records, oldestIndex } = extent
    const lines: Line[] = []
    let isLast = false
    // Records that came since the last reading have moved older ones to later pages.
    for (let page = Math.floor(records / PAGE_SIZE); !isClosed && !isLast; page++) {
      const answer = await pageOf(page)
      const below = lines.at(-1)?.index ?? (recent.length === 0 ? Number.POSITIVE_INFINITY : oldestIndex)
      lines.push(...answer.records.filter(({ index }) => index < below))
      isLast = answer.isLast
      const last = lines.at(-1)
      if (last !== undefined && (lines.length >= BATCH || last.time * 1000 < backToMs)) break
    }
    return { lines, isLast }
  }

  async function readOlderRecords(backToMs: number): Promise<void> {
    const { lines, isLast } = await nextOlder(backToMs)
    if (isClosed) return
    const oldestAtMs = lines.at(-1)?.time
    await store.prepend({
      rows: await rowsOf(lines),
      marks: marksOf(lines),
      oldestAtMs: oldestAtMs === undefined ? null : oldestAtMs * 1000,
      isLast,
    })
    if (Date.now() - reportedAtMs < REPORT_MS) extent = await store.extent()
    else await changed()
  }

  /** Reads from the newest record down to one that is known. Undefined if the history has none of those. */
  async function readDownToKnown() {
    const { recent } = extent
    const lowest = recent.at(-1)?.index ?? -1
    const isKnown = (line: Line): boolean =>
      recent.some(({ index, hash }) => index === line.index && hash === line.hash)
    const fresh: Line[] = []
    for (let page = 0; !isClosed; page++) {
      const { records, isLast } = await pageOf(page)
      for (const line of records) {
        if (isKnown(line)) return { fresh, known: line.index }
        if (line.index < lowest) return undefined
        if (line.index < (fresh.at(-1)?.index ?? Number.POSITIVE_INFINITY)) fresh.push(line)
      }
      if (isLast) return undefined
    }
    return undefined
  }

  async function readNewer(mayShrink: boolean): Promise<void> {
    const found = await readDownToKnown()
    if (isClosed) return
    if (found === undefined) {
      // The history of another chain: a local network that began anew, or a fork deeper than what is remembered.
      await store.clear()
      extent = await store.extent()
      return readOlderRecords(ONE_PAGE)
    }
    const { fresh, known } = found
    const newest = extent.recent[0]?.index ?? -1
    if (fresh.length === 0) {
      // A server that shows less than before may be behind. The node knows whether rewards were reverted.
      if (known < newest && mayShrink) await store.append({ rows: [], marks: [], sinceIndex: known })
      return
    }
    // Oldest first, so that an interrupted reading leaves no gap.
    let sinceIndex = known
    for (let end = fresh.length; end > 0 && !isClosed; end -= BATCH) {
      const lines = fresh.slice(Math.max(0, end - BATCH), end)
      await store.append({ rows: await rowsOf(lines), marks: marksOf(lines), sinceIndex })
      sinceIndex = lines[0]?.index ?? sinceIndex
    }
  }

  async function refreshOnce(mayShrink: boolean): Promise<boolean> {
    if (extent.recent.length === 0) await readOlderRecords(ONE_PAGE)
    else await readNewer(mayShrink)
    return true
  }

  let keptMinedMs = 0
  let keptAtMs = Date.now()

  /** Stores what was added to the time of mining, which begins at zero with each start: never more than has passed. */
  async function keepMinedTime(minedMs: number): Promise<void> {
    const now = Date.now()
    const added = minedMs < keptMinedMs ? minedMs : minedMs - keptMinedMs
    const passed = Math.max(0, now - keptAtMs)
    keptMinedMs = minedMs
    keptAtMs = now
    if (added > 0) await store.addMinedTime(Math.min(added, passed), now)
  }

  const isEnough = (older: OlderRewards, before: number): boolean =>
    extent.isComplete ||
    ('count' in older
      ? countOf(extent) >= before + older.count
      : extent.readBackToMs !== null && extent.readBackToMs < older.backToMs)

  return {
    state: () => ({
      first: extent.first,
      end: extent.end,
      counts: extent.counts,
      newestAtMs: extent.newestAtMs,
      isComplete: extent.isComplete,
      readBackToMs: extent.readBackToMs,
      hasBegun: extent.readBackToMs !== null,
      totals,
      why,
    }),
    refresh: (mayShrink = false) => inTurn(() => refreshOnce(mayShrink)),
    readOlder: (older) =>
      inTurn(async () => {
        const before = countOf(extent)
        const backToMs = 'count' in older ? ONE_PAGE : older.backToMs
        let hasRead = false
        while (!isClosed && !isEnough(older, before)) {
          await readOlderRecords(backToMs)
          hasRead = true
        }
        return hasRead
      }),
    recount: async (minedTime) => {
      await keepMinedTime(minedTime?.minedMs ?? 0)
      const before = totals
      totals = await totalsOf(store)
      const names = Object.keys(totals) as (keyof RewardTotals)[]
      if (names.some((name) => totals[name] !== before[name])) onChange()
    },
    clear: () =>
      inTurn(async () => {
        await store.clear()
        extent = await store.extent()
        await readOlderRecords(ONE_PAGE)
        return true
      }),
    close: async () => {
      isClosed = true
      await queue
      store.close()
    },
  }
}
