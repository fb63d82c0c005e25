import { formatAmount } from '@hailstone/protocol'
import type { Cell, Column, Unit } from '../figures/figure.ts'
import type { TableWriter } from './table-writer.ts'

/** Programs for tables run a cell that begins like this as a formula; some part cells at semicolons and tabs too. */
const FORMULA = /(^|[;\t\r\n])(?=["\s]*[=+\-@＝＋－＠])|^(?=[\t\r])/g
const NUMBER = /^-?\d+(?:\.\d+)?$/
/** Says to programs for tables that the text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Units of the columns of a table of days. */
const sums: ReadonlySet<Unit> = new Set(['count', 'amount', 'percent', 'mean'])
/** Units whose cells are texts, whatever they look like. */
const texts: ReadonlySet<Unit> = new Set(['text', 'address', 'day'])

type CsvOptions = {
  readonly decimals: number
  /** True for a byte order mark at the start. @default false */
  readonly hasMark?: boolean | undefined
}

function cell(value: Cell, unit: Unit, decimals: number): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = unit === 'amount' ? formatAmount(BigInt(value), { decimals }) : value
  if (!texts.has(unit) && NUMBER.test(text)) return text
  const safe = text.replace(FORMULA, "$1'")
  return /[",;\t\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const lineOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

/**
 * Writes CSV of RFC 4180: coins as decimals with a point, days in UTC, sums of amounts in the last line of a table of
 * days. A list that names days beside other things has no sum: what it lists may not have happened.
 */
export function csvWriter(
  columns: readonly Column[],
  { decimals, hasMark = false }: CsvOptions,
): TableWriter {
  const [first, ...others] = columns
  const isOfDays = first?.unit === 'day' && others.every(({ unit }) => sums.has(unit))
  const isSummed = isOfDays && others.some(({ unit }) => unit === 'amount')
  const totals = columns.map(() => 0n)
  const titles = lineOf(columns.map(({ title }) => cell(title, 'text', decimals)))
  return {
    head: Buffer.from(`${hasMark ? BYTE_ORDER_MARK : ''}${titles}`),
    add(rows) {
      const lines = rows.map((row) => {
        for (const [at, { unit }] of columns.entries())
          if (isSummed && unit === 'amount') totals[at] = (totals[at] ?? 0n) + BigInt(row[at] ?? 0)
        return lineOf(row.map((value, at) => cell(value, columns[at]?.unit ?? 'text', decimals)))
      })
      return Buffer.from(lines.join(''))
    },
    end: () => {
      const sumOf = (at: number, unit: Unit): string =>
        unit === 'amount' ? formatAmount(totals[at] ?? 0n, { decimals }) : ''
      const last = columns.map(({ unit }, at) => (at === 0 ? 'Total' : sumOf(at, unit)))
      return Buffer.from(isSummed ? lineOf(last) : '')
    },
  }
}
