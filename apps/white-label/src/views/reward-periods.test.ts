import { describe, expect, it } from 'vitest'
import { dayHeads, dayStart, periodsOf } from './reward-periods.ts'

const HOUR_MS = 3_600_000
const noon = new Date(2026, 2, 10, 12, 30).getTime()

/** Rewards so many hours before noon, newest first, and their sums as the store answers them. */
function rewards(...hoursAgo: readonly number[]) {
  const rows = hoursAgo.map((hours, at) => ({
    index: hoursAgo.length - at,
    timeMs: noon - hours * HOUR_MS,
    amount: BigInt(hours + 1),
  }))
  const sumsBefore = async (timesMs: readonly number[]): Promise<readonly bigint[]> =>
    timesMs.map((limit) =>
      rows.filter(({ timeMs }) => timeMs < limit).reduce((units, { amount }) => units + amount, 0n),
    )
  return { rows, sumsBefore }
}

const headsOf = async ({ rows, sumsBefore }: ReturnType<typeof rewards>, readBackToMs: number) => [
  ...(await dayHeads(sumsBefore, { rows, newer: undefined, readBackToMs })).values(),
]

describe('rewards by period', () => {
  it('are summed per local day without gaps, today last', async () => {
    const { sumsBefore } = rewards(1, 2, 49)
    const periods = await periodsOf(sumsBefore, { days: 7, nowMs: noon, readBackToMs: 0 })
    expect(periods.map(({ units }) => units)).toEqual([0n, 0n, 0n, 0n, 50n, 0n, 5n])
    expect(periods.at(-1)?.startMs).toBe(dayStart(noon))
  })

  it('leave out the days that were read in part, at their begin', async () => {
    const readBackToMs = noon - 26 * HOUR_MS
    const all = rewards(1, 2, 26)
    const periods = await periodsOf(all.sumsBefore, { days: 7, nowMs: noon, readBackToMs })
    expect(periods.map(({ units }) => units)).toEqual([5n])
    expect((await headsOf(all, readBackToMs)).map(({ units }) => units)).toEqual([5n, null])
  })

  it('are summed per hour within a day', async () => {
    const { sumsBefore } = rewards(0, 1, 1, 30)
    const periods = await periodsOf(sumsBefore, { days: 1, nowMs: noon, readBackToMs: 0 })
    expect(periods).toHaveLength(24)
    expect(periods.slice(-2).map(({ units }) => units)).toEqual([4n, 1n])
  })

  it('add up to the same sums in the list of days', async () => {
    const all = rewards(1, 2, 20, 25, 49)
    const heads = await headsOf(all, 0)
    const sum = heads.reduce((units, head) => units + (head.units ?? 0n), 0n)
    expect(sum).toBe(all.rows.reduce((units, { amount }) => units + amount, 0n))
    expect(heads.map(({ startMs }) => startMs)).toEqual([
      ...new Set(all.rows.map(({ timeMs }) => dayStart(timeMs))),
    ])
  })

  it('have one head for a day that two parts of the list share, with the sum of the whole day', async () => {
    const { rows, sumsBefore } = rewards(1, 2, 3, 25)
    const [first, second, ...rest] = rows
    if (first === undefined || second === undefined) throw new Error('two rewards are missing')
    const upper = await dayHeads(sumsBefore, { rows: [first, second], newer: undefined, readBackToMs: 0 })
    const lower = await dayHeads(sumsBefore, { rows: rest, newer: second, readBackToMs: 0 })
    expect([...upper].map(([index, { units }]) => [index, units])).toEqual([[4, 9n]])
    expect([...lower].map(([index, { units }]) => [index, units])).toEqual([[1, 26n]])
  })

  it('skips no day and repeats none where clocks change', async () => {
    const { sumsBefore } = rewards()
    const nowMs = new Date(2026, 10, 5, 1).getTime()
    const periods = await periodsOf(sumsBefore, { days: 30, nowMs, readBackToMs: 0 })
    const starts = periods.map(({ startMs }) => new Date(startMs))
    expect(starts.every((day) => day.getHours() === 0)).toBe(true)
    expect(new Set(starts.map((day) => day.toDateString())).size).toBe(30)
  })
})
