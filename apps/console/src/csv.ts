import { formatAmount } from '@hailstone/protocol'
import type { Cell, Figure, Unit } from './figures/figure.ts'

/** Programs for tables run a cell that begins like this as a formula. */
const FORMULA = /(^|[;\t\r\n])(?=[=+\-@＝＋－＠])|^(?=[\t\r])/g

/** Units of the columns of a table of days. */
const sums: ReadonlySet<Unit> = new Set(['count', 'amount', 'percent', 'mean'])

function cell(value: Cell, unit: Unit, decimals: number): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = unit === 'amount' ? formatAmount(BigInt(value), { decimals }) : value
  const safe = text.replace(FORMULA, "$1'")
  // Some programs part cells at semicolons and tabs.
  return /[",;\t\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * Returns a figure as CSV of RFC 4180: coins as decimals with a point, days in UTC, sums of amounts in the last
 * line of a table of days. A list that names days beside other things has no sum: what it lists may not have happened.
 */
export function csvOf({ columns, rows }: Figure, { decimals }: { readonly decimals: number }): string {
  const lines = [
    columns.map(({ title }) => cell(title, 'text', decimals)),
    ...rows.map((row) => row.map((value, at) => cell(value, columns[at]?.unit ?? 'text', decimals))),
  ]
  const [first, ...others] = columns
  const isOfDays = first?.unit === 'day' && others.every(({ unit }) => sums.has(unit))
  if (isOfDays && others.some(({ unit }) => unit === 'amount'))
    lines.push(columns.map(({ unit }, at) => (at === 0 ? 'Total' : totalOf(rows, at, { unit, decimals }))))
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}

function totalOf(
  rows: Figure['rows'],
  at: number,
  { unit, decimals }: { readonly unit: Unit; readonly decimals: number },
): string {
  if (unit !== 'amount') return ''
  return formatAmount(
    rows.reduce((sum, row) => sum + BigInt(row[at] ?? 0), 0n),
    { decimals },
  )
}
