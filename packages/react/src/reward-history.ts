import type { Address, MiningSnapshot, TokenId } from '@hailstone/mining-node'
import type { NodeError } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import type { ClientPort } from './mining-ports.ts'
import { failureOf } from './reading.ts'
import { type Known, rowsKept, type TimeTotal } from './reward-lines.ts'
import { createHistoryReader } from './reward-reading.ts'
import type { RewardRow } from './reward-row.ts'

/** Rewards of one token that were read so far. */
export type RewardHistoryState = {
  /** Newest first: the newest 1,000, and those below them that `readMore` was asked for. */
  readonly rows: readonly RewardRow[]
  /** Totals of the rewards that were read and are below the rows, by time, newest first. */
  readonly older: readonly TimeTotal[]
  /** True if there are no rewards older than the rows. */
  readonly isComplete: boolean
  /** All rewards since this time were read. Unix milliseconds; null before the first answer. */
  readonly readBackToMs: number | null
  /** True while a page is being read. */
  readonly isReading: boolean
  /** Time of the last successful reading of the newest page, Unix milliseconds. */
  readonly readAtMs: number | null
  /** Reason of the last failed reading; null if it succeeded. Rows read before stay. */
  readonly why: string | null
  /** The error behind `why`; a `switch` over `error.code` narrows `error.facts`. Absent where `why` has no error. */
  readonly error?: NodeError | undefined
}

/** A reward history that is read page by page. */
export type RewardHistory = {
  /** Returns the same object until something changes. */
  readonly snapshot: () => RewardHistoryState
  /** Calls the listener after each change. Returns the unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void
  /** Reads new rewards, and takes out those that several answers in a row do not have any more. */
  readonly refresh: () => Promise<void>
  /** Reads at least `count` older rewards, or all that are left. */
  readonly readMore: (count?: number) => Promise<void>
  /**
   * Reads back to a time in Unix milliseconds, for totals, and later readings do so too where that is missing. Of rewards
   * beyond the newest 1,000 no rows are kept.
   */
  readonly readBackTo: (timeMs: number) => Promise<void>
}

/** How many rewards of a token a node has told. */
type Told = Pick<MiningSnapshot['rewards'][number], 'tokenId' | 'count'>

/** A history that also learns from a mining node what happened on the chain. */
export type FollowedHistory = RewardHistory & {
  /**
   * Reads, because the node has read, or told that a reward was taken back: then it has fewer than before. The answer that
   * the node has read is good enough, except in the first reading of a page: the node may read nothing more for hours.
   */
  readonly follow: (told: readonly Told[], isFirst?: boolean) => Promise<void>
}

/** Readings in which rewards that were taken back are looked for. */
const LOOKS_AFTER_REVERT = 5

/** As an error that nobody caught; Node has no such place. */
const reportToPage = (error: unknown): void => (globalThis as Partial<typeof globalThis>).reportError?.(error)

/** Before the first answer. */
export const NOTHING_READ: RewardHistoryState = {
  rows: [],
  older: [],
  isComplete: false,
  readBackToMs: null,
  isReading: false,
  readAtMs: null,
  why: null,
}

const hasLess = (before: readonly Told[], now: readonly Told[]): boolean =>
  before.some(({ tokenId, count }) => now.some((one) => one.tokenId === tokenId && one.count < count))

/** Records of the second in which the oldest one was paid may be on the next page. */
const readBackToMs = ({ bottom, isEnd }: Known): number | null =>
  isEnd ? 0 : bottom === null ? null : bottom.time * 1000 + 1

/**
 * Reads the rewards of an account in one token, page by page from the newest. Pages are joined where they overlap or where
 * the numbers go on; what a reorganisation took back is taken out, and what replaced it takes its place.
 */
