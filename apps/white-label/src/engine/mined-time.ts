/** Time for which mining was wanted, and time in which it was possible, since the person started it. */
export type MinedTime = {
  /** Time since the start, in ms, freezes included. */
  readonly openMs: number
  /** Part of it with a connection over which tasks can come, in ms. */
  readonly minedMs: number
  /** Time of this reading, Unix milliseconds. */
  readonly atMs: number
  /** True if there was such a connection at that time. */
  readonly isMining: boolean
}

/** Timers that are later than this, in ms, mean that the device slept or the browser froze the page. */
export const GAP_MS = 30_000

/** Adds the time since the last reading; a gap is time open and not mined. Null while nobody wants to mine. */
export function minedTimeAt(
  before: MinedTime | null,
  now: { readonly atMs: number; readonly isWanted: boolean; readonly isMining: boolean },
): MinedTime | null {
  const { atMs, isWanted, isMining } = now
  if (!isWanted) return null
  if (before === null) return { openMs: 0, minedMs: 0, atMs, isMining }
  const passedMs = Math.max(0, atMs - before.atMs)
  const wasMining = before.isMining && passedMs <= GAP_MS
  return {
    openMs: before.openMs + passedMs,
    minedMs: before.minedMs + (wasMining ? passedMs : 0),
    atMs,
    isMining,
  }
}
