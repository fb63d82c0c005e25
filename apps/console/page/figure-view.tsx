import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Column, Figure } from '../src/figures/figure.ts'
import { includesRole } from '../src/people/roles.ts'
import type { FigureAnswer } from './ask.ts'
import { isNumeric, Value } from './cells.tsx'
import { Chart } from './chart.tsx'
import { Loading, Problem } from './parts.tsx'
import { useRole } from './people/session.ts'
import { useAnswer } from './use-answer.ts'
import { useCutEdge } from './use-cut-edge.ts'

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
      {answer !== null && answer.status.height === null && (
        <p class="nothing">Not known yet: no macroblock has been read.</p>
      )}
      {answer !== null && answer.status.height !== null && (
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

/** Columns of a figure that share a heading, with their names below it. */
const groups: readonly { readonly title: string; readonly names: Readonly<Record<string, string>> }[] = [
  { title: 'Miners', names: { active: 'Day', week: '7 days', month: '30 days' } },
  { title: 'People', names: { fresh: 'Came', returned: 'Returned', churned: 'Left' } },
]

type Heading = { readonly title: string; readonly columns: readonly Column[] }

/** Joins neighbours of one group, where all of its columns are there. */
function headingsOf(columns: readonly Column[]): readonly Heading[] {
  const made: Heading[] = []
  for (let at = 0; at < columns.length; ) {
    const group = groups.find(({ names }) =>
      Object.keys(names).every((key, offset) => columns[at + offset]?.key === key),
    )
    const count = group === undefined ? 1 : Object.keys(group.names).length
    const own = columns.slice(at, at + count)
    made.push({
      title: group?.title ?? '',
      columns: own.map((column) => ({ ...column, title: group?.names[column.key] ?? column.title })),
    })
    at += count
  }
  return made
}

const classOf = (column: Column): string =>
  isNumeric(column) ? 'number' : column.unit === 'text' ? 'text' : ''

function TableHead({ columns }: { readonly columns: readonly Column[] }): JSX.Element {
  const headings = headingsOf(columns)
  const hasGroups = headings.some(({ title }) => title !== '')
  const single = (column: Column, span: number): JSX.Element => (
    <th key={column.key} scope="col" rowSpan={span} class={classOf(column)}>
      {column.title}
    </th>
  )
  if (!hasGroups) return <tr>{columns.map((column) => single(column, 1))}</tr>
  return (
    <>
      <tr>
        {headings.map(({ title, columns: own }) =>
          title === '' ? (
            own.map((column) => single(column, 2))
          ) : (
            <th key={title} scope="colgroup" colSpan={own.length} class="group">
              {title}
            </th>
          ),
        )}
      </tr>
      <tr>
        {headings.map(({ title, columns: own }) => title !== '' && own.map((column) => single(column, 1)))}
      </tr>
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
  const place = useCutEdge()
  if (rows.length === 0) return <p>Nothing yet.</p>
  const hasAmounts = data.columns.some(({ unit }) => unit === 'amount')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard too
    <section class="table" tabIndex={0} aria-label={name} ref={place}>
      <table>
        {hasAmounts && (
          <caption>
            <span>Amounts in {token.symbol}</span>
          </caption>
        )}
        <thead>
          <TableHead columns={data.columns} />
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join(' ')}>
              {data.columns.map((column, at) => (
                <td key={column.key} class={classOf(column)}>
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