export function createRewardHistory(parameters: {
  readonly client: ClientPort
  /** Account whose rewards are read. */
  readonly address: Address
  /** Token of the rows and totals. */
  readonly tokenId: TokenId
  /** True for the native token, in which rewards other than for microblocks are paid. */
  readonly isNative: boolean
}): RewardHistory {
  return createFollowedHistory(parameters)
}

/** As {@link createRewardHistory}, for whoever has a mining node. */
export function createFollowedHistory(
  parameters: Parameters<typeof createRewardHistory>[0],
): FollowedHistory {
  const listeners = new Set<() => void>()
  let state = NOTHING_READ
  let looksLeft = 0
  /** Oldest time that totals were asked for, Unix milliseconds. */
  let wantedBackToMs = Number.POSITIVE_INFINITY
  let told: readonly Told[] = []
  let queue: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  const reader = createHistoryReader({ ...parameters, onKnown: learn })

  function update(change: Partial<RewardHistoryState>): void {
    state = { ...state, ...change }
    for (const listener of [...listeners]) listener()
  }

  function learn(known: Known): void {
    const { older, isEnd } = known
    const rows = rowsKept(state.rows, known)
    const isComplete = isEnd && older.length === 0
    update({ rows, older, isComplete, readBackToMs: readBackToMs(known) })
  }

  const isReadBack = (): boolean => (state.readBackToMs ?? Number.POSITIVE_INFINITY) <= wantedBackToMs

  /** Runs readings one after another. */
  function inTurn(read: () => Promise<void>): Promise<void> {
    queue = queue.then(async () => {
      update({ isReading: true })
      try {
        await read()
        update({ isReading: false, why: null, error: undefined })
      } catch (thrown) {
        const { why, error } = failureOf(thrown)
        update({ isReading: false, why, error })
      }
    })
    return queue
  }

  /** Readings that wait for their turn are one. */
  function read(isTold: boolean, isAnew: boolean): Promise<void> {
    if (waiting !== null && !isTold && !isAnew) return waiting
    const asked = inTurn(async () => {
      if (waiting === asked) waiting = null
      const taken = await reader.readNewest(isTold || looksLeft > 0, isAnew)
      if (taken === 'with losses') looksLeft = 0
      if (taken !== 'nothing') update({ readAtMs: Date.now() })
      // An empty history, or another one, may go on with more than one page.
      await reader.readTotals(isReadBack)
    })
    waiting = asked
    return asked
  }

  const readMore = (count = 10): Promise<void> =>
    inTurn(() => reader.readRows(state.rows.length + count, () => state.rows.length))

  const subscribe: RewardHistory['subscribe'] = (call) => {
    const listener = guarded(call, reportToPage)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      // Nobody shows the older rows any more.
      if (listeners.size === 0) reader.limitRows()
    }
  }

  return {
    snapshot: () => state,
    subscribe,
    refresh: () => read(true, false),
    readMore,
    readBackTo: (timeMs) => {
      wantedBackToMs = Math.min(wantedBackToMs, timeMs)
      return inTurn(() => reader.readTotals(isReadBack))
    },
    follow: (tellsNow, isFirst = false) => {
      const isReverted = hasLess(told, tellsNow)
      told = tellsNow
      looksLeft = isReverted ? LOOKS_AFTER_REVERT : Math.max(0, looksLeft - 1)
      return read(isReverted, isFirst)
    },
  }
}

/**
 * Returns the units earned since a time, from the rows of the feed and the totals below them. Null if the history was not
 * read back that far, because a partial sum is not a total.
 */
export function totalSince(
  {
    rows,
    older = [],
    readBackToMs,
  }: Pick<RewardHistoryState, 'rows' | 'readBackToMs'> & Partial<Pick<RewardHistoryState, 'older'>>,
  sinceMs: number,
): bigint | null {
  if (readBackToMs === null || readBackToMs > sinceMs) return null
  let sum = 0n
  for (const { amount, timeMs } of [...rows, ...older]) if (timeMs >= sinceMs) sum += amount
  return sum
}
