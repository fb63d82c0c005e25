import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Figure } from '../src/figures/figure.ts'
import { includesRole } from '../src/people/roles.ts'
import type { FigureAnswer } from './ask.ts'
import { isNumeric, Value } from './cells.tsx'
import { Chart } from './chart.tsx'
import { Loading, Problem } from './parts.tsx'
import { useRole } from './people/session.ts'
import { useAnswer } from './use-answer.ts'

const exports = [
  ['CSV', 'csv'],
  ['CSV for spreadsheets', 'spreadsheet.csv'],
  ['Parquet', 'parquet'],
] as const

/** Returns the address of a file with all pages of a list. */
const fileOf = (path: string, ending: string): string =>
  path.replace(/&after=[^&]*/, '').replace(/^[^?]+/, (whole) => `${whole}.${ending}`)

/** A figure of the API: its chart, its table, and where both come from. */
export function FigureView({
  path,
  newestFirst = false,
  name,
}: {
  readonly path: string
  readonly newestFirst?: boolean
  /** Name of the table, for a page that has several. */
  readonly name?: string
}): JSX.Element {
  const { answer, failure } = useAnswer<Figure>(path)
  const mayExport = includesRole(useRole(), 'analyst')
  return (
    <>
      {failure !== null && <Problem text={failure} />}
      {answer === null && failure === null && <Loading />}
      {answer !== null && (
        <>
          <Chart figure={answer.data} token={answer.token} />
          <FigureTable answer={answer} newestFirst={newestFirst} name={name} />
          {answer.data.notes?.map((note) => (
            <p key={note} class="note">
              {note}
            </p>
          ))}
        </>
      )}
      <p class="source">
        <a href={path}>JSON</a>{' '}
        {mayExport &&
          exports.map(([name, ending]) => (
            <a key={ending} href={fileOf(path, ending)}>
              {name}
            </a>
          ))}
      </p>
    </>
  )
}

export function FigureTable({
  answer,
  newestFirst = false,
  name = 'Table',
}: {
  readonly answer: FigureAnswer
  readonly newestFirst?: boolean
  readonly name?: string | undefined
}): JSX.Element {
  const { data, token } = answer
  const rows = newestFirst ? [...data.rows].reverse() : data.rows
  if (rows.length === 0) return <p>Nothing yet.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard too
    <section class="table" tabIndex={0} aria-label={name}>
      <table>
        <thead>
          <tr>
            {data.columns.map((column) => (
              <th key={column.key} scope="col" class={isNumeric(column) ? 'number' : ''}>
                {column.title}
                {column.unit === 'amount' && ` (${token.symbol})`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join(' ')}>
              {data.columns.map((column, at) => (
                <td
                  key={column.key}
                  class={isNumeric(column) ? 'number' : column.unit === 'text' ? 'text' : ''}
                >
                  <Value cell={row[at] ?? null} column={column} token={token} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const orders = [
  ['earned', 'most earned'],
  ['last', 'newest'],
  ['microblocks', 'most microblocks'],
] as const

/** Pages of the miners: a million rows never reach the browser. */
export function MinersView(): JSX.Element {
  const [sort, setSort] = useState<string>('earned')
  const [pages, setPages] = useState<readonly string[]>([])
  const after = pages.at(-1)
  const path = `/v1/miners?sort=${sort}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`
  const { answer } = useAnswer<Figure>(path)
  const next = answer?.data.next ?? null
  return (
    <>
      <p class="controls">
        <label>
          Order{' '}
          <select
            value={sort}
            onChange={({ currentTarget }) => {
              setSort(currentTarget.value)
              setPages([])
            }}
          >
            {orders.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <button type="button" disabled={pages.length === 0} onClick={() => setPages(pages.slice(0, -1))}>
          Previous page
        </button>
        <button
          type="button"
          disabled={next === null}
          onClick={() => next !== null && setPages([...pages, next])}
        >
          Next page
        </button>
      </p>
      <FigureView path={path} />
    </>
  )
}
