import type { Client } from '@hailstone/client'
import type { Address, TokenId } from '@hailstone/mining-node'
import { createRewardPages, createRewardReader, type RewardLine } from '@hailstone/react'
import type { MinedTime } from './mined-time.ts'
import type { RewardExtent, RewardStore } from './reward-store.ts'

const DAY_MS = 86_400_000
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
  readonly #pages: ReturnType<typeof createRewardPages>
  #extent: RewardExtent
  #totals: RewardTotals
  #why: string | null = null
  #isClosed = false
  #queue: Promise<void> = Promise.resolve()
  #reportedAtMs = 0
  #keptMinedMs = 0
  #keptAtMs = Date.now()

  constructor(given: FollowedRewards, extent: RewardExtent, totals: RewardTotals) {
    this.#given = given
    this.#pages = createRewardPages(given.client, given.address)
    this.#extent = extent
    this.#totals = totals
  }

  /** A reader keeps the microblocks that it has read: each part of a long history gets its own. */
  #rowsOf(lines: readonly RewardLine[]) {
    // No view shows the height of a reward, which costs a request for each.
    const { getToken, getRewards, getMicroblock } = this.#given.client
    return createRewardReader({ ...this.#given, client: { getToken, getRewards, getMicroblock } })(lines)
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

  /** Stores records below those that are stored. */
  async #prepend(lines: readonly RewardLine[], isLast: boolean): Promise<void> {
    if (this.#isClosed) return
    await this.#given.store.prepend({ rows: await this.#rowsOf(lines), lines, isLast })
    if (Date.now() - this.#reportedAtMs < REPORT_MS) this.#extent = await this.#given.store.extent()
    else await this.#changed()
  }

  /** Reads the next older records, of at least one page, at most `BATCH`, until they reach a time. */
  async #readOlderRecords(backToMs: number): Promise<void> {
    const { recent, bottom, records } = this.#extent
    const [newest] = recent
    if (newest === undefined || bottom === null) return this.#readNewest(false)
    const lines: RewardLine[] = []
    let last = bottom
    let isLast = false
    while (!this.#isClosed && !isLast && lines.length < BATCH) {
      const read = await this.#pages.below(last, newest, records - 1 + lines.length)
      lines.push(...read.lines)
      isLast = read.isEnd
      last = read.lines.at(-1) ?? last
      if (last.time * 1000 < backToMs) break
    }
    await this.#prepend(lines, isLast)
  }

  /** Reads from the newest record down to those that are known. `mayShrink`: the node has reported that rewards were reverted. */
  async #readNewest(mayShrink: boolean): Promise<void> {
    const { recent, records, isComplete } = this.#extent
    const isEnd = isComplete && recent.length === records
    const known = { lines: recent, bottom: recent.at(-1) ?? null, isEnd }
    const reading = await this.#pages.newest(known, { isTold: mayShrink, isAnew: false })
    if (reading === null || this.#isClosed) return
    if (reading.shared !== null) return this.#append(reading.lines, reading.shared.index)
    // The history of another chain: a local network that began anew, or a fork deeper than what is remembered.
    if (recent.length > 0) await this.#given.store.clear()
    if (reading.lines.length > 0 || !isEnd) await this.#prepend(reading.lines, reading.isEnd)
  }

  /** Stores the records of a reading after a running number in place of those that are stored after it. */
  async #append(lines: readonly RewardLine[], sinceIndex: number): Promise<void> {
    const fresh = lines.filter(({ index }) => index > sinceIndex)
    const { store } = this.#given
    if (this.#extent.recent[0]?.index !== sinceIndex) await store.append({ rows: [], lines: [], sinceIndex })
    // Oldest first, so that an interrupted reading leaves no gap.
    let since = sinceIndex
    for (let end = fresh.length; end > 0 && !this.#isClosed; end -= BATCH) {
      const part = fresh.slice(Math.max(0, end - BATCH), end)
      await store.append({ rows: await this.#rowsOf(part), lines: part, sinceIndex: since })
      since = part[0]?.index ?? since
    }
    this.#extent = await store.extent()
  }

  /** A history that was empty, or another one, may have begun with more than one page: the totals of a day need all of it. */
  async #refreshOnce(mayShrink: boolean): Promise<boolean> {
    await this.#readNewest(mayShrink)
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
