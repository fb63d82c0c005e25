import type { ClientCore, GetHistoryParameters, HistoryPageInfo } from '@hailstone/client'
import { type Address, apiError, type NodeError } from '@hailstone/protocol'
import { type AccountReading, readAccount } from './account-reading.ts'
import type { ReadingPlace, ReadingStamp } from './chain-tip.ts'
import { createRewardExplainer } from './explain-reward.ts'
import { asNodeError, type OnError } from './failure.ts'
import { guarded } from './guarded.ts'
import { type KeptAt, keptValue } from './kept-value.ts'
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

export type FollowRewardsParameters = PollOptions & {
  readonly client: ClientCore
  readonly address: Address
  /**
   * Where to begin: with what comes from now on, or after a running number that was seen before; -1 means
   * with the very first. What a cursor store knows comes first. @default 'now'
   */
  readonly from?: 'now' | number | undefined
  /** Where it is kept how far the watch came, and under which name. @default kept nowhere */
  readonly cursor?: KeptAt | undefined
  /** Each reward once, oldest first. A promise is waited for before the next one. */
  readonly onReward: (reward: Reward) => void | Promise<void>
  /**
   * Each reward that was handed out and is on the chain no more, newest first, before those that took its place.
   * A promise is waited for.
   */
  readonly onReverted?: ((reward: Reward) => void | Promise<void>) | undefined
  /** After every reading that succeeded. */
  readonly onRead?: ((reading: ReadingStamp) => void) | undefined
  readonly onError?: OnError | undefined
}

/** A watch that can be continued later, from its cursor. */
export type RewardWatch = AccountReading & {
  /** Running number of the last reward that was handed out; null until the beginning is known. */
  readonly cursor: () => number | null
}

type WireLine = Omit<RewardLine, 'blockHash'> & { readonly hash: RewardLine['blockHash'] }

/** Reads a page of lines, newest first; the first page is 0. */
export type ReadLines = (
  client: ClientCore,
  parameters: GetHistoryParameters,
) => Promise<Pick<HistoryPageInfo<WireLine>, 'records' | 'isLast'>>

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
 * handed out belongs to a chain that was reorganised: that is told first.
 */
