import { type Kysely, sql } from 'kysely'
import type { Schema } from '../src/schema.ts'
import type { ExpectedFigures } from './brute-force.ts'

type Row = Readonly<Record<string, unknown>>

const without = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))

/** Reads every figure of an index of one token in the shape of the brute force; what is all zero is left out. */
export async function figuresOf(queries: Kysely<Schema>): Promise<ExpectedFigures> {
  const accounts = new Map(
    (await queries.selectFrom('account').selectAll().execute()).map(({ id, address }) => [id, address]),
  )
  const name = (id: number | null): string | null => (id === null ? null : (accounts.get(id) ?? `#${id}`))
  const rows = async (table: keyof Schema): Promise<readonly Row[]> =>
    (await queries.selectFrom(table).selectAll().execute()) as readonly Row[]
  const keyed = (found: readonly Row[], key: (row: Row) => unknown, value: (row: Row) => unknown) =>
    Object.fromEntries(found.map((row) => [String(key(row)), value(row)])) as never
  const { rows: days } = await sql<Row>`select *, sum(week_step) over (order by day) as active_7_days,
    sum(month_step) over (order by day) as active_30_days from token_day order by day`.execute(queries)
  const rewards = (await rows('reward')).filter(({ kind }) => kind !== 5)
  return {
    holdings: keyed(
      await rows('holding'),
      (row) => name(row.account as number),
      (row) => row.amount,
    ),
    supply: ((await rows('token'))[0]?.total_supply ?? 0n) as bigint,
    miners: keyed(
      await rows('miner'),
      (row) => name(row.account as number),
      (row) => ({ ...without(row, 'token', 'account'), agent: name(row.agent as number | null) }),
    ),
    days: keyed(
      days.filter(({ active }) => active !== 0),
      (row) => row.day,
      (row) => ({
        ...without(row, 'token', 'day', 'week_step', 'month_step', 'transfers', 'fees', 'rejected'),
        ...{ active_7_days: Number(row.active_7_days), active_30_days: Number(row.active_30_days) },
      }),
    ),
    hours: keyed(
      (await rows('token_hour')).filter(({ active }) => active !== 0),
      (row) => row.hour,
      ({ active, microblocks, mined }) => ({ active, microblocks, mined }),
    ),
    cohorts: keyed(
      await rows('cohort'),
      (row) => `${row.week} ${row.active_week}`,
      (row) => row.miners,
    ),
    agents: keyed(
      await rows('agent_total'),
      (row) => name(row.agent as number),
      (row) => without(row, 'token', 'agent'),
    ),
    agentDays: keyed(
      await rows('agent_day'),
      (row) => `${name(row.agent as number)} ${row.day}`,
      (row) => without(row, 'token', 'agent', 'day'),
    ),
    bands: keyed(
      (await rows('stake_band')).filter(({ holders, miners }) => holders !== 0 || miners !== 0),
      (row) => row.band,
      ({ holders, miners }) => ({ holders, miners }),
    ),
    stakes: (await rows('stake_change')).map(
      ({ height, account, is_below }) => `${height} ${name(account as number)} ${is_below}`,
    ),
    rewards: rewards.map(({ height, account, amount }) => `${height} ${name(account as number)} ${amount}`),
    transfers: (await rows('transfer')).map(
      ({ height, sender, receiver, amount }) =>
        `${height} ${name(sender as number)} ${name(receiver as number)} ${amount}`,
    ),
  }
}

/** Rows of each table as JSON, in any order that is always the same. */
export type Content = Readonly<Record<string, readonly string[]>>

/** Everything that an index holds, for comparing two of them to the row. */
export async function contentOf(queries: Kysely<Schema>): Promise<Content> {
  const tables = [
    ...['block', 'account', 'token', 'microblock', 'reward', 'transfer', 'unexplained', 'agent_change'],
    'stake_change',
    ...['holding', 'miner', 'stake_band', 'token_hour', 'token_day', 'cohort', 'agent_day', 'agent_total'],
  ] as readonly (keyof Schema)[]
  const content: Record<string, readonly string[]> = {}
  for (const table of tables) {
    const found = await queries.selectFrom(table).selectAll().execute()
    content[table] = found
      .map((row) =>
        JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
      )
      .sort()
  }
  return content
}
