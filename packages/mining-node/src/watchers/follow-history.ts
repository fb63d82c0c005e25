import {
  type ClientCore,
  type GetHistoryParameters,
  getHeight,
  getMacroblock,
  type HistoryPageInfo,
} from '@hailstone/client'
import { type Address, apiError, type NodeError } from '@hailstone/protocol'
import { type AccountReading, assertStands, type ReadingPlace, readAccount } from './account-reading.ts'
import type { ChainLink } from './chain-links.ts'
import { chainTipOf } from './chain-tip.ts'
import type { CursorStore } from './cursor-store.ts'
import { createRewardExplainer, type RewardLine } from './explain-reward.ts'
import { asNodeError, type OnError } from './failure.ts'
import { guarded } from './guarded.ts'
import type { Reward } from './reward.ts'
import {
  formatRewardCursor,
  isSameLine,
  parseRewardCursor,
  type RewardCursor,
  withLine,
  withoutLine,
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
  readonly cursor?: { readonly store: CursorStore; readonly name: string } | undefined
  /** Each reward once, oldest first. A promise is waited for before the next one. */
  readonly onReward: (reward: Reward) => void | Promise<void>
  /**
   * Each reward that was handed out and is on the chain no more, newest first, before those that took its place.
   * A promise is waited for.
   */
  readonly onReverted?: ((reward: Reward) => void | Promise<void>) | undefined
  /** After every reading that succeeded. */
  readonly onRead?: ((reading: HistoryReading) => void) | undefined
  readonly onError?: OnError | undefined
}

/** Where and when a history was read. */
type HistoryReading = {
  readonly height: number | null
  readonly source: string
  /** Unix milliseconds. */
  readonly readAtMs: number
}

/** A watch that can be continued later, from its cursor. */
export type RewardWatch = AccountReading & {
  /** Running number of the last reward that was handed out; null until the beginning is known. */
  readonly cursor: () => number | null
}

/** Reads a page of lines, newest first; the first page is 0. */
export type ReadLines = (
  client: ClientCore,
  parameters: GetHistoryParameters,
) => Promise<Pick<HistoryPageInfo<RewardLine>, 'records' | 'isLast'>>

