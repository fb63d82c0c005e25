import { type Index, type IndexPlace, openIndex } from '@hailstone/indexer'
import { sql } from 'kysely'
import { partitionedTables } from '../../../packages/indexer/src/migrations.ts'
import { makePartitions } from '../../../packages/indexer/src/store/partitions.ts'
import { openLabelTables } from '../src/labels/label-tables.ts'

export type SeedSize = {
  readonly miners: number
  /** Each block has ten of them. @default 20 for each miner */
  readonly rewards?: number | undefined
}

/** Height of the first block: the large tables have more than one partition. */
const FIRST_HEIGHT = 245_000
const MICROBLOCKS_PER_BLOCK = 4
/** Three of four microblocks name an agent and have three rewards, the fourth has one. */
const REWARDS_PER_BLOCK = 10
/** One block a minute: the newest 7 days are as large in every size. */
const SECONDS_PER_BLOCK = 60
const AGENTS = 500
/** Miners below the least stake, of whom the page shows 200. */
const BELOW = 150
const COIN = 10n ** 11n
/** Days of which the figures are left and the rows were dropped: a table of days is large in every size. */
const OLDER_DAYS = 2500

export const TOKEN_ID = 'ab'.repeat(32)

const weekOf = (day: number): number => Math.floor((day + 3) / 7)

/** Returns the address of an account by its number. */
export const addressOf = (account: number): string => `02${account.toString(16).padStart(64, '0')}`

/**
 * Fills an index by SQL, as a chain of this size would leave it: miners 1 to n, agents, the owner and a payer after them.
 * Miner 1 has each fiftieth microblock, and the payer each tenth transfer.
 */
