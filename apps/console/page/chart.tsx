import 'uplot/dist/uPlot.min.css'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { amountText } from '../src/figures/amount-text.ts'
import type { Figure } from '../src/figures/figure.ts'
import type { TokenName } from './ask.ts'

const HEIGHT = 240
const colours = ['--line-1', '--line-2', '--line-3', '--line-4']

/** For drawing alone: a chart has no use for the last digits of an amount. */
const drawn = (cell: unknown): number => (cell === null ? 0 : Number(cell))

/** Lines or bars of a figure; the table beside it says the same in words. */
export function Chart({
  figure,
  token,
}: {
  readonly figure: Figure
  readonly token: TokenName
}): JSX.Element | null {
  const place = useRef<HTMLDivElement>(null)
  const { chart, columns, rows } = figure
  useEffect(() => {
    const element = place.current
    if (element === null || chart === undefined || rows.length === 0) return
    const style = getComputedStyle(element)
    const colour = (name: string): string => style.getPropertyValue(name).trim()
    const series = chart.keys.map((key) => columns.findIndex((one) => one.key === key))
    const isAmount = series.some((at) => columns[at]?.unit === 'amount')
    const axis = { stroke: colour('--muted'), grid: { stroke: colour('--border'), width: 1 } }
    const label = (value: number): string =>
      isAmount ? amountText(BigInt(Math.round(value)).toString(), token) : String(value)
    const names = rows.map((row) => String(row[0]))
    const labelWidth = Math.max(90, 8 * Math.max(...names.map(({ length }) => length)))
    const labels = Math.max(2, Math.floor(element.clientWidth / labelWidth))
    const every = Math.max(1, Math.ceil(rows.length / labels))
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        cursor: { show: false },
        legend: { show: false },
        scales: {
          x: { time: false, range: [-0.7, rows.length - 0.3] },
          y: { range: (_, __, most) => [0, most <= 0 ? 1 : most * 1.05] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            splits: () => names.map((_, at) => at).filter((at) => at % every === 0),
            values: (_, splits) => splits.map((at) => (names[at] ?? '').replace(/^\d{4}-/, '')),
          },
          { ...axis, values: (_, splits) => splits.map(label), size: isAmount ? 72 : 48 },
        ],
        series: [
          {},
          ...series.map((_, at) => ({
            stroke: colour(colours[at] ?? '--line-1'),
            width: 2,
            points: { show: false },
            ...(chart.kind === 'bars' && uPlot.paths.bars !== undefined
              ? {
                  paths: uPlot.paths.bars({ size: [0.6 - 0.3 * at, 60] }),
                  fill: colour(colours[at] ?? '--line-1'),
                }
              : {}),
          })),
        ],
      },
      [names.map((_, at) => at), ...series.map((at) => rows.map((row) => drawn(row[at])))],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [figure, chart, columns, rows, token])
  if (chart === undefined) return null
  const titles = chart.keys.map((key) => columns.find((one) => one.key === key)?.title ?? key)
  return (
    <figure>
      <div
        ref={place}
        class="chart"
        role="img"
        aria-label={`Chart of ${titles.join(', ')}; the table has the same numbers`}
      />
      <figcaption>
        {titles.map((title, at) => (
          <span key={title} class={`key key-${at + 1}`}>
            {title}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
