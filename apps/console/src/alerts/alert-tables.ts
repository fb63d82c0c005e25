import { randomBytes } from 'node:crypto'
import type { Migration } from '@hailstone/database'
import type { Index } from '@hailstone/indexer'
import type { Kysely } from 'kysely'
import { openOwnTables } from '../own-tables.ts'
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
    /** Time until which its starts keep it busy; null before the first. */
    busy_until_ms: number | null
    /** True from a change of the threshold to the next look. */
    is_changed: boolean
    /** Newest value: infinite for days without an end, null if it is not known. */
    value: number | null
    /** Time of the first look at which the value was not known; null while it is. */
    unknown_ms: number | null
    /** Last value that was known, and the time of a look that found it; null before the first. */
    known_value: number | null
    known_ms: number | null
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
  /** A row says that the first rules were made; somebody may have removed them since. */
  alert_setup: { id: number }
}

export type AlertQueries = Kysely<AlertTables>

export const newId = (): string => randomBytes(6).toString('hex')

/** The steps of the schema. Tables of a console that noted no steps are as the first one makes them. */
const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: `
create table hailstone_console.alert_setup (id smallint primary key);
insert into hailstone_console.alert_setup select 1 where to_regclass('hailstone_console.alert') is not null;
create table if not exists hailstone_console.alert (
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
);
create table if not exists hailstone_console.receiver (
  id text primary key,
  url text not null,
  secret text not null
);
create table if not exists hailstone_console.delivery (
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
);
create index if not exists delivery_receiver on hailstone_console.delivery (receiver, at_ms) where settled_ms is null`,
  },
  {
    version: 2,
    statements: 'alter table hailstone_console.alert add column if not exists unknown_ms double precision',
  },
  {
    version: 3,
    statements: `
alter table hailstone_console.alert add column if not exists busy_until_ms double precision;
alter table hailstone_console.alert add column if not exists is_changed boolean not null default false`,
  },
  {
    version: 4,
    statements: `
alter table hailstone_console.alert add column if not exists known_value double precision;
alter table hailstone_console.alert add column if not exists known_ms double precision`,
  },
]

/** Creates the tables of alerts beside an index, with one rule of each kind at the first time, and returns their queries. */
export async function openAlertTables(index: Pick<Index, 'queries'>, tokenId: string): Promise<AlertQueries> {
  const queries = await openOwnTables<AlertTables>(index, { subject: 'alert', migrations })
  const rules = alertKindNames.map((kind) => ({
    ...{ id: newId(), token: tokenId, kind, name: alertKinds[kind].title, is_on: true },
    ...{ threshold: alertKinds[kind].threshold, minutes: alertKinds[kind].minutes },
    ...{ state: 'quiet' as const, since_ms: null, height: null, next_hash: null, episode: 0, value: null },
    ...{ unknown_ms: null, known_value: null, known_ms: null, busy_until_ms: null, is_changed: false },
  }))
  await queries.transaction().execute(async (transaction) => {
    // Of two processes that begin at once, one waits here and then finds the row.
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('alert_setup')
      .values({ id: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 1n) await transaction.insertInto('alert').values(rules).execute()
  })
  return queries
}
