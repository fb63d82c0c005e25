import type { ClientCore } from '@hailstone/client'
import { apiError, type NodeError } from '@hailstone/protocol'
import { type Claim, guarded, isProved, repeated } from '@hailstone/runtime'
import { type KeptValue, keptValue } from '../cursors/kept-value.ts'
import { listenerReport } from '../failure.ts'
import type { ReadingPlace, ReadingStamp } from './chain-tip.ts'
import type { Deliveries, RewardListener } from './deliver.ts'
import { createRewardExplainer, type ExplainReward } from './explain-reward.ts'
import { firstOpenBlock } from './first-open-block.ts'
import { type Comparison, compareSeen, countOf, noSightings } from './history-loss.ts'
import {
  knownOf,
  NEWEST,
  noNeighbours,
  type Page,
  type ReadPage,
  readOn,
  type Standing,
} from './history-pages.ts'
import { type Moment, momentOf, passedMs } from './moment.ts'
import type { ChainLink } from './read-chain.ts'
import {
  BEGINNING,
  type Handing,
  isBelow,
  isFromBefore,
  newestSeen,
  type RewardCursor,
  type RewardLine,
  withReward,
} from './reward-cursor.ts'
import type { FollowHistoryParameters } from './reward-watch.ts'

/**
 * A node that shows less than before, of a chain that did not part as far as was seen, is wrong at first. When it
 * still does after so many macroblocks and so long, a fork went by unseen.
 */
const BELIEVED_AFTER_MACROBLOCKS = 3
const BELIEVED_AFTER_MS = 45_000
/** The same where the chain was seen to part: another node may not have the new blocks yet. */
const PARTED_BELIEVED_AFTER_MS = 8_000
/** An empty history is that of a node that is starting, unless it stays so. */
const EMPTY_BELIEVED_AFTER_MS = 180_000
/** Answers of nodes that are behind before a reading is put off. */
const FAULTS_LIMIT = 8

/** The claim that lines are missing, by readings that lacked them. */
type Lacking = {
  readonly claim: Claim
  /** Macroblocks after which it was made again. */
  readonly macroblocks: number
  /** Milliseconds from the first to the last of them: the sum of `passedMs` from each to the next. */
  readonly overMs: number
  /** The newest of them. */
  readonly newest: Moment
}

/**
 * A claim begins again after so long without an answer: the program stood still, or nothing was read. Not without the
 * claim: many answers make one, and of a slow node they take longer.
 */
const SILENT_MS = 60_000

function lackedAgain(before: Lacking | null, { core, at }: ReadingPlace): Lacking {
  const now = momentOf(core, at)
  const { source } = core
  const claim = repeated(before?.claim ?? null, { source, atMs: now.atMs })
  if (before === null) return { claim, macroblocks: 0, overMs: 0, newest: now }
  const { macroblocks, overMs, newest } = before
  const passed = passedMs(newest, now)
  if (passed === 0) return { ...before, claim }
  return { claim, macroblocks: macroblocks + 1, overMs: overMs + passed, newest: now }
}

/** True if the chain parted, and what is missing may have gone with it: its macroblock is not known to stand. */
function isExplained(state: Following, { proof, lost: [oldest] }: Comparison): boolean {
  const { partedFrom, cursor } = state
  if (!hasParted(state) || partedFrom === null || oldest === undefined) return false
  const height = 'height' in oldest ? oldest.height : null
  // One that lacks a line from before, or a reward of a macroblock that was not taken back, is that of a node that is starting.
  if (proof === 'empty') return (cursor?.floor.index ?? -1) < 0 && (height ?? -1) >= partedFrom.height
  const isAbove = height === null ? oldest.timeMs >= partedFrom.timeMs : height >= partedFrom.height
  return isAbove || partedFrom.isDeeper
}