/** More pages than an account can have filled while nobody looked are a server that makes them up. */
const PAGES_LIMIT = 10_000
/**
 * A node that shows less than before is wrong at first. When it still does after so many macroblocks, it was wrong
 * about its height when it showed more, and a fork went by unseen.
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
  const { client, address, from = 'now', readLines, path, cursor: kept } = parameters
  const { onError = () => undefined } = parameters
  const onReward = guarded({ event: 'reward', callback: parameters.onReward, onError })
  const onReverted = guarded({ event: 'reward', callback: parameters.onReverted, onError })
  const onRead = guarded({ event: 'reading', callback: parameters.onRead, onError })
  const explain = createRewardExplainer({ client, address })
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let cursor: RewardCursor | null =
    from === 'now' ? null : { index: from, height: null, settledIndex: from, floor: from, seen: [] }
  let isRestored = kept === undefined
  /** What we read or wrote last. */
  let keptText: string | null = null
  /** The chain was reorganised, or may have been while nobody looked: one line in common proves nothing below it. */
  let mayHaveParted = !isRestored
  let partings = 0
  /** Of those, how many the readings have taken in. */
  let partingsRead = 0
  /** The height at which lines were first missing that were settled. */
  let lackingSince: number | null = null

  async function catchUp(place: ReadingPlace, signal: AbortSignal): Promise<void> {
    if (!isRestored) {
      keptText = (await kept?.store.read(kept.name)) ?? null
      cursor = parseRewardCursor(keptText) ?? cursor
    }
    isRestored = true
    // A node that has less of the chain than was seen would look like one that took rewards back.
    const isBehind =
      place.height === null || (partings === partingsRead && isBelow(place.height, cursor?.height))
    if (cursor !== null && isBehind) return
    await (cursor === null ? beginNow(place, signal) : goOn(cursor, place, signal))
    if (signal.aborted) return
    void onRead({ height: place.height, source: place.core.source, readAtMs: client.clock.now() })
  }

  async function beginNow({ core, height }: ReadingPlace, signal: AbortSignal): Promise<void> {
    const { records, isLast } = await readLines(core, { address, page: 0, signal })
    const floor = isLast ? -1 : (records.at(-1)?.index ?? 0) - 1
    const seen = [...records].reverse().map((line) => ({ line, reward: null }))
    const index = records[0]?.index ?? -1
    await move({ index, height: await reachOf({ core, height }, signal), settledIndex: -1, floor, seen })
  }

  async function goOn(since: RewardCursor, place: ReadingPlace, signal: AbortSignal): Promise<void> {
    const begun = partings
    const { fresh, common } = await linesSince(since, place, signal)
    const lost = since.seen.filter(({ line }) => line.index > common)
    if (lost.length > 0) await confirmLoss(common, since, place, signal)
    for (const { reward } of [...lost].reverse()) {
      const note = async (): Promise<void> => {
        if (cursor !== null) await move(withoutLine(cursor, common))
      }
      if (reward === null) await note()
      else if (!(await handOut(onReverted(reward), note))) return
      if (signal.aborted || cursor === null) return
    }
    for (const line of [...fresh].reverse()) {
      const reward = await explain(place.core, line, signal)
      if (signal.aborted || cursor === null) return
      cursor = withLine(cursor, { line, reward })
      if (!(await handOut(onReward(reward), keep))) return
    }
    if (partings !== begun || cursor === null) return
    // The node may have more macroblocks than were seen, and the lines of those.
    const reach = fresh.length > 0 ? await reachOf(place, signal) : place.height
    if (signal.aborted || partings !== begun) return
    const settledIndex = reach === place.height ? cursor.index : Math.min(common, since.index)
    if (reach !== cursor.height || settledIndex !== cursor.settledIndex) {
      await move({ ...cursor, height: reach, settledIndex })
    }
    mayHaveParted = false
    partingsRead = begun
    lackingSince = null
  }

  /** The height of the newest macroblock whose lines the node may have shown. */
  async function reachOf({ core, height }: ReadingPlace, signal: AbortSignal): Promise<number | null> {
    if (height === null) return null
    const newest = (await getHeight(core, { signal })) - 1
    if (newest <= height) return height
    // A height that the node made up would keep us waiting for it.
    return (await getMacroblock(core, { height: newest, signal })) === undefined ? height : newest
  }

  /** What was handed out is taken back when the chain did part, and when two answers of a node that stands agree. */
  async function confirmLoss(
    common: number,
    since: RewardCursor,
    place: ReadingPlace,
    signal: AbortSignal,
  ): Promise<void> {
    if (!mayHaveParted && common < since.settledIndex) {
      lackingSince ??= place.height
      mayHaveParted = (place.height ?? 0) - (lackingSince ?? 0) >= BELIEVED_AFTER_MACROBLOCKS
      throw inconsistent('it lacks what it had, on the same chain')
    }
    const again = await linesSince(since, place, signal)
    if (again.common !== common) throw inconsistent('two answers in a row differ')
    await assertStands(place, chainTipOf(client).hashAt, signal)
  }

  /**
   * Notes that something was told when whoever was told is done with it. Who stops the watch from inside the callback
   * must not wait for itself: then the note follows later, unless another run went on from there meanwhile.
   */
  async function handOut(telling: Promise<void>, note: () => Promise<void>): Promise<boolean> {
    const isTold = await Promise.race([telling.then(() => true), ended.then(() => false)])
    if (isTold) await note()
    else void telling.then(() => noteLate(note)).catch((error: unknown) => onError(asNodeError(error)))
    return isTold
  }

  async function noteLate(note: () => Promise<void>): Promise<void> {
    const found = (await kept?.store.read(kept.name)) ?? null
    if (found === keptText) await note()
  }

  async function move(next: RewardCursor): Promise<void> {
    cursor = next
    await keep()
  }

  async function keep(): Promise<void> {
    if (kept === undefined || cursor === null) return
    const text = formatRewardCursor(cursor)
    await kept.store.write(kept.name, text)
    keptText = text
  }

  const inconsistent = (reason: string): NodeError => apiError('RESPONSE_INVALID', { path, reason })

  /** What is newer than the newest line that was seen and is there still. */
  async function linesSince(
    since: RewardCursor,
    { core }: ReadingPlace,
    signal: AbortSignal,
  ): Promise<Since> {
    const isEnough = (line: RewardLine): boolean =>
      mayHaveParted ? line.index <= since.floor : isKnown(since, line)
    const lines = await linesDownTo(core, isEnough, signal)
    const newest = lines[0]?.index ?? -1
    if (since.seen.length === 0 && newest < since.index) {
      throw inconsistent(`it ends at ${newest} and went to ${since.index} before`)
    }
    const common = commonOf(since, lines)
    return { common, fresh: lines.filter(({ index }) => index > common) }
  }

  /** Newest first, each number once: pages shift while new lines come. */
  async function linesDownTo(
    core: ClientCore,
    isEnough: (line: RewardLine) => boolean,
    signal: AbortSignal,
  ): Promise<readonly RewardLine[]> {
    const lines: RewardLine[] = []
    for (let page = 0; page < PAGES_LIMIT; page++) {
      const { records, isLast } = await readLines(core, { address, page, signal })
      for (const line of records) {
        if (line.index < (lines.at(-1)?.index ?? Number.POSITIVE_INFINITY)) lines.push(line)
        if (isEnough(line)) return page === 0 ? lines : confirmed(core, lines, signal)
      }
      if (isLast) return page === 0 ? lines : confirmed(core, lines, signal)
    }
    throw inconsistent('its pages do not end')
  }

  /** What was collected from several pages fits together when its first line still stands. */
  async function confirmed(
    core: ClientCore,
    lines: readonly RewardLine[],
    signal: AbortSignal,
  ): Promise<readonly RewardLine[]> {
    const [first] = lines
    const { records } = await readLines(core, { address, page: 0, signal })
    if (first !== undefined && records.some((line) => isSameLine(line, first))) return lines
    throw inconsistent('it changed while it was read')
  }

  function parted({ height }: ChainLink): void {
    mayHaveParted = true
    partings++
    if (cursor?.height == null) return
    cursor = { ...cursor, height: Math.min(cursor.height, height - 1) }
  }

  const reading = readAccount({ ...parameters, read: catchUp, onError, onReverted: parted })
  const stop = async (): Promise<void> => {
    end()
    await reading.stop()
  }
  return { ...watchHandle(stop), readNow: reading.readNow, cursor: () => cursor?.index ?? null }
}

type Since = { readonly fresh: readonly RewardLine[]; readonly common: number }

/** A line that was seen, or is older than all that are remembered. */
const isKnown = ({ floor, seen }: RewardCursor, line: RewardLine): boolean =>
  line.index <= floor || seen.some((one) => isSameLine(one.line, line))

/** The number up to which the lines are those that were seen; -1 when none is. */
function commonOf({ floor, seen }: RewardCursor, lines: readonly RewardLine[]): number {
  const lowest = lines.at(-1)?.index ?? Number.POSITIVE_INFINITY
  const byIndex = new Map(lines.map((line) => [line.index, line]))
  const covered = seen.filter(({ line }) => line.index >= lowest)
  const differs = covered.findIndex(({ line }) => {
    const now = byIndex.get(line.index)
    return now === undefined || !isSameLine(now, line)
  })
  const same = differs === -1 ? covered.at(-1) : covered[differs - 1]
  return same?.line.index ?? lines.find(({ index }) => index <= floor)?.index ?? -1
}

const isBelow = (height: number, reached: number | null | undefined): boolean =>
  reached != null && height < reached
