const HOUR_MS = 3_600_000

/** Rewards of one hour or one local day. */
export type Period = { readonly startMs: number; readonly units: bigint }

export const dayStart = (timeMs: number): number => new Date(timeMs).setHours(0, 0, 0, 0)
const hourStart = (timeMs: number): number => new Date(timeMs).setMinutes(0, 0, 0)

/** Returns the start of the next day. Days are 23 to 25 hours long where clocks change. */
const nextDay = (startMs: number): number => dayStart(startMs + 36 * HOUR_MS)

/** Sums of all rewards before each of these times, as the store answers them. */
type Sums = (timesMs: readonly number[]) => Promise<readonly bigint[]>

const difference = (sums: readonly bigint[], at: number): bigint => (sums[at + 1] ?? 0n) - (sums[at] ?? 0n)

/**
 * Adds up per hour of the last day, or per local day of a longer span, oldest first and without gaps. A period that
 * was not read to its begin is left out: a part of a day would look like a bad day.
 */
export async function periodsOf(
  sumsBefore: Sums,
  {
    days,
    nowMs,
    readBackToMs,
  }: { readonly days: number; readonly nowMs: number; readonly readBackToMs: number },
): Promise<readonly Period[]> {
  const isHours = days === 1
  const startOf = isHours ? hourStart : dayStart
  const starts: number[] = []
  // The step back aims at the middle of the day before, which is right where clocks change, too.
  const before = (start: number): number => startOf(start - (isHours ? HOUR_MS / 2 : 12 * HOUR_MS))
  for (let start = startOf(nowMs); starts.length < (isHours ? 24 : days); start = before(start)) {
    if (start <= readBackToMs) break
    starts.unshift(start)
  }
  const sums = await sumsBefore([...starts, Number.MAX_SAFE_INTEGER])
  return starts.map((startMs, at) => ({ startMs, units: difference(sums, at) }))
}

/** The sum of a day, or null if it is not known. */
export type DayHead = { readonly startMs: number; readonly units: bigint | null }

type Row = { readonly index: number; readonly timeMs: number }

/**
 * Finds the newest row of each day, by the running number of that row, and adds up the days that were read to their
 * begin.
 */
export async function dayHeads(
  sumsBefore: Sums,
  {
    rows,
    newer,
    readBackToMs,
  }: {
    /** Newest first. */
    readonly rows: readonly Row[]
    /** The row right before the first one, whose day has its head already. */
    readonly newer: Row | undefined
    readonly readBackToMs: number
  },
): Promise<ReadonlyMap<number, DayHead>> {
  const heads: { readonly index: number; readonly startMs: number }[] = []
  let last = newer === undefined ? null : dayStart(newer.timeMs)
  for (const { index, timeMs } of rows) {
    const startMs = dayStart(timeMs)
    if (startMs !== last) heads.push({ index, startMs })
    last = startMs
  }
  const sums = await sumsBefore(heads.flatMap(({ startMs }) => [startMs, nextDay(startMs)]))
  return new Map(
    heads.map(({ index, startMs }, at) => [
      index,
      { startMs, units: startMs <= readBackToMs ? null : difference(sums, 2 * at) },
    ]),
  )
}
