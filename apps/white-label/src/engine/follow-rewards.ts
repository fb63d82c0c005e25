import type { Client } from '@hailstone/client'
import type { Address, TokenId } from '@hailstone/mining-node'
import { createRewardReader } from '@hailstone/react'
import { type Claim, isProved, type Proof, repeated } from '@hailstone/runtime'
import type { MinedTime } from './mined-time.ts'
import type { RecordMark, RewardExtent, RewardStore } from './reward-store.ts'

const DAY_MS = 86_400_000
/** The node has read the same page right before. */
const SHARED_MS = 3_000
/** Records on a page of the history. */
const PAGE_SIZE = 10
/** Records that are stored together when many are read. */
const BATCH = 100
/** Least time between two reports of a long reading, in ms. */
const REPORT_MS = 2_000
/** Answers in a row that end at the same older record, before the newer ones count as reverted although no event said so. */
const REVERTED: Proof = { answers: 4, overMs: 60_000 }
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
  /**
   * Reads new rewards, and those of the last day where they are missing; called after each reading of the node. `mayShrink`:
   * the node has reported that rewards were reverted.
   */
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

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type FollowedRewards = {
  readonly store: RewardStore
  readonly client: Pick<Client, 'getToken' | 'getRewards' | 'getMicroblock'>
  readonly address: Address
  readonly tokenId: TokenId
  /** True for the native token, in which rewards other than for microblocks are paid. */
  readonly isNative: boolean
  readonly onChange: () => void
}

/** One history while it is read: what is stored of it, and how the reading goes. */
class Rewards implements RewardFollower {
  readonly #given: FollowedRewards
  #extent: RewardExtent
  #totals: RewardTotals
  #why: string | null = null
  #isClosed = false
  #queue: Promise<void> = Promise.resolve()
  /** That the history ends at an older record than before. */
  #lacking: { readonly newest: number; readonly claim: Claim } | null = null
  #reportedAtMs = 0
  #keptMinedMs = 0
  #keptAtMs = Date.now()

  constructor(given: FollowedRewards, extent: RewardExtent, totals: RewardTotals) {
    this.#given = given
    this.#extent = extent
    this.#totals = totals
  }

  /** A reader keeps the microblocks that it has read: each part of a long history gets its own. */
  #rowsOf(lines: readonly Line[]) {
    // No view shows the height of a reward, which costs a request for each.
    const { getToken, getRewards, getMicroblock } = this.#given.client
    return createRewardReader({ ...this.#given, client: { getToken, getRewards, getMicroblock } })(lines)
  }

  #pageOf(page: number) {
    const { client, address } = this.#given
    return client.getRewards({ address, page, maxAgeMs: SHARED_MS })
  }

