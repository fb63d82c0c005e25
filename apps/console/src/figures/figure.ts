import type { Index } from '@hailstone/indexer'
import { formatAmount } from '@hailstone/protocol'
import { CompiledQuery } from 'kysely'
import type { ShownToken } from '../open-follower.ts'

/** Meaning of a column: amounts are whole units as text, days and times are UTC. */
export type Unit = 'count' | 'amount' | 'day' | 'address' | 'text' | 'percent' | 'mean' | 'height'

/**
 * Way in which an amount is shortened for people. `down` is for what somebody has, and `up` for what somebody has to
 * give: with the amount that is shown it is enough.
 */
export type Rounding = 'nearest' | 'down' | 'up'

export type Column = {
  readonly key: string
  readonly title: string
  readonly unit: Unit
  /** @default nearest, a half up */
  readonly rounding?: Rounding | undefined
}

export type Cell = string | number | null

/** A table that page, API and export show alike; a chart is drawn of some of its columns. */
export type Figure = {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** Keys of the columns that a chart shows over the first column. */
  readonly chart?: { readonly kind: 'lines' | 'bars'; readonly keys: readonly string[] } | undefined
  /** Sentences about the limits of the figure. */
  readonly notes?: readonly string[] | undefined
  /** Value of `after` for the next page; null on the last one. */
  readonly next?: string | null | undefined
}

export type FigureContext = {
  readonly queries: Index['queries']
  readonly token: ShownToken
  /** Units that the token has at the height of the answer. */
  readonly supply: bigint
  /** Newest chain day of the tables. */
  readonly today: number
  /** Unix seconds of the newest macroblock; null before the first. */
  readonly tipTime: number | null
  readonly tipAgeSeconds: number | null
}

export type FigureDefinition<Query = unknown> = {
  readonly title: string
  /** One sentence for the API's description and the page. */
  readonly summary: string
  readonly compute: (context: FigureContext, query: Query) => Promise<Figure>
}

/** Part of a list that is asked for. */
export type PageQuery = {
  /** Value of `next` of the page before. */
  readonly after?: string | undefined
  /** @default 200 */
  readonly limit?: number | undefined
}

/** Rows of a page for which no number is asked. */
export const PAGE_ROWS = 200

type Row = Readonly<Record<string, Cell>>

/** Returns a page of a list, of rows of which one more was read than the page has. */
export function pageOf(
  columns: readonly Column[],
  rows: readonly Row[],
  { limit, placeOf }: { readonly limit: number; readonly placeOf: (row: Row) => string },
): Pick<Figure, 'columns' | 'rows' | 'next'> {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { ...tableOf(columns, page), next: rows.length > limit && last !== undefined ? placeOf(last) : null }
}

/** Runs a question with parameters; every value comes back as text, a number or null. */
export async function askChain(
  { queries }: Pick<FigureContext, 'queries'>,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  return (await queries.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}

/**
 * Runs a question about the token.
 *
 * @param values of the parameters from $2 on; $1 is the number of the token
 */
export const ask = (
  context: Pick<FigureContext, 'queries' | 'token'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> => askChain(context, text, [context.token.number, ...values])

/** Orders the members of rows as the columns are. */
export const tableOf = (
  columns: readonly Column[],
  rows: readonly Row[],
): Pick<Figure, 'columns' | 'rows'> => ({
  columns,
  rows: rows.map((row) => columns.map(({ key }) => row[key] ?? null)),
})

export const column = (key: string, title: string, unit: Unit = 'count', rounding?: Rounding): Column => ({
  ...{ key, title, unit },
  ...(rounding === undefined ? {} : { rounding }),
})

/** SQL of the date of a chain day. */
export const dateOf = (day: string): string => `to_char(date '1970-01-01' + ${day}, 'YYYY-MM-DD')`

/** SQL of a name of an account, by its number. */
export const addressOf = (number: string): string =>
  `(select address from account where account.id = ${number})`

/** SQL of the label of an account, by its number; null if it has none. */
export const labelOf = (number: string): string =>
  `(select label.text from hailstone_console.label join account on account.address = label.address
    where account.id = ${number})`

/** Returns units as coins with the symbol of the token. */
export const unitsText = ({ token }: FigureContext, units: bigint): string =>
  `${formatAmount(units, { decimals: token.decimals })} ${token.symbol}`