function isLasting(state: Following, comparison: Comparison): boolean {
  const { lacking } = state
  if (lacking === null) return false
  if (isExplained(state, comparison))
    return isProved(lacking.claim, { answers: 2, overMs: PARTED_BELIEVED_AFTER_MS })
  const overMs = comparison.proof === 'empty' ? EMPTY_BELIEVED_AFTER_MS : BELIEVED_AFTER_MS
  return lacking.macroblocks >= BELIEVED_AFTER_MACROBLOCKS && lacking.overMs >= overMs
}

/** A macroblock that was taken back, and whether those below it may have been, too. */
type Parting = Pick<ChainLink, 'height' | 'timeMs'> & { readonly isDeeper: boolean }

type Following = {
  /** Null until the beginning is known. */
  readonly cursor: RewardCursor | null
  /** Where the newest line of the cursor stood. */
  readonly standing: Standing
  /** The store has the cursor. */
  readonly isKept: boolean
  /** Macroblocks that were taken back. */
  readonly partings: number
  /** The lowest of them since the last reading; null while none was taken back. */
  readonly partedFrom: Parting | null
  /** Of those, how many the readings have taken in; -1 while nothing was read. */
  readonly partingsRead: number
  /** Of those, after how many the lines that were handed out were compared with the history; -1 before the first time. */
  readonly partingsCompared: number
  /** Lines are missing; null while none is. */
  readonly lacking: Lacking | null
  /** When a page was last answered, by a clock that does not jump. */
  readonly answeredMs: number
}

const hasParted = ({ partings, partingsRead }: Following): boolean => partings > Math.max(partingsRead, 0)

/** True for a node that has less of the chain than was seen: it would look like one that took rewards back. */
function isBehind(state: Following, { at }: ReadingPlace): boolean {
  const seen = state.cursor?.at ?? null
  if (at === null) return true
  return seen !== null && !hasParted(state) && at.height < seen.height && at.timeMs <= seen.timeMs
}

/** One reading. `progressed` is called when a part of it is done that need not be repeated. */
type Run = {
  readonly place: ReadingPlace
  readonly signal: AbortSignal
  readonly progressed: () => void
}

/** Reads a history from its cursor on and hands out what is there. */
export class HistoryFollower {
  readonly #parameters: FollowHistoryParameters
  readonly #deliver: Deliveries['deliver']
  readonly #kept: KeptValue<RewardCursor>
  readonly #explain: ExplainReward
  readonly #firstOpen: ReturnType<typeof firstOpenBlock>
  readonly #onRead: (reading: ReadingStamp) => void
  #isRestored = false
  /** The hand-out that the last process had begun, until its listener has taken it; null if there was none. */
  #unfinished: { readonly handing: Handing; readonly without: RewardCursor } | null = null
  /** Lines that were shown and denied so far in a comparison with the chain that an error interrupted. */
  #sightings = noSightings()
  /** Of comparisons that decided nothing, the largest count: the same answers again are no progress. */
  #counted = 0
  /** Lines that answers so far have shown beside each other, when an error interrupted a reading. */
  #neighbours = noNeighbours()
  #state: Following

