import type { Amount, Hash } from '@hailstone/protocol'
import type { Reward } from './reward.ts'

/** A line of a reward history, whichever list it came from. */
export type RewardLine = {
  readonly index: number
  readonly recordType: string
  readonly amount: Amount
  readonly recordHash: Hash
  readonly timeMs: number
}

/** A place in a history: the number of a line, and its time in Unix milliseconds. */
type Floor = Pick<RewardLine, 'index' | 'timeMs'>

/** Position of a watch of rewards. */
export type RewardCursor = {
  /** Newest macroblock that had been seen, and its time in Unix milliseconds; null when that was not known. */
  readonly at: { readonly height: number; readonly timeMs: number } | null
  /** Lines that are not newer than this, by number and time, are older than all lines in `seen`. */
  readonly floor: Floor
  /**
   * The newest lines above the floor, oldest first: what a reorganisation takes back is found among them. Those that
   * were there before the watch began are no rewards.
   */
  readonly seen: readonly (RewardLine | Reward)[]
  /** Macroblocks below this height were there before the watch began; absent for one that began with a number. */
  readonly begunAt?: number | undefined
  /**
   * Unix milliseconds of the key block that was open then, or of the newest macroblock: a fork puts later ones in the
   * place of those below. Absent in a cursor of an earlier version.
   */
  readonly begunMs?: number | undefined
  /**
   * The reward that was being handed out when the cursor was stored; it is not in `seen`. The next process hands it out
   * again, whatever the chain holds then, as its listener may or may not have taken it.
   */
  readonly handing?: Handing | undefined
}

/** A reward on its way to a listener. */
export type Handing = { readonly event: 'rewarded' | 'reverted'; readonly reward: Reward }

/** Lines that can be taken back. */
const SEEN_KEPT = 128

/** Before the first line of all. */
export const BEGINNING: Floor = { index: -1, timeMs: -1 }

/** Running number of the newest line. */
export const indexOf = ({ seen, floor }: RewardCursor): number => (seen.at(-1) ?? floor).index

export function withReward(cursor: RewardCursor, reward: RewardLine | Reward): RewardCursor {
  const { seen, floor } = cursor
  const isFull = seen.length >= SEEN_KEPT
  const { index, timeMs } = (isFull ? seen[0] : undefined) ?? floor
  return { ...cursor, floor: { index, timeMs }, seen: [...seen.slice(isFull ? 1 : 0), reward] }
}

/**
 * Returns the newest macroblock that a stored cursor knows of. A process that was killed in a backlog had seen the chain up
 * to its newest reward at least.
 */
export function newestSeen({ at, seen }: RewardCursor): RewardCursor['at'] {
  const line = seen.at(-1)
  if (line === undefined || !('height' in line) || line.height === null) return at
  return line.height > (at?.height ?? -1) ? { height: line.height, timeMs: line.timeMs } : at
}

/** True for a reward that was there before the watch began. By height where it can be: two key blocks can be of the same second. */
export const isFromBefore = (
  { begunAt = 0, begunMs = Number.POSITIVE_INFINITY }: RewardCursor,
  { height, timeMs }: Reward,
): boolean => height !== null && height < begunAt && timeMs <= begunMs

/** The same running number is used again after a reorganisation, for something else. */
export const isSameLine = (one: RewardLine, other: RewardLine): boolean => nameOf(one) === nameOf(other)

/** Identity of a line. */
export const nameOf = (line: RewardLine | undefined): string =>
  line === undefined ? '' : [line.index, line.recordType, line.amount, line.recordHash, line.timeMs].join()

/** A chain that began anew uses the numbers again, later. */
export const isBelow = (floor: Floor, { index, timeMs }: RewardLine): boolean =>
  index <= floor.index && timeMs <= floor.timeMs
