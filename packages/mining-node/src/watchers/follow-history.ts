import type { ClientCore, GetHistoryParameters, HistoryPageInfo } from '@hailstone/client'
import { type Address, apiError, type Hash, type NodeError } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import { type KeptAt, keptValue } from '../cursors/kept-value.ts'
import { listenerReport, type OnError } from '../failure.ts'
import { type AccountReading, type EarningReading, readAccount } from './account-reading.ts'
import type { ReadingPlace, ReadingStamp } from './chain-tip.ts'
import { createDeliveries, type DeliveryOptions, type RewardListener } from './deliver.ts'
import { createRewardExplainer } from './explain-reward.ts'
import { firstOpenBlock, type OpenBlock } from './first-open-block.ts'
import type { Reward } from './reward.ts'
import {
  BEGINNING,
  type Comparison,
  compareLines,
  indexOf,
  isBelow,
  isSameLine,
  type RewardCursor,
  type RewardLine,
  withReward,
} from './reward-cursor.ts'
import { type PollOptions, watchHandle } from './watch-handle.ts'

export type FollowRewardsParameters = PollOptions &
  DeliveryOptions & {
    readonly client: ClientCore
    readonly address: Address
    /**
     * Start: with new rewards, or after a running number that was seen before; -1 starts with the very first. A
     * stored cursor takes precedence. @default 'now'
     */
    readonly from?: 'now' | number | undefined
    /**
     * Names a key block that was open soon after the watch began, if one is known. Rewards that were booked before
     * the API could first be read are then delivered from that key block on, whatever this machine's clock says.
     */
    readonly openKeyBlock?: (() => Hash | undefined) | undefined
    /** Store and name of the watch's cursor. @default not stored */
    readonly cursor?: KeptAt | undefined
    /**
     * Takes each reward, oldest first. The next one waits for its promise; the cursor moves when it resolves. When it
     * rejects or throws, the same reward is handed out again after a pause.
     */
    readonly onReward: RewardListener
    /**
     * Takes each reward that was handed out and is on the chain no more, newest first, before those that took its
     * place. As `onReward` otherwise.
     */
    readonly onReverted?: RewardListener | undefined
    /** After every reading that succeeded. */
    readonly onRead?: ((reading: ReadingStamp) => void) | undefined
    readonly onError?: OnError | undefined
  }

/**
 * A watch that can be continued later, from its cursor. `stop` aborts the signal of a listener that runs, and resolves
 * when it has ended and the cursor is written, after 10 s at most. A listener that stops its own watch does so before
 * its first `await`, or without waiting for it.
 */
export type RewardWatch = AccountReading & {
  /** Running number of the last reward that was taken; null until the beginning is known. */
  readonly cursor: () => number | null
}

type WireLine = Pick<RewardLine, 'index' | 'recordType' | 'amount'> & {
  readonly hash: Hash
  /** Unix seconds. */
  readonly time: number
}

/** Reads a page of lines, newest first; the first page is 0. */
export type ReadLines = (
  client: ClientCore,
  parameters: GetHistoryParameters,
) => Promise<Pick<HistoryPageInfo<WireLine>, 'records' | 'isLast'>>

type Page = { readonly lines: readonly RewardLine[]; readonly isLast: boolean }
type ReadPage = (page: number) => Promise<Page>

const UNFIT = 'its pages do not fit together'

/** More pages than an account can have filled while nobody looked are a server that makes them up. */
const PAGES_LIMIT = 10_000
/**
 * A node that shows less than before, of a chain that did not part as far as was seen, is wrong at first. When it
 * still does after so many macroblocks, a fork went by unseen.
 */
const BELIEVED_AFTER_MACROBLOCKS = 3

/**
 * Follows a history: read at once and after macroblocks whose rewards were booked. The cursor moves only when a
 * reward was handed out, so a failure in between loses and repeats nothing. A history that no longer has what was
 * handed out belongs to a chain that was reorganised: reverted rewards are delivered first.
 */
