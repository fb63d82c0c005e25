/** The newest calculated macroblock, as it was seen so long after a watch began. Times in ms. */
export type Sight = {
  readonly height: number
  readonly timeMs: number
  readonly elapsedMs: number
  /** Time of the key block that was open then, if it was asked for. A fork may put a later one in its place. */
  readonly openMs?: number | undefined
}

/** What is known of the chain and of the clocks when it is asked where a watch began. */
export type Clues = {
  /** The sight that shows the latest beginning, as `anchorOf` keeps it. */
  readonly anchor: Sight
  readonly now: Sight
  /** Time of this machine, in Unix milliseconds. */
  readonly wallMs: number
  /** Mean time between the newest macroblocks; 0 while it is not known. */
  readonly blockMs: number
  /** Time of the key block that is open; 0 while it is not known. */
  readonly openMs: number
}

/** Chain and machine agree within this time, or within four blocks. */
const AGREEING_MS = 90_000
/** With shorter blocks, whole seconds are too coarse to tell a node that is behind by its age. */
const SLOW_BLOCK_MS = 5_000
/** The newest calculated macroblock is one to two blocks old, and a moment; that of a node that is behind is older. */
const CURRENT_BLOCKS = 2
const MOMENT_MS = 1_500
/**
 * Over this time, and so many macroblocks, a chain has to go on at the pace of the clock. Nodes at one address are less far
 * apart: where all of them stand still, a later sight shows more if another one has answered it.
 */
const PACE_MS = 60_000
const PACE_BLOCKS = 6
/** Later sights vary by so much where nothing catches up. */
const NOISE_MS = 10_000

/** Time on the chain when the watch began, if the node was current at this sight; before that, if it was behind. */
export const beginningBy = ({ timeMs, elapsedMs }: Sight): number => timeMs - elapsedMs

/** Keeps the earlier sight, unless the later one shows that the node was behind at it. */
export const anchorOf = <S extends Sight>(anchor: S | null, sight: S): S =>
  anchor !== null && beginningBy(sight) - beginningBy(anchor) <= NOISE_MS ? anchor : sight

/** True where the clock of this machine may be right, and the node that was asked current. */
export const isNear = ({ now, wallMs, blockMs }: Clues): boolean =>
  Math.abs(wallMs - now.timeMs) <= Math.max(AGREEING_MS, 4 * blockMs)

/**
 * Decides when a watch began, in the time of the chain. Where that is near the time of this machine, the machine's clock
 * tells it, once the node shows that it is not behind: by its newest macroblock, or by a key block from after the beginning.
 * Otherwise one of the two is wrong. A chain that goes on at the pace of time is current, and the clock is wrong; one that
 * is faster catches up; one that stands still proves nothing.
 *
 * @returns milliseconds, or the sight at which the node was current; undefined while it is not known
 */
export function beginningOf(clues: Clues): number | Sight | undefined {
  const { anchor, now, wallMs, blockMs, openMs } = clues
  if (isNear(clues)) {
    const beganMs = wallMs - now.elapsedMs
    const oldestMs = blockMs >= SLOW_BLOCK_MS ? CURRENT_BLOCKS * blockMs + MOMENT_MS : MOMENT_MS
    const isRecent = wallMs - now.timeMs <= oldestMs
    const isCurrent = isRecent || Math.max(now.timeMs, openMs) > beganMs
    return isCurrent ? Math.max(beganMs, beginningBy(anchor)) : undefined
  }
  const passedMs = now.elapsedMs - anchor.elapsedMs
  // A chain that began anew has lower heights for as long as the one of before took to grow.
  const hasGoneOn = now.height >= anchor.height + PACE_BLOCKS || now.height < anchor.height
  return passedMs >= PACE_MS && hasGoneOn && now.timeMs - anchor.timeMs >= passedMs / 2 ? anchor : undefined
}
