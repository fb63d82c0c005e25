import { sql } from 'kysely'
import type { MacroblockClosing } from './chain-store.ts'
import { type Queries, upsertAll } from './queries.ts'

const TRANSACTIONS = 'transactions'
const BUSIEST = 'busiest macroblock'

export type ChainTotals = {
  /** Copies in microblocks, whatever became of them. */
  readonly transactions: number
  /** Most transactions of one macroblock. */
  readonly busiestMacroblock: number
}

export async function readTotals(queries: Queries): Promise<ChainTotals> {
  const rows = await queries.selectFrom('chain_total').selectAll().execute()
  const units = new Map(rows.map((row) => [row.name, Number(row.units)]))
  return { transactions: units.get(TRANSACTIONS) ?? 0, busiestMacroblock: units.get(BUSIEST) ?? 0 }
}

/** Part of storing a macroblock. */
export async function addToTotals(queries: Queries, { macroblock }: MacroblockClosing): Promise<void> {
  const added = macroblock.microblocks.reduce((sum, { transactions }) => sum + transactions.length, 0)
  const { transactions, busiestMacroblock } = await readTotals(queries)
  await upsertAll(
    queries,
    'chain_total',
    ['name'],
    [
      { name: TRANSACTIONS, units: BigInt(transactions + added) },
      { name: BUSIEST, units: BigInt(Math.max(busiestMacroblock, added)) },
    ],
  )
}

/** After macroblocks were taken away. */
export async function recountTotals(queries: Queries): Promise<void> {
  await queries.deleteFrom('chain_total').execute()
  await sql`insert into chain_total select ${TRANSACTIONS}, count(*) from block_transaction`.execute(queries)
  await sql`
    insert into chain_total select ${BUSIEST}, coalesce(max(transactions), 0)
      from (select sum(transaction_count) as transactions from microblock group by height) as macroblock
  `.execute(queries)
}