  constructor(parameters: FollowHistoryParameters, deliver: Deliveries['deliver']) {
    const { address, from = 'now' } = parameters
    this.#parameters = parameters
    this.#deliver = deliver
    this.#kept = keptValue(parameters.cursor)
    this.#explain = createRewardExplainer(address)
    this.#firstOpen = firstOpenBlock(parameters)
    this.#onRead = guarded(parameters.onRead, listenerReport('reading', parameters))
    this.#state = {
      cursor:
        from === 'now'
          ? null
          : { at: null, floor: { index: from, timeMs: Number.MAX_SAFE_INTEGER }, seen: [] },
      standing: NEWEST,
      isKept: true,
      partings: 0,
      partedFrom: null,
      partingsRead: -1,
      partingsCompared: -1,
      lacking: null,
      answeredMs: 0,
    }
  }

  get cursor(): RewardCursor | null {
    return this.#state.cursor
  }

  /** A macroblock is on the chain no more. */
  parted(macroblock: Parting): void {
    const { partings, partedFrom } = this.#state
    const lowest = partedFrom !== null && partedFrom.height < macroblock.height ? partedFrom : macroblock
    const isDeeper = macroblock.isDeeper || partedFrom?.isDeeper === true
    this.#set({ partings: partings + 1, partedFrom: { ...lowest, isDeeper } })
    this.#sightings = noSightings()
    this.#counted = 0
    this.#neighbours = noNeighbours()
  }

  /** Resolves to true when it has to be read again: where the watch begins, or whether lines are gone, is not decided. */
  async catchUp(place: ReadingPlace, signal: AbortSignal, progressed: () => void): Promise<boolean> {
    if (!(await this.#restore(signal))) return !signal.aborted
    const read = this.#pagesOf(place.core, signal)
    const { partings } = this.#state
    const hasChanged = (): boolean => signal.aborted || partings !== this.#state.partings
    if (this.cursor === null && !(await this.#begin(read, place, signal))) return true
    if (isBehind(this.#state, place)) return false
    const isCompared = (): boolean =>
      partings <= this.#state.partingsCompared || this.#state.cursor?.seen.length === 0
    for (let faults = 0; ; ) {
      const { cursor, standing } = this.#state
      const neighbours = this.#neighbours
      if (cursor === null || hasChanged()) return false
      const step = await goingOn(
        () => knownOf(neighbours),
        () => readOn(read, cursor, standing, neighbours),
        progressed,
      )
      if ('fault' in step || !isCompared()) {
        const page = 'fault' in step ? step.page : step.standing.page
        const comparison = await this.#compare(page, { read, place, signal, progressed })
        if (comparison === 'undecided') return !signal.aborted
        this.#set({ partingsCompared: partings })
        if ('fault' in step && ++faults === FAULTS_LIMIT) throw this.#inconsistent('it lacks what it had')
        if ('fault' in step || comparison === 'taken back' || hasChanged()) continue
      }
      if (!(await this.#tell(step.newer, { place, signal, progressed }))) return false
      this.#set({ standing: step.standing, lacking: null })
      if (step.standing.page === 0) break
    }
    this.#neighbours = noNeighbours()
    if (hasChanged()) return false
    this.#set({ partingsRead: partings, partedFrom: null, lacking: null })
    await this.#keepPlace(place)
    this.#onRead(place.stamp())
    return false
  }

  /** Looks for the lines that were handed out, and takes those back that are missing. */
  async #compare(
    page: number,
    { read, place, signal, progressed }: Run & { readonly read: ReadPage },
  ): Promise<'standing' | 'taken back' | 'undecided'> {
    const { cursor } = this.#state
    if (cursor === null || cursor.seen.length === 0) throw this.#inconsistent('it lacks what it had')
    const sightings = this.#sightings
    const comparison = await goingOn(
      () => Math.max(this.#counted, countOf(sightings)),
      () => compareSeen(read, cursor, { page, sightings }),
      progressed,
    )
    const { rest, lost, proof } = comparison
    this.#counted = proof === 'none' ? Math.max(this.#counted, countOf(sightings)) : 0
    this.#sightings = noSightings()
    this.#set({ standing: { page, isFirst: false } })
    if (proof === 'standing') {
      this.#set({ lacking: null })
      return proof
    }
    if (proof === 'none') throw this.#inconsistent('its answers do not agree')
    const state = this.#set({ lacking: lackedAgain(this.#state.lacking, place) })
    const isByFork = isExplained(state, comparison)
    if (!(isByFork && proof === 'replaced') && !isLasting(state, comparison)) {
      if (isByFork) return 'undecided'
      throw this.#inconsistent('it lacks what it had')
    }
    this.#neighbours = noNeighbours()
    for (let left = lost; left.length > 0; left = left.slice(0, -1)) {
      const line = left.at(-1)
      const after = { ...rest, seen: [...rest.seen, ...left.slice(0, -1)] }
      const isTaken =
        line && 'role' in line
          ? await this.#handOut({ event: 'reverted', reward: line }, after, signal)
          : await this.#note(after, signal)
      if (!isTaken) return 'undecided'
    }
    // A claim about the lines that are left begins anew.
    this.#set({ lacking: null })
    return 'taken back'
  }

  /**
   * Records the rewards that existed before the watch began without delivering them. False if that is not decidable
   * yet.
   */
  async #begin(read: ReadPage, place: ReadingPlace, signal: AbortSignal): Promise<boolean> {
    const { at } = place
    // Read before the question where the watch began: lines that are booked in between are still to come.
    let page = await read(0)
    let open = await this.#firstOpen(place, signal)
    // Only now: an API that stands still is asked this again and again.
    if (open !== undefined && page.lines.length === 0) {
      page = await readNewest(read)
      open = await this.#firstOpen(place, signal)
    }
    if (open === undefined) return false
    // Lines that an answer of a node that is behind did not show are older than the newest macroblock.
    const begun = open ?? (at && { height: at.height + 1, timeMs: Number.POSITIVE_INFINITY })
    const isOld = ({ timeMs }: RewardLine): boolean => begun === null || timeMs < begun.timeMs
    while (!page.isLast && !page.lines.some(isOld)) page = await read(page.number + 1)
    const [floor = BEGINNING, ...seen] = page.lines.filter(isOld).reverse()
    this.#set({
      standing: { page: page.number, isFirst: false },
      partingsCompared: this.#state.partings,
    })
    await this.#move({ at, floor, seen, begunAt: begun?.height, begunMs: open?.timeMs ?? at?.timeMs })
    return true
  }

  /** Delivers lines, which are newest first. False if the watch ended, or the chain parted, before all were taken. */
  async #tell(newer: readonly RewardLine[], { place, signal, progressed }: Run): Promise<boolean> {
    for (const line of [...newer].reverse()) {
      const { cursor } = this.#state
      if (cursor === null) return false
      const reward = await this.#explain(place, line, cursor.seen, signal).catch((error: unknown) => {
        // It may be of a fork that was left: the history is read again.
        this.#neighbours = noNeighbours()
        throw error
      })
      if (signal.aborted) return false
      const isTaken = isFromBefore(cursor, reward)
        ? await this.#note(withReward(cursor, line), signal)
        : await this.#handOut({ event: 'rewarded', reward }, cursor, signal)
      if (!isTaken) return false
      progressed()
    }
    return true
  }

  /** Goes on from the stored cursor. False until what was being handed out then was taken. */
  async #restore(signal: AbortSignal): Promise<boolean> {
    if (!this.#isRestored) {
      const stored = await this.#kept.read()
      // Another watch may have gone on from there meanwhile.
      if (signal.aborted) return false
      this.#isRestored = true
      if (stored !== null) this.#goOnFrom(stored)
    }
    if (this.#unfinished === null) return true
    const { handing, without } = this.#unfinished
    return this.#take(handing, without, signal)
  }

  #goOnFrom({ handing, ...stored }: RewardCursor): void {
    // An earlier version has gone on since, and kept it as it was.
    if (handing === undefined || isBelow(stored.seen.at(-1) ?? stored.floor, handing.reward)) {
      this.#set({ cursor: { ...stored, at: newestSeen(stored) } })
      return
    }
    const without = { ...stored, at: newestSeen(withReward(stored, handing.reward)) }
    this.#set({ cursor: handing.event === 'rewarded' ? without : withReward(without, handing.reward) })
    this.#unfinished = { handing, without }
  }

  /**
   * Hands a reward out, and keeps the cursor once it was taken. Before that it is stored with what is handed out: a fork
   * may take the reward while no process looks. False when the reward has to be read again first, or the watch was stopped.
   *
   * @param without the cursor without that reward
   */
  async #handOut(handing: Handing, without: RewardCursor, signal: AbortSignal): Promise<boolean> {
    if (this.#listenerOf(handing) === undefined) return this.#take(handing, without, signal)
    const { partings } = this.#state
    this.#set({ isKept: false })
    await this.#kept.write({ ...without, handing })
    let isTaken = false
    try {
      const isOutdated = signal.aborted || partings !== this.#state.partings
      isTaken = !isOutdated && (await this.#take(handing, without, signal))
      return isTaken
    } finally {
      if (!isTaken) await this.#withdraw()
    }
  }

  /** A reward that its listener has not taken is not to be handed out again before it was read again. */
  async #withdraw(): Promise<void> {
    const { cursor } = this.#state
    const isOurs = await this.#kept.isOurs().catch(() => false)
    // Where this fails, the reward is handed out again, and taken back if it is gone.
    if (cursor !== null && isOurs) await this.#kept.write(cursor).catch(() => undefined)
  }

  #listenerOf({ event }: Handing): RewardListener | undefined {
    const { onReward, onReverted } = this.#parameters
    return event === 'rewarded' ? onReward : onReverted
  }

  async #take(handing: Handing, without: RewardCursor, signal: AbortSignal): Promise<boolean> {
    const { event, reward } = handing
    const { partings } = this.#state
    const isOutdated = (): boolean => partings !== this.#state.partings
    const listener = this.#listenerOf(handing)
    const isTaken =
      listener === undefined || (await this.#deliver({ event, listener, reward, signal, isOutdated }))
    if (!isTaken) return false
    this.#unfinished = null
    return this.#note(event === 'rewarded' ? withReward(without, reward) : without, signal)
  }

  /**
   * Keeps the cursor once a reward was taken; false when the watch was stopped. A listener that stopped the watch, or
   * did not end in time, ends after it: another watch may have gone on from there meanwhile.
   */
  async #note(next: RewardCursor, { aborted }: AbortSignal): Promise<boolean> {
    if (aborted && !(await this.#kept.isOurs())) return false
    await this.#move(next)
    return !aborted
  }

  async #move(cursor: RewardCursor): Promise<void> {
    this.#set({ cursor, isKept: false })
    await this.#kept.write(cursor)
    this.#set({ isKept: true })
  }

  async #keepPlace({ at }: ReadingPlace): Promise<void> {
    const { cursor, isKept } = this.#state
    if (cursor !== null && !(isKept && at?.height === cursor.at?.height)) await this.#move({ ...cursor, at })
  }

  #set(changes: Partial<Following>): Following {
    this.#state = { ...this.#state, ...changes }
    return this.#state
  }

  #inconsistent(reason: string): NodeError {
    return apiError('RESPONSE_INVALID', { path: this.#parameters.path, reason })
  }

  #pagesOf(core: ClientCore, signal: AbortSignal): ReadPage {
    const { address, readLines, pollIntervalMs = 0 } = this.#parameters
    return async (number) => {
      const { records, isLast } = await readLines(core, { address, page: number, signal })
      const { lacking, answeredMs } = this.#state
      const now = core.clock.monotonicMs()
      const isSilent = now - answeredMs > Math.max(SILENT_MS, 4 * pollIntervalMs)
      this.#set({ lacking: isSilent ? null : lacking, answeredMs: now })
      const lines = records.map(
        ({ index, recordType, amount, hash: recordHash, time }): RewardLine => ({
          index,
          recordType,
          amount,
          recordHash,
          timeMs: time * 1_000,
        }),
      )
      return { number, lines, isLast }
    }
  }
}

/** Runs a part of a reading. One that fails has progressed if answers were counted that it need not get again. */
async function goingOn<T>(answers: () => number, run: () => Promise<T>, progressed: () => void): Promise<T> {
  const before = answers()
  try {
    return await run()
  } catch (error) {
    if (answers() > before) progressed()
    throw error
  }
}

/** Reads the newest page, again while it is empty: a node that is starting has no history yet. */
async function readNewest(read: ReadPage): Promise<Page> {
  let page = await read(0)
  for (let left = FAULTS_LIMIT; left > 0 && page.lines.length === 0; left--) page = await read(0)
  return page
}