export async function openSeeded(
  place: IndexPlace,
  { miners, rewards = 20 * miners }: SeedSize,
): Promise<Index> {
  const index = await openIndex(place)
  const { queries } = index
  const blocks = Math.ceil(rewards / REWARDS_PER_BLOCK)
  const [owner, payer] = [miners + AGENTS + 1, miners + AGENTS + 2]
  const accounts = miners + AGENTS + 2 + Math.floor(miners / 5)
  const end = FIRST_HEIGHT + blocks
  const start = 1_700_000_000 - (1_700_000_000 % 86_400)
  const days = Math.ceil((blocks * SECONDS_PER_BLOCK) / 86_400)
  const first = start / 86_400
  await makePartitions(queries, { from: FIRST_HEIGHT, to: end })
  const statements = [
    `insert into network values (1, 'http://127.0.0.1:1', 'origin', 'native', 0)`,
    `insert into account select n, '02' || lpad(to_hex(n), 64, '0'), ${FIRST_HEIGHT} from generate_series(1, ${accounts}) n`,
    `insert into token values (1, '${TOKEN_ID}', ${owner}, 'HAIL', null, 11, 0, 0, 0, ${10n ** 19n}, ${COIN}, ${COIN}, ${COIN}, 5000, 0, ${10n ** 18n})`,
    `insert into block select h, md5('hash' || h), md5('hash' || h + 1), t, t / 86400, t / 3600, ${MICROBLOCKS_PER_BLOCK}, ${MICROBLOCKS_PER_BLOCK}, true
      from (select h, ${start}::bigint + (h - ${FIRST_HEIGHT}) * ${SECONDS_PER_BLOCK} as t from generate_series(${FIRST_HEIGHT}, ${end - 1}) h) b`,
    `insert into microblock select h, o, 1,
        case when (h * 4 + o) % 50 = 0 then 1 else 1 + (h::bigint * 4 + o) * 7919 % ${miners} end,
        case when (h + o) % 4 > 0 then ${miners} + 1 + (h * 31 + o * 7) % ${AGENTS} end, md5(h || ' ' || o) || md5(o || ' ' || h), ${COIN}
      from generate_series(${FIRST_HEIGHT}, ${end - 1}) h, generate_series(0, ${MICROBLOCKS_PER_BLOCK - 1}) o`,
    `insert into reward select height, ordinal * 3 + kind - 1, 1, case when kind = 3 then agent else account end, kind, ordinal,
        ${COIN / 10n}, null from microblock, generate_series(1, 3) kind where kind = 1 or agent is not null`,
    `insert into transfer select h, 0, 1, case when h % 10 = 0 then ${payer} else 1 + h::bigint * 104729 % ${miners} end,
        1 + h::bigint * 15485863 % ${miners}, ${COIN}, 0, case when h % 100 = 7 then 2 else 3 end, md5('t' || h) || md5('u' || h), ''
      from generate_series(${FIRST_HEIGHT}, ${end - 1}) h`,
    `insert into miner select 1, account, min(m.height), min(b.day), max(m.height), max(b.day), max(b.hour), count(distinct b.day), count(*),
        count(*) * ${COIN / 10n} + account % 97, max(agent), min(m.height), account between 2 and ${BELOW + 1} from microblock m join block b on b.height = m.height group by account`,
    `insert into holding select 1, n, case when n between 2 and ${BELOW + 1} then ${COIN / 2n} when n > ${payer} then ${COIN / 4n}
        else ${COIN} * (1 + n % 64) end from generate_series(1, ${accounts}) n`,
    // Each account got its stake once; one crossed it back and forth with every tenth of the newest blocks.
    `insert into stake_change select 1, n, ${FIRST_HEIGHT} + n % ${blocks}, false from generate_series(1, ${accounts}) n where n <> 2`,
    `insert into stake_change select 1, 2, h, (h / 10) % 2 = 0 from generate_series(${end - Math.min(blocks, 5000)}, ${end - 1}) h where h % 10 = 0`,
    `insert into stake_band select 1, band, ${miners} / 8, ${miners} / 8 from generate_series(-1, 6) band`,
    `insert into agent_change select 1, account, first_height, agent from miner where agent is not null`,
    `insert into agent_total select 1, ${miners} + n, ${miners} / ${AGENTS}, n * 100, n * ${COIN}, 0, ${first}, ${first + days} from generate_series(1, ${AGENTS}) n`,
    `insert into agent_day select 1, ${miners} + n, d, 10, ${COIN}, 0, 1 from generate_series(1, ${AGENTS}) n, generate_series(${first}, ${first + days - 1}) d`,
    `insert into token_day select 1, d, ${miners} / 2, 10, 1, 10, 10, 1440, 5760, ${COIN}, ${COIN}, ${COIN}, 0, 0, 1440, 0, 14
      from generate_series(${first - OLDER_DAYS}, ${first + days - 1}) d`,
    `insert into token_hour select 1, h, ${miners} / 9, 240, ${COIN}, ${COIN}, 60, 0, 1 from generate_series(${first * 24}, ${(first + days) * 24 - 1}) h`,
    `insert into cohort select 1, a, w, 10 from generate_series(${weekOf(first - OLDER_DAYS)}, ${weekOf(first + days - 1)}) w,
      generate_series(w, ${weekOf(first + days - 1)}) a`,
    `insert into owner_balance select 1, d, 0, ${COIN} * 1000 - d from generate_series(${first}, ${first + days - 1}) d`,
    `insert into cursor values (1, ${end - 1}, md5('hash${end - 1}'), md5('hash${end}'), null, 0, ${end - 1}, ${FIRST_HEIGHT}, 'current', null, now())`,
  ]
  await queries.transaction().execute(async (transaction) => {
    // Indexes of many rows are made in a fraction of the time once the rows are there.
    const indexes = await sql<{ name: string; text: string }>`select indexname as name, indexdef as text
      from pg_indexes where schemaname = current_schema() and tablename in (${sql.join([...partitionedTables])})
        and indexname not like '%_pkey'`.execute(transaction)
    const later = indexes.rows.map(({ text }) => text.replace(' ON ONLY ', ' ON '))
    const all = [
      `set local maintenance_work_mem = '512MB'`,
      `set local work_mem = '256MB'`,
      ...indexes.rows.map(({ name }) => `drop index ${name}`),
      ...statements,
      ...later,
    ]
    for (const statement of all) await sql`${sql.raw(statement)}`.execute(transaction)
  })
  await openLabelTables(index)
  await sql`insert into hailstone_console.label values (${addressOf(payer)}, 'Treasury', 'payer')`.execute(
    queries,
  )
  await sql`vacuum analyze`.execute(queries)
  return index
}
