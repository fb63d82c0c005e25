/** The newest height that was seen, and since when. */
export type SeenTip = {
  readonly height: number
  /** Monotonic milliseconds at which the height last grew, or was first seen. */
  readonly sinceMs: number
  /** True once it grew: until then the block is as old as its own time says. */
  readonly hasGrown: boolean
}

/** Takes in a height. One that falls is that of a node that is behind, or of a chain that was put back. */
export function withHeight(before: SeenTip | null, height: number, atMs: number): SeenTip {
  if (before === null) return { height, sinceMs: atMs, hasGrown: false }
  if (height > before.height) return { height, sinceMs: atMs, hasGrown: true }
  return height === before.height ? before : { ...before, height }
}

/**
 * Returns the age of the newest block in ms, not of the answer that named it.
 *
 * @param now.minedAtMs Unix milliseconds in the block, where they are known
 */
export function tipAgeOf(
  { sinceMs, hasGrown }: SeenTip,
  now: { readonly atMs: number; readonly unixMs: number; readonly minedAtMs?: number | undefined },
): number {
  const seenMs = now.atMs - sinceMs
  return hasGrown || now.minedAtMs === undefined ? seenMs : Math.max(seenMs, now.unixMs - now.minedAtMs)
}
