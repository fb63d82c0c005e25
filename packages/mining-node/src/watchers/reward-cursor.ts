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
}

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

/** The same running number is used again after a reorganisation, for something else. */
export const isSameLine = (one: RewardLine, other: RewardLine): boolean => nameOf(one) === nameOf(other)

const nameOf = ({ index, recordType, amount, recordHash, timeMs }: RewardLine): string =>
  [index, recordType, amount, recordHash, timeMs].join()

/** A chain that began anew uses the numbers again, later. */
export const isBelow = (floor: Floor, { index, timeMs }: RewardLine): boolean =>
  index <= floor.index && timeMs <= floor.timeMs

/** Difference between the history as it is now and the lines seen before. */
export type Comparison = {
  /** Lines that are gone, oldest first, and where the floor is without them. */
  readonly lost: RewardCursor['seen']
  readonly floor: Floor
  /** Newest first. */
  readonly fresh: readonly RewardLine[]
}

/**
 * @param lines newest first, down to the newest that was seen, or all above the floor
 * @param parameters.isDeep one line in common proves nothing of those below it
 */
export function compareLines(
  { seen, floor }: RewardCursor,
  { lines, isDeep }: { readonly lines: readonly RewardLine[]; readonly isDeep: boolean },
): Comparison {
  const names = lines.map(nameOf)
  const isThere = (line: RewardLine | undefined): boolean =>
    line !== undefined && names.includes(nameOf(line))
  const parting = !isDeep && isThere(seen.at(-1)) ? -1 : seen.findIndex((line) => !isThere(line))
  const kept = parting < 0 ? seen : seen.slice(0, parting)
  const newest = kept.at(-1)
  const common =
    newest === undefined ? lines.findIndex((line) => isBelow(floor, line)) : names.indexOf(nameOf(newest))
  return {
    lost: seen.slice(kept.length),
    floor: newest === undefined ? (lines[common] ?? BEGINNING) : floor,
    fresh: common < 0 ? lines : lines.slice(0, common),
  }
}