export function followHistory(
  parameters: FollowRewardsParameters & {
    readonly readLines: ReadLines
    /** Of the list, for errors. */
    readonly path: string
  },
): RewardWatch & EarningReading {
  const { address, from = 'now', readLines, path, onReward, onReverted } = parameters
  const { deliver, isInside } = createDeliveries(parameters)
  const onRead = guarded(parameters.onRead, listenerReport('reading', parameters))
  const kept = keptValue<RewardCursor>(parameters.cursor)
  const explain = createRewardExplainer(address)
  const firstOpen = firstOpenBlock(parameters)
  let cursor: RewardCursor | null =
    from === 'now' ? null : { at: null, floor: { index: from, timeMs: Number.MAX_SAFE_INTEGER }, seen: [] }
  /**
   * First reward block of a watch from now on; null if no reward was booked between its start and its first reading.
   */
  let begun: OpenBlock | null = null
  let isRestored = false
  /** The store has the cursor. */
  let isKept = true
  let partings = 0
  /** Of those, how many the readings have taken in; -1 while nothing was read. */
  let partingsRead = -1
  /** The height at which lines were first missing. */
  let lackingSince: number | null = null

  async function catchUp(place: ReadingPlace, signal: AbortSignal): Promise<boolean> {
    if (!isRestored) cursor = (await kept.read()) ?? cursor
    isRestored = true
    const before = partings
    if (cursor === null) {
      if (!(await begin(place, signal))) return true
    } else if (isBehind(cursor, place)) return false
    else {
      const comparison = await compared(cursor, place, signal)
      if (comparison.lost.length > 0 && !isBelieved(place)) return true
      await goOn(cursor, comparison, place, signal)
    }
    if (signal.aborted || before !== partings || cursor === null) return false
    partingsRead = before
    lackingSince = null
    const { at } = place
    if (!isKept || at?.height !== cursor.at?.height) await move({ ...cursor, at })
    onRead(place.stamp())
    return false
  }

  const hasParted = (): boolean => partings > Math.max(partingsRead, 0)

  /** A node that has less of the chain than was seen would look like one that took rewards back. */
  const isBehind = ({ at: seen }: RewardCursor, { at }: ReadingPlace): boolean =>
    at === null || (seen !== null && !hasParted() && at.height < seen.height && at.timeMs <= seen.timeMs)

  /**
   * Records the rewards that existed before the watch began without delivering them. False if that is not decidable
   * yet.
   */
  async function begin(place: ReadingPlace, signal: AbortSignal): Promise<boolean> {
    const { core, at } = place
    // Read before the question where the watch began: what is booked in between is still to come.
    let lines = await linesDownTo(core, () => true, signal)
    const open = await firstOpen(place, signal)
    if (open === undefined) return false
    begun = open
    const sinceMs = begun?.timeMs ?? Number.POSITIVE_INFINITY
    if (begun !== null) lines = await linesDownTo(core, ({ timeMs }) => timeMs < sinceMs, signal)
    const isFresh = ({ timeMs }: RewardLine): boolean => timeMs >= sinceMs
    const [floor = BEGINNING, ...seen] = lines.filter((line) => !isFresh(line)).reverse()
    const first = { at, floor, seen }
    await move(first)
    await goOn(first, { lost: [], fresh: lines.filter(isFresh), floor }, place, signal)
    return true
  }

  /**
   * True if delivered rewards that are missing now count as reverted: the chain did fork and two answers in a row
   * lack them, the second from a node that has proved to be current.
   */
  function isBelieved({ at }: ReadingPlace): boolean {
    const isFirst = lackingSince === null
    const height = at?.height ?? 0
    lackingSince ??= height
    if (hasParted()) return !isFirst
    if (height - lackingSince >= BELIEVED_AFTER_MACROBLOCKS) return true
    throw inconsistent('it lacks what it had')
  }

  /** Tells what was lost, newest first, then what is new, oldest first, until it is ended. */
  async function goOn(
    since: RewardCursor,
    { lost, fresh, floor }: Comparison,
    place: ReadingPlace,
    signal: AbortSignal,
  ): Promise<void> {
    const before = partings
    let next: RewardCursor = { ...since, floor }
    const reported = async (
      event: 'rewarded' | 'reverted',
      listener: RewardListener | undefined,
      reward: Reward,
    ): Promise<boolean> =>
      listener === undefined ||
      (await deliver({ event, listener, reward, signal, isOutdated: () => before !== partings }))
    for (const line of [...lost].reverse()) {
      if ('role' in line && !(await reported('reverted', onReverted, line))) return
      next = { ...next, seen: next.seen.slice(0, -1) }
      if (!(await note(next, signal))) return
    }
    for (const line of [...fresh].reverse()) {
      const reward = await explain(place, line, next.seen, signal)
      if (signal.aborted) return
      // Two key blocks can be of the same second.
      const isEarlier = begun !== null && reward.height !== null && reward.height < begun.height
      if (!isEarlier && !(await reported('rewarded', onReward, reward))) return
      next = withReward(next, isEarlier ? line : reward)
      if (!(await note(next, signal))) return
    }
  }

  /**
   * Keeps the cursor once a reward was taken; false when the watch was stopped. A listener that stopped the watch, or
   * did not end in time, ends after it: another watch may have gone on from there meanwhile.
   */
  async function note(next: RewardCursor, { aborted }: AbortSignal): Promise<boolean> {
    if (aborted && !(await kept.isOurs())) return false
    await move(next)
    return !aborted
  }

  async function move(next: RewardCursor): Promise<void> {
    cursor = next
    isKept = false
    await kept.write(next)
    isKept = true
  }

  const inconsistent = (reason: string): NodeError => apiError('RESPONSE_INVALID', { path, reason })

  async function compared(
    since: RewardCursor,
    { core }: ReadingPlace,
    signal: AbortSignal,
  ): Promise<Comparison> {
    // Where the chain parted, or may have while nobody looked, one line in common proves nothing of those below it.
    const isDeep = partings > partingsRead
    const newest = isDeep ? undefined : since.seen.at(-1)
    const isEnough = (line: RewardLine): boolean =>
      isBelow(since.floor, line) || (newest !== undefined && isSameLine(newest, line))
    const lines = await linesDownTo(core, isEnough, signal)
    if (since.at === null && since.seen.length === 0 && (lines[0] ?? BEGINNING).index < indexOf(since)) {
      throw inconsistent('it ends before the line to go on from')
    }
    return compareLines(since, { lines, isDeep })
  }

  /**
   * Newest first, each number once. Pages shift while new lines come, so those that came meanwhile are read as well,
   * until their first page is the only one.
   */
  async function linesDownTo(
    core: ClientCore,
    isEnough: (line: RewardLine) => boolean,
    signal: AbortSignal,
  ): Promise<readonly RewardLine[]> {
    const readPage = limitedPages(core, signal)
    const { lines, pages, pageSize } = await newestDownTo(readPage, isEnough)
    if (pages === 1) return lines
    for (let all = lines; ; ) {
      const [first] = all
      if (first === undefined || pageSize === 0) throw inconsistent(UNFIT)
      // Where the last line stands tells whether lines are missing: a reorganisation shifts pages back.
      const isWhole = await isLastAt(readPage, all, pageSize)
      const head = await newestDownTo(readPage, ({ index }) => index <= first.index)
      const at = head.lines.findIndex((line) => isSameLine(line, first))
      if (at < 0 || (at === 0 && !isWhole)) throw inconsistent(UNFIT)
      all = [...head.lines.slice(0, at), ...all]
      if (isWhole && head.pages === 1) return all
    }
  }

  /** Reads from the first page until a line is enough. */
  async function newestDownTo(readPage: ReadPage, isEnough: (line: RewardLine) => boolean) {
    const all: RewardLine[] = []
    let pageSize = 0
    for (let page = 0; ; page++) {
      const { lines, isLast } = await readPage(page)
      if (page === 0) pageSize = lines.length
      for (const line of lines) {
        if (line.index < (all.at(-1)?.index ?? Number.POSITIVE_INFINITY)) all.push(line)
      }
      if (isLast || lines.some(isEnough)) return { lines: all, pages: page + 1, pageSize }
    }
  }

  /** True if as many lines as were collected stand from the newest to the last of them. */
  async function isLastAt(
    readPage: ReadPage,
    all: readonly RewardLine[],
    pageSize: number,
  ): Promise<boolean> {
    const rank = all.length - 1
    const last = all[rank]
    const { lines } = await readPage(Math.floor(rank / pageSize))
    const there = lines[rank % pageSize]
    return last !== undefined && there !== undefined && isSameLine(there, last)
  }

  /** Reads pages, of which one reading has no more than can be. */
  function limitedPages(core: ClientCore, signal: AbortSignal): ReadPage {
    let left = PAGES_LIMIT
    return async (page) => {
      if (left-- === 0) throw inconsistent(UNFIT)
      const { records, isLast } = await readLines(core, { address, page, signal })
      const lines = records.map(
        ({ index, recordType, amount, hash: recordHash, time }): RewardLine => ({
          index,
          recordType,
          amount,
          recordHash,
          timeMs: time * 1_000,
        }),
      )
      return { lines, isLast }
    }
  }

  const reading = readAccount({ ...parameters, read: catchUp, onReverted: () => void partings++ })
  const stop = async (): Promise<void> => {
    const stopped = reading.stop()
    if (!isInside()) await stopped
  }
  return { ...reading, ...watchHandle(stop), cursor: () => cursor && indexOf(cursor) }
}