export function followHistory(
  parameters: FollowRewardsParameters & {
    readonly readLines: ReadLines
    /** Of the list, for errors. */
    readonly path: string
  },
): RewardWatch {
  const { address, from = 'now', readLines, path, onError } = parameters
  const onReward = guarded({ event: 'reward', callback: parameters.onReward, onError })
  const onReverted = guarded({ event: 'reward', callback: parameters.onReverted, onError })
  const onRead = guarded({ event: 'reading', callback: parameters.onRead, onError })
  const kept = keptValue<RewardCursor>(parameters.cursor)
  const explain = createRewardExplainer(address)
  let end: (isTold: false) => void = () => undefined
  const ended = new Promise<boolean>((resolve) => {
    end = resolve
  })
  let cursor: RewardCursor | null =
    from === 'now' ? null : { at: null, floor: { index: from, time: Number.MAX_SAFE_INTEGER }, seen: [] }
  let isRestored = false
  let partings = 0
  /** Of those, how many the readings have taken in; -1 while nothing was read. */
  let partingsRead = -1
  /** The height at which lines were first missing. */
  let lackingSince: number | null = null

  async function catchUp(place: ReadingPlace, signal: AbortSignal): Promise<boolean> {
    if (!isRestored) cursor = (await kept.read()) ?? cursor
    isRestored = true
    const begun = partings
    if (cursor === null) await move({ at: place.at, ...(await lastLines(place, signal)) })
    else if (isBehind(cursor, place)) return false
    else {
      const comparison = await compared(cursor, place, signal)
      if (comparison.lost.length > 0 && !isBelieved(place)) return true
      await goOn(cursor, comparison, place, signal)
    }
    if (signal.aborted || begun !== partings || cursor === null) return false
    partingsRead = begun
    lackingSince = null
    const { at } = place
    if (at?.height !== cursor.at?.height) await move({ ...cursor, at })
    void onRead(place.stamp())
    return false
  }

  const hasParted = (): boolean => partings > Math.max(partingsRead, 0)

  /** A node that has less of the chain than was seen would look like one that took rewards back. */
  const isBehind = ({ at: seen }: RewardCursor, { at }: ReadingPlace): boolean =>
    at === null || (seen !== null && !hasParted() && at.height < seen.height && at.time <= seen.time)

  async function lastLines({ core }: ReadingPlace, signal: AbortSignal) {
    const { lines } = await pageOf(core, 0, signal)
    const [floor = BEGINNING, ...seen] = [...lines].reverse()
    return { floor, seen }
  }

  /**
   * What was handed out is taken back when the chain did part and two answers in a row lack it, the second of a node
   * that has shown that it stands.
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
    let next: RewardCursor = { ...since, floor }
    for (const line of [...lost].reverse()) {
      next = { ...next, seen: next.seen.slice(0, -1) }
      await tell(next, 'role' in line ? onReverted(line) : undefined)
      if (signal.aborted) return
    }
    for (const line of [...fresh].reverse()) {
      const reward = await explain(place, line, next.seen, signal)
      if (signal.aborted) return
      next = withReward(next, reward)
      await tell(next, onReward(reward))
      if (signal.aborted) return
    }
  }

  /**
   * Notes that something was told when whoever was told is done with it. Who stops the watch from inside the callback
   * must not wait for itself: then the note follows later, unless another run went on from there meanwhile.
   */
  async function tell(next: RewardCursor, telling: Promise<void> = Promise.resolve()): Promise<void> {
    cursor = next
    const isTold = await Promise.race([telling.then(() => true), ended])
    if (isTold) await kept.write(next)
    else {
      const late = telling.then(async () => ((await kept.isOurs()) ? kept.write(next) : undefined))
      late.catch((error: unknown) => onError?.(asNodeError(error)))
    }
  }

  async function move(next: RewardCursor): Promise<void> {
    cursor = next
    await kept.write(next)
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
    const { at, seen } = since
    if (at === null && seen.length === 0 && (lines[0] ?? BEGINNING).index < indexOf(since)) {
      throw inconsistent('it ends before the line to go on from')
    }
    return compareLines(since, { lines, isDeep })
  }

  /** Newest first, each number once: pages shift while new lines come. */
  async function linesDownTo(
    core: ClientCore,
    isEnough: (line: RewardLine) => boolean,
    signal: AbortSignal,
  ): Promise<readonly RewardLine[]> {
    const all: RewardLine[] = []
    for (let page = 0; page < PAGES_LIMIT; page++) {
      const { lines, isLast } = await pageOf(core, page, signal)
      for (const line of lines) {
        if (line.index < (all.at(-1)?.index ?? Number.POSITIVE_INFINITY)) all.push(line)
      }
      if (!isLast && !lines.some(isEnough)) continue
      const [first] = all
      // What was collected from several pages fits together when its first line still stands.
      const newest = page === 0 ? all : (await pageOf(core, 0, signal)).lines
      if (page === 0 || newest.some((line) => first && isSameLine(line, first))) return all
      break
    }
    throw inconsistent('its pages do not fit together')
  }

  async function pageOf(core: ClientCore, page: number, signal: AbortSignal) {
    const { records, isLast } = await readLines(core, { address, page, signal })
    const lines = records.map(
      ({ index, recordType, amount, hash: blockHash, time }): RewardLine => ({
        index,
        recordType,
        amount,
        blockHash,
        time,
      }),
    )
    return { lines, isLast }
  }

  const reading = readAccount({ ...parameters, read: catchUp, onReverted: () => void partings++ })
  const stop = (): Promise<void> => {
    end(false)
    return reading.stop()
  }
  return { ...watchHandle(stop), readNow: reading.readNow, cursor: () => cursor && indexOf(cursor) }
}
