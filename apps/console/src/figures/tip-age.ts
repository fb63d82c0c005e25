/** Newest macroblock that was seen in each index, and since when by a clock that nobody sets. */
const seen = new WeakMap<object, { readonly hash: string; readonly sinceMs: number }>()

/**
 * Returns the age of the newest macroblock of an index, in whole seconds: by its time, and at least the time for which it has
 * been the newest one, which a clock that is set back does not hide.
 */
export function tipAge(
  index: object,
  { hash, time }: { readonly hash: string; readonly time: number },
  { nowMs, steadyMs = performance.now() }: { readonly nowMs: number; readonly steadyMs?: number },
): number {
  const known = seen.get(index)
  const sinceMs = known?.hash === hash ? known.sinceMs : steadyMs
  seen.set(index, { hash, sinceMs })
  return Math.floor(Math.max(0, nowMs / 1000 - time, (steadyMs - sinceMs) / 1000))
}
