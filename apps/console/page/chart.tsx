import 'uplot/dist/uPlot.min.css'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { Figure } from '../src/figures/figure.ts'
import { shortCoins } from './amount.tsx'
import type { TokenName } from './ask.ts'
import { useColourScheme } from './use-colour-scheme.ts'

const HEIGHT = 240
const colours = ['--line-1', '--line-2', '--line-3', '--line-4']

/** For drawing alone: a chart has no use for the last digits of an amount. What is not known leaves a gap. */
const drawn = (cell: unknown): number | null => (cell === null || cell === undefined ? null : Number(cell))

/** True if the last row is a day that is not over: days come in order, up to the newest macroblock. */
export const endsInOpenDay = ({ chart, columns, rows }: Figure): boolean =>
  chart?.kind === 'lines' && columns[0]?.unit === 'day' && rows.length > 1

/** Splits values: those of whole periods, and the last whole one with the one that is not over. */
export const partsOf = (
  values: readonly (number | null)[],
  isOpen: boolean,
): readonly [whole: (number | null)[], open: (number | null)[]] => {
  const last = values.length - (isOpen ? 1 : 0)
  return [
    values.map((value, at) => (at < last ? value : null)),
    values.map((value, at) => (at >= last - 1 ? value : null)),
  ]
}

/** A dashed line to a hollow point: how far the newest day has come. */
const openLine = (stroke: string, ground: string): uPlot.Series => ({
  ...{ stroke, width: 2, dash: [4, 4] },
  points: {
    ...{ show: true, size: 8, width: 2, stroke, fill: ground },
    filter: (plot, _, isShown) => (isShown ? [plot.data[0].length - 1] : []),
  },
})

const counts = new Intl.NumberFormat('en')

/** Returns the width of an axis that holds its longest label, in px. */
const widthOf = (_: uPlot, labels: readonly string[] | null): number =>
  Math.max(48, 20 + 8 * Math.max(0, ...(labels ?? []).map(({ length }) => length)))

/** Lines or bars of a figure; the table beside it says the same in words. */
export function Chart({
  figure,
  token,
}: {
  readonly figure: Figure
  readonly token: TokenName
}): JSX.Element | null {
  const place = useRef<HTMLDivElement>(null)
  const scheme = useColourScheme()
  const isOpen = endsInOpenDay(figure)
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
      isAmount ? shortCoins(BigInt(Math.round(value)), token) : counts.format(value)
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
          { ...axis, values: (_, splits) => splits.map(label), size: widthOf },
        ],
        series: [
          {},
          ...series.map((_, at) => ({
            stroke: colour(colours[at] ?? '--line-1'),
            width: 2,
            points: { show: false },
            spanGaps: false,
            ...(chart.kind === 'bars' && uPlot.paths.bars !== undefined
              ? {
                  paths: uPlot.paths.bars({ size: [0.6 - 0.3 * at, 60] }),
                  fill: colour(colours[at] ?? '--line-1'),
                }
              : {}),
          })),
          ...(isOpen ? series : []).map((_, at) =>
            openLine(colour(colours[at] ?? '--line-1'), colour('--ground')),
          ),
        ],
      },
      [
        names.map((_, at) => at),
        ...series.map(
          (at) =>
            partsOf(
              rows.map((row) => drawn(row[at])),
              isOpen,
            )[0],
        ),
        ...(isOpen ? series : []).map(
          (at) =>
            partsOf(
              rows.map((row) => drawn(row[at])),
              isOpen,
            )[1],
        ),
      ],
      element,
    )
    element.dataset.scheme = scheme
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [figure, chart, columns, rows, token, scheme, isOpen])
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
        {isOpen && <span class="key key-open">Today, which is not over</span>}
        {titles.map((title, at) => (
          <span key={title} class={`key key-${at + 1}`}>
            {title}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
