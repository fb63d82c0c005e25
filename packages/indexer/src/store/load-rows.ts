import type { Address } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { chainTime, weekOf } from '../calendar.ts'
import { accountsOf, type BlockFacts, type TokenRules } from '../facts.ts'
import { RowSet } from '../row-set.ts'
import type { Schema } from '../schema.ts'

/** Days for which an active day changes the running sums. */
const DAYS_AHEAD = 30

const idArray = (ids: Iterable<number>) => sql<number>`any(${`{${[...ids].join(',')}}`}::int[])`

/** Numbers of accounts, those of the database and those that some blocks name for the first time. */
export type AccountNumbers = {
  readonly accountOf: (address: Address) => number
  readonly added: readonly Schema['account'][]
}

/** Numbers the accounts of blocks; new ones go on from the highest number, in the order in which the blocks name them. */
export async function numberAccounts(
  queries: Kysely<Schema>,
  { blocks, tokens }: Pick<LoadParameters, 'blocks' | 'tokens'>,
): Promise<AccountNumbers> {
  // Owners have had their numbers from the beginning.
  const named = new Map<Address, number>([...tokens.values()].map(({ owner }) => [owner, -1]))
  for (const facts of blocks)
    for (const address of accountsOf(facts)) if (!named.has(address)) named.set(address, facts.height)
  return numbersFor(queries, named)
}

/** @param named each account with the height that names it first */
async function numbersFor(
  queries: Kysely<Schema>,
  named: ReadonlyMap<Address, number>,
): Promise<AccountNumbers> {
  const wanted = JSON.stringify([...named.keys()])
  const { rows } = await sql<{ id: number; address: string }>`
    select id, address from account where address in (select json_array_elements_text(${wanted}::json))`.execute(
    queries,
  )
  const numbers = new Map<string, number>(rows.map(({ id, address }) => [address, id]))
  const last = await queries
    .selectFrom('account')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  let next = (last?.id ?? 0) + 1
  const added: Schema['account'][] = []
  for (const [address, height] of named) {
    if (numbers.has(address)) continue
    numbers.set(address, next)
    added.push({ id: next, address, height })
    next++
  }
  return {
    added,
    accountOf(address) {
      const number = numbers.get(address)
      if (number === undefined) throw new Error(`account ${address} has no number`)
      return number
    },
  }
}

type LoadParameters = {
  readonly blocks: readonly BlockFacts[]
  readonly tokens: ReadonlyMap<number, TokenRules>
  readonly accountOf: (address: Address) => number
  readonly hourBefore: number
}

/** Loads every row that the blocks can touch. */
export async function loadRows(queries: Kysely<Schema>, parameters: LoadParameters): Promise<RowSet> {
  const { blocks, tokens, accountOf } = parameters
  const rows = new RowSet()
  const times = hoursOf(parameters)
  const ids = [...tokens.keys()]
  rows.load('token', await queries.selectFrom('token').selectAll().execute(), 'all')
  rows.load('stake_band', await queries.selectFrom('stake_band').selectAll().execute(), 'all')
  await loadPeriods(queries, rows, times)
  const accounts = new Set([...tokens.values()].map(({ owner }) => accountOf(owner)))
  for (const facts of blocks) for (const address of accountsOf(facts)) accounts.add(accountOf(address))
  const agents = new Set<number>()
  for (const { microblocks } of blocks)
    for (const { agent } of microblocks) if (agent !== null) agents.add(accountOf(agent))
  for (const token of ids) {
    const pairs = [...accounts].map((account) => [token, account])
    const isAmong = idArray(accounts)
    const holdings = queries.selectFrom('holding').selectAll().where('token', '=', token)
    rows.load('holding', await holdings.where('account', '=', isAmong).execute(), pairs)
    const mining = queries.selectFrom('miner').selectAll().where('token', '=', token)
    const miners = await mining.where('account', '=', isAmong).execute()
    rows.load('miner', miners, pairs)
    const all = new Set([...agents, ...miners.flatMap(({ agent }) => agent ?? [])])
    await loadAgents(queries, rows, { token, agents: all, first: times.firstDay, last: times.lastDay })
  }
  return rows
}

type Times = {
  readonly firstHour: number
  readonly lastHour: number
  readonly firstDay: number
  readonly lastDay: number
}

function hoursOf({ blocks, hourBefore }: LoadParameters): Times {
  let hour = hourBefore
  let first: ReturnType<typeof chainTime> | undefined
  for (const { time } of blocks) {
    const now = chainTime(time, hour)
    first ??= now
    hour = now.hour
  }
  const firstHour = first?.hour ?? hour
  const dayOf = (of: number): number => Math.floor(of / 24)
  return { firstHour, lastHour: hour, firstDay: dayOf(firstHour), lastDay: dayOf(hour) }
}

async function loadPeriods(queries: Kysely<Schema>, rows: RowSet, times: Times): Promise<void> {
  const { firstHour, lastHour, firstDay, lastDay } = times
  const periods = [
    { name: 'token_hour', column: 'hour', first: firstHour, last: lastHour },
    { name: 'token_day', column: 'day', first: firstDay, last: lastDay + DAYS_AHEAD },
    { name: 'cohort', column: 'active_week', first: weekOf(firstDay), last: weekOf(lastDay) },
  ] as const
  for (const { name, column, first, last } of periods) {
    const { rows: found } = await sql<never>`
      select * from ${sql.table(name)} where ${sql.ref(column)} between ${first} and ${last}`.execute(queries)
    rows.load(name, found, 'all')
  }
}

async function loadAgents(
  queries: Kysely<Schema>,
  rows: RowSet,
  of: {
    readonly token: number
    readonly agents: ReadonlySet<number>
    readonly first: number
    readonly last: number
  },
): Promise<void> {
  const { token, agents, first, last } = of
  const totals = await queries
    .selectFrom('agent_total')
    .selectAll()
    .where('token', '=', token)
    .where('agent', '=', idArray(agents))
    .execute()
  const known = [...agents].map((agent) => [token, agent])
  rows.load('agent_total', totals, known)
  const days = await queries
    .selectFrom('agent_day')
    .selectAll()
    .where('token', '=', token)
    .where('agent', '=', idArray(agents))
    .where('day', '>=', first)
    .where('day', '<=', last)
    .execute()
  rows.load('agent_day', days, known, { first, last })
}
