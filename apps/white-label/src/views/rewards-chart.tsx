import 'uplot/dist/uPlot.min.css'
import { type ReactNode, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { useTexts } from '../app/app-context.ts'
import { useMode } from '../app/use-mode.ts'
import { useMoney } from '../app/use-money.ts'
import { useRewardReading, useStoredRewards } from '../app/use-stored-rewards.ts'
import { Amount } from '../parts/amount.tsx'
import { amountText } from '../text/amount-text.ts'
import { dayText, shortDayText } from '../text/time-text.ts'

const DAY_MS = 86_400_000
const { bars } = uPlot.paths
const HEIGHT = 160
const LETTER_PX = 7
const NO_DAYS: readonly Day[] = []

type Day = { readonly startMs: number; readonly units: bigint }

const startOf = (timeMs: number): number => new Date(timeMs).setHours(0, 0, 0, 0)

const MAX_DAYS = 31

/** Returns the starts of the last local days and of tomorrow, oldest first. */
function startsOfDays(nowMs: number): readonly number[] {
  const starts = [startOf(startOf(nowMs) + 1.5 * DAY_MS)]
  while (starts.length <= MAX_DAYS) starts.unshift(startOf((starts[0] ?? 0) - DAY_MS / 2))
  return starts
}

/** Returns the units of each local day from the first one with a reward on, oldest first. */
function daysOf(starts: readonly number[], sums: readonly bigint[]): readonly Day[] {
  const days = starts
    .slice(0, -1)
    .map((startMs, at): Day => ({ startMs, units: (sums[at + 1] ?? 0n) - (sums[at] ?? 0n) }))
  const first = days.findIndex(({ units }) => units > 0n)
  return first < 0 ? days.slice(-1) : days.slice(first)
}

/** Height of a bar relative to the highest. The only place where amounts become numbers, for drawing only. */
const partOf = (units: bigint, most: bigint): number => Number((units * 1_000_000n) / most) / 1_000_000

const DIGITS = 3

/** Rounds to three significant digits, for labels of the axis. */
function rounded(units: bigint): bigint {
  const rest = 10n ** BigInt(Math.max(0, String(units).length - DIGITS))
  return units - (units % rest)
}

export default function RewardsChart(): ReactNode {
  const { text, language } = useTexts()
  const { decimals, symbol } = useMoney()
  const mode = useMode()
  const place = useRef<HTMLDivElement>(null)
  const { first, end, totals } = useStoredRewards()
  const read = useRewardReading(
    async ({ rewardSums }) => {
      const starts = startsOfDays(Date.now())
      return daysOf(starts, await rewardSums(starts))
    },
    true,
    [first, end, totals.today],
  )
  const days = read ?? NO_DAYS
  useEffect(() => {
    const element = place.current
    if (element === null || decimals === null || days.length === 0) return
    const style = getComputedStyle(element)
    const colour = (name: string): string => style.getPropertyValue(name).trim()
    const axis = {
      stroke: colour('--color-text-muted'),
      grid: { stroke: colour('--color-border'), width: 1 },
    }
    let most = 1n
    for (const { units } of days) if (units > most) most = units
    const labels = [0n, most / 2n, most].map((units) => amountText(rounded(units), { language, decimals }))
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        cursor: { show: false },
        legend: { show: false },
        scales: {
          x: { time: false, range: [-0.7, days.length - 0.3] },
          y: { range: [0, 1] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            splits: () => days.map((_, at) => at).filter((at) => at % Math.ceil(days.length / 5) === 0),
            values: (_, at) => at.map((index) => shortDayText(days[index]?.startMs ?? 0, language)),
          },
          {
            ...axis,
            splits: () => [0, 0.5, 1],
            values: () => labels,
            size: 24 + Math.max(...labels.map(({ length }) => length)) * LETTER_PX,
          },
        ],
        series: [
          {},
          {
            fill: colour('--color-primary'),
            stroke: colour('--color-primary'),
            ...(bars === undefined ? {} : { paths: bars({ size: [0.7, 40], radius: 0.15 }) }),
            points: { show: false },
          },
        ],
      },
      [days.map((_, at) => at), days.map(({ units }) => partOf(units, most))],
      element,
    )
    const resize = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      chart.destroy()
    }
  }, [days, decimals, language, mode])
  return (
    <figure className="chart-figure">
      <figcaption>{text('rewards.chart', { symbol })}</figcaption>
      <div className="chart" ref={place} aria-hidden="true" dir="ltr" />
      <table className="visually-hidden">
        <caption>{text('rewards.chart', { symbol })}</caption>
        <tbody>
          {days.map(({ startMs, units }) => (
            <tr key={startMs}>
              <th scope="row">{dayText(startMs, language)}</th>
              <td>
                <Amount units={units} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
