/** Mined ms by the start of the local day, Unix milliseconds. */
export type MinedTimes = Readonly<Record<number, number>>

const DAY_MS = 86_400_000
const MAX_DAYS = 14

/** Returns the starts of the last full local days, newest first. Days are 23 to 25 hours long where clocks change. */
export function fullDays(nowMs: number): readonly { readonly startMs: number; readonly endMs: number }[] {
  const today = new Date(nowMs)
  const startOf = (daysAgo: number): number =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo).getTime()
  return Array.from({ length: MAX_DAYS }, (_, at) => ({ startMs: startOf(at + 1), endMs: startOf(at) }))
}

/**
 * Adds mined time to the local day of a time, and leaves out days that no reading asks for any more. Days that began in
 * another time zone stay, at their own midnight.
 */
export function addToDay(times: MinedTimes, minedMs: number, atMs: number): MinedTimes {
  const today = new Date(atMs).setHours(0, 0, 0, 0)
  const oldestMs = (fullDays(atMs).at(-1)?.startMs ?? today) - DAY_MS
  const kept = Object.entries(times).filter(([startMs]) => Number(startMs) >= oldestMs)
  return { ...Object.fromEntries(kept), [today]: (times[today] ?? 0) + minedMs }
}

/** Returns the mined ms of all days that began within a day, in whichever time zone. */
export const minedWithin = (
  times: MinedTimes,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): number =>
  Object.entries(times)
    .filter(([at]) => Number(at) >= startMs && Number(at) < endMs)
    .reduce((sum, [, minedMs]) => sum + minedMs, 0)
