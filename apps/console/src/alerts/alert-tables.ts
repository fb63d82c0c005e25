import { randomBytes } from 'node:crypto'
import type { Index } from '@hailstone/indexer'
import { type Kysely, sql } from 'kysely'
import { type AlertKindName, alertKindNames, alertKinds } from './alert-kinds.ts'
import type { AlertState } from './next-alert.ts'

/** Times are Unix milliseconds. */
export type AlertTables = {
  alert: {
    id: string
    token: string
    kind: AlertKindName
    name: string
    threshold: number
    minutes: number
    is_on: boolean
    state: AlertState['state']
    since_ms: number | null
    height: number | null
    next_hash: string | null
    episode: number
    /** Newest value; null if it is not known. */
    value: number | null
  }
  receiver: { id: string; url: string; secret: string }
  delivery: {
    /** The same for the same event and receiver. */
    id: string
    receiver: string
    alert: string
    event: string
    body: string
    at_ms: number
    attempts: number
    due_ms: number
    settled_ms: number | null
    /** Reason of the newest failure, or `delivered`; null before the first attempt. */
    outcome: string | null
  }
}

export type AlertQueries = Kysely<AlertTables>

export const newId = (): string => randomBytes(6).toString('hex')

/** Schema of the partner's own tables. */
const SCHEMA = 'hailstone_console'

const statements: readonly string[] = [
  `create table if not exists hailstone_console.alert (
    id text primary key,
    token text not null,
    kind text not null,
    name text not null,
    threshold double precision not null,
    minutes integer not null,
    is_on boolean not null,
    state text not null,
    since_ms double precision,
    height integer,
    next_hash text,
    episode integer not null,
    value double precision
  )`,
  `create table if not exists hailstone_console.receiver (
    id text primary key,
    url text not null,
    secret text not null
  )`,
  `create table if not exists hailstone_console.delivery (
    id text primary key,
    receiver text not null references hailstone_console.receiver on delete cascade,
    alert text not null references hailstone_console.alert on delete cascade,
    event text not null,
    body text not null,
    at_ms double precision not null,
    attempts integer not null,
    due_ms double precision not null,
    settled_ms double precision,
    outcome text
  )`,
  'create index if not exists delivery_receiver on hailstone_console.delivery (receiver, at_ms) where settled_ms is null',
]

/** Creates the tables of alerts beside an index, with one rule of each kind at the first time, and returns their queries. */
export async function openAlertTables(
  { queries }: Pick<Index, 'queries'>,
  tokenId: string,
): Promise<AlertQueries> {
  const own = queries.withSchema(SCHEMA) as unknown as AlertQueries
  await sql`create schema if not exists ${sql.id(SCHEMA)}`.execute(queries)
  await queries.transaction().execute(async (transaction) => {
    const found = await sql<{ place: string | null }>`
      select to_regclass('hailstone_console.alert')::text as place`.execute(transaction)
    for (const statement of statements) await sql.raw(statement).execute(transaction)
    if (found.rows[0]?.place != null) return
    const rules = alertKindNames.map((kind) => ({ kind, name: alertKinds[kind].title, token: tokenId }))
    await (transaction.withSchema(SCHEMA) as unknown as AlertQueries)
      .insertInto('alert')
      .values(
        rules.map((rule) => ({
          ...{ ...rule, id: newId(), is_on: true, state: 'quiet' as const, episode: 0 },
          ...{ threshold: alertKinds[rule.kind].threshold, minutes: alertKinds[rule.kind].minutes },
        })) as never,
      )
      .execute()
  })
  return own
}