  async #changed(): Promise<void> {
    this.#reportedAtMs = Date.now()
    this.#extent = await this.#given.store.extent()
    this.#totals = await totalsOf(this.#given.store)
    this.#given.onChange()
  }

  /** Runs readings one after another. `read` returns true if the history answered, which ends an earlier error. */
  #inTurn(read: () => Promise<boolean>): Promise<void> {
    this.#queue = this.#queue.then(async () => {
      if (this.#isClosed) return
      try {
        if (await read()) this.#why = null
      } catch (error) {
        this.#why = textOf(error)
      }
      if (!this.#isClosed) await this.#fromStore(() => this.#changed())
    })
    return this.#queue
  }

  /** Reads what is stored, which the browser may delete at any time. */
  async #fromStore(read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      this.#why = textOf(error)
      this.#given.onChange()
    }
  }

  /** Returns the next older records, of at least one page, at most `BATCH`, until they reach a time. */
  async #nextOlder(backToMs: number) {
    const { recent, records, oldestIndex } = this.#extent
    const lines: Line[] = []
    let isLast = false
    // Records that came since the last reading have moved older ones to later pages.
    for (let page = Math.floor(records / PAGE_SIZE); !this.#isClosed && !isLast; page++) {
      const answer = await this.#pageOf(page)
      const below = lines.at(-1)?.index ?? (recent.length === 0 ? Number.POSITIVE_INFINITY : oldestIndex)
      lines.push(...answer.records.filter(({ index }) => index < below))
      isLast = answer.isLast
      const last = lines.at(-1)
      if (last !== undefined && (lines.length >= BATCH || last.time * 1000 < backToMs)) break
    }
    return { lines, isLast }
  }

  async #readOlderRecords(backToMs: number): Promise<void> {
    const { lines, isLast } = await this.#nextOlder(backToMs)
    if (this.#isClosed) return
    const oldestAtMs = lines.at(-1)?.time
    await this.#given.store.prepend({
      rows: await this.#rowsOf(lines),
      marks: marksOf(lines),
      oldestAtMs: oldestAtMs === undefined ? null : oldestAtMs * 1000,
      isLast,
    })
    if (Date.now() - this.#reportedAtMs < REPORT_MS) this.#extent = await this.#given.store.extent()
    else await this.#changed()
  }

  /** Reads from the newest record down to one that is known; -1 if the history has none of those. */
  async #readDownToKnown() {
    const { recent } = this.#extent
    const lowest = recent.at(-1)?.index ?? -1
    const isKnown = (line: Line): boolean =>
      recent.some(({ index, hash }) => index === line.index && hash === line.hash)
    const fresh: Line[] = []
    for (let page = 0; !this.#isClosed; page++) {
      const { records, isLast } = await this.#pageOf(page)
      for (const line of records) {
        if (isKnown(line)) return { fresh, known: line.index }
        if (line.index < lowest) return { fresh, known: -1 }
        if (line.index < (fresh.at(-1)?.index ?? Number.POSITIVE_INFINITY)) fresh.push(line)
      }
      if (isLast) break
    }
    return { fresh, known: -1 }
  }

  async #readNewer(mayShrink: boolean): Promise<void> {
    const { fresh, known } = await this.#readDownToKnown()
    if (this.#isClosed) return
    const newest = this.#extent.recent[0]?.index ?? -1
    const isLacking = fresh.length === 0 && known < newest
    const before = this.#lacking?.newest === known ? this.#lacking.claim : null
    const claim = repeated(before, { source: '', atMs: performance.now() })
    this.#lacking = isLacking ? { newest: known, claim } : null
    // A server that shows less than before may be behind, and one that starts shows nothing. The node reports reverted rewards,
    // except those from before it began.
    const isReported = mayShrink && known >= 0
    if (fresh.length === 0 && !(isLacking && (isReported || isProved(claim, REVERTED)))) return
    if (known < 0) {
      // The history of another chain: a local network that began anew, or a fork deeper than what is remembered.
      await this.#given.store.clear()
      this.#extent = await this.#given.store.extent()
      return this.#readOlderRecords(ONE_PAGE)
    }
    if (fresh.length === 0) return this.#given.store.append({ rows: [], marks: [], sinceIndex: known })
    // Oldest first, so that an interrupted reading leaves no gap.
    let sinceIndex = known
    for (let end = fresh.length; end > 0 && !this.#isClosed; end -= BATCH) {
      const lines = fresh.slice(Math.max(0, end - BATCH), end)
      await this.#given.store.append({ rows: await this.#rowsOf(lines), marks: marksOf(lines), sinceIndex })
      sinceIndex = lines[0]?.index ?? sinceIndex
    }
  }

  /** A history that was empty, or another one, may have begun with more than one page: the totals of a day need all of it. */
  async #refreshOnce(mayShrink: boolean): Promise<boolean> {
    if (this.#extent.recent.length === 0) await this.#readOlderRecords(ONE_PAGE)
    else await this.#readNewer(mayShrink)
    await this.#readBack({ backToMs: Date.now() - DAY_MS })
    return true
  }

  async #readBack(older: OlderRewards): Promise<boolean> {
    const before = countOf(this.#extent)
    const backToMs = 'count' in older ? ONE_PAGE : older.backToMs
    let hasRead = false
    while (!this.#isClosed && !this.#isEnough(older, before)) {
      await this.#readOlderRecords(backToMs)
      hasRead = true
    }
    return hasRead
  }

  /** Stores what was added to the time of mining, which begins at zero with each start: never more than has passed. */
  async #keepMinedTime(minedMs: number): Promise<void> {
    const now = Date.now()
    const added = minedMs < this.#keptMinedMs ? minedMs : minedMs - this.#keptMinedMs
    const passed = Math.max(0, now - this.#keptAtMs)
    this.#keptMinedMs = minedMs
    this.#keptAtMs = now
    if (added > 0) await this.#given.store.addMinedTime(Math.min(added, passed), now)
  }

  #isEnough(older: OlderRewards, before: number): boolean {
    return (
      this.#extent.isComplete ||
      ('count' in older
        ? countOf(this.#extent) >= before + older.count
        : this.#extent.readBackToMs !== null && this.#extent.readBackToMs < older.backToMs)
    )
  }

  readonly state = (): RewardState => {
    const { first, end, counts, newestAtMs, isComplete, readBackToMs } = this.#extent
    const stored = { first, end, counts, newestAtMs, isComplete, readBackToMs }
    return { ...stored, hasBegun: readBackToMs !== null, totals: this.#totals, why: this.#why }
  }

  readonly refresh = (mayShrink = false): Promise<void> => this.#inTurn(() => this.#refreshOnce(mayShrink))

  readonly readOlder = (older: OlderRewards): Promise<void> => this.#inTurn(() => this.#readBack(older))

  readonly recount = (minedTime: MinedTime | null): Promise<void> =>
    this.#fromStore(async () => {
      await this.#keepMinedTime(minedTime?.minedMs ?? 0)
      const before = this.#totals
      this.#totals = await totalsOf(this.#given.store)
      const names = Object.keys(before) as (keyof RewardTotals)[]
      if (names.some((name) => this.#totals[name] !== before[name])) this.#given.onChange()
    })

  readonly clear = (): Promise<void> =>
    this.#inTurn(async () => {
      await this.#given.store.clear()
      this.#extent = await this.#given.store.extent()
      return this.#refreshOnce(false)
    })

  readonly close = async (): Promise<void> => {
    this.#isClosed = true
    await this.#queue
    this.#given.store.close()
  }
}

/** Reads the history of an account into a store, page by page. What was stored in an earlier run is not read again. */
export async function followRewards(given: FollowedRewards): Promise<RewardFollower> {
  const { store } = given
  return new Rewards(given, await store.extent(), await totalsOf(store))
}
