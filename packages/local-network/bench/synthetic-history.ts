import { type Kysely, sql } from 'kysely'
import type { Schema } from '../src/store/schema.ts'

/** Length of the synthetic chain, and number of transactions in the one microblock of each macroblock. */
export type ChainSize = {
  readonly blocks: number
  readonly transactionsPerBlock: number
  /** Accounts that receive, in turns. @default 500 */
  readonly receivers?: number | undefined
}

const TRANSACTIONS_PER_BLOCK = 10
/** Each transaction is a record of its sender and one of its receiver; each microblock one of its publisher. */
const recordsPerBlock = (transactions: number): number => 2 * transactions + 1
const RECEIVERS = 500

export type SyntheticHistory = {
  /** Rows of account histories, about as many as were asked for. */
  readonly rows: number
  readonly blocks: number
  /** Sends every transaction and publishes every microblock: the longest history there can be. */
  readonly account: string
  readonly receiver: (number: number) => string
  readonly transactionHash: (number: number) => string
  readonly microblockHash: (height: number) => string
  readonly keyBlockHash: (height: number) => string
  readonly transactions: number
}

const hex = (prefix: string, number: number): string => prefix + number.toString(16).padStart(62, '0')
const hexSql = (prefix: string, number: string): string => `'${prefix}' || lpad(to_hex(${number}), 62, '0')`

const ACCOUNT = `02${'a'.repeat(64)}`
const ZEROS = '0'.repeat(64)
const SIGNATURE = '30'.repeat(70)

/** Rows as a chain would have left them, made by the engine itself: mining a million would take an hour. */
const statementsFor = (size: ChainSize): readonly string[] => {
  const { blocks, transactionsPerBlock: perBlock, receivers = RECEIVERS } = size
  const heights = `generate_series(0, ${blocks - 1}) as height`
  const transactions = `generate_series(0, ${blocks * perBlock - 1}) as n`
  const receiver = `'03' || lpad(to_hex(n % ${receivers}), 64, '0')`
  const time = '1700000000'
  return [
    `insert into key_block select height, ${hexSql('0b', 'height')}, ${time} + 15 * height, '${ACCOUNT}', 1,
       ${hexSql('0b', 'height - 1')}, '${ZEROS}', '${ZEROS}', 16777216, 10 from ${heights} where height > 0`,
    `insert into key_block values (${blocks}, '${hex('0b', blocks)}', ${time}, '${ACCOUNT}', 1, '${hex('0b', blocks - 1)}', '${ZEROS}', '${ZEROS}', 16777216, null)`,
    `insert into microblock select ${hexSql('0c', 'height')}, height, '${ACCOUNT}', 1, '${'0'.repeat(64)}', null,
       '${SIGNATURE}', 5, ${perBlock} from ${heights}`,
    `insert into stat_block select ${hexSql('0d', 'height')}, height, '${'e'.repeat(64)}', '', '', 5 from ${heights}`,
    `insert into block_transaction select ${hexSql('0c', `n / ${perBlock}`)}, n % ${perBlock}, ${hexSql('0e', 'n')},
       '${ACCOUNT}', ${receiver}, 7, n, '${'0'.repeat(64)}', '', '${SIGNATURE}', 3 from ${transactions}`,
    `insert into account_record select '${ACCOUNT}', n + n / ${perBlock}, n, n, false, 'iout', ${hexSql('0e', 'n')}, 7,
       n / ${perBlock} from ${transactions}`,
    `insert into account_record select ${receiver}, n / ${receivers}, n / ${receivers}, n / ${receivers}, false, 'iin',
       ${hexSql('0e', 'n')}, 7, n / ${perBlock} from ${transactions}`,
    `insert into account_record select '${ACCOUNT}', height * ${perBlock + 1} + ${perBlock}, height, height, true, 'im',
       ${hexSql('0c', 'height')}, 5, height from ${heights}`,
    `insert into record_count select account, 'all', count(*) from account_record group by account`,
    `insert into record_count select account, case when is_reward then 'rewards' else 'transactions' end, count(*)
       from account_record group by account, is_reward`,
    `insert into record_count select account, record_type, count(*) from account_record group by account, record_type`,
    `insert into balance select account, '${'0'.repeat(64)}', 1000 from record_count where list = 'all'
       on conflict do nothing`,
    `insert into reward_total select height, 5 * (height + 1), 10 * (height + 1), 5 * (height + 1) from ${heights}`,
    'delete from chain_total',
    `insert into chain_total values ('transactions', ${blocks * perBlock}), ('busiest macroblock', ${perBlock})`,
  ]
}

/** Of a chain whose histories have about so many rows. */
export function sizeOfRows(rows: number): ChainSize {
  const blocks = Math.max(2, Math.ceil(rows / recordsPerBlock(TRANSACTIONS_PER_BLOCK)))
  return { blocks, transactionsPerBlock: TRANSACTIONS_PER_BLOCK }
}

/** Fills an empty, migrated database that has its parameters and block 0. */
export async function writeSyntheticHistory(
  queries: Kysely<Schema>,
  size: ChainSize,
): Promise<SyntheticHistory> {
  const { blocks, transactionsPerBlock, receivers = RECEIVERS } = size
  await sql`update key_block set reward = 10 where height = 0`.execute(queries)
  await queries.transaction().execute(async (transaction) => {
    for (const statement of statementsFor(size)) await sql.raw(statement).execute(transaction)
  })
  return {
    rows: blocks * recordsPerBlock(transactionsPerBlock),
    blocks,
    account: ACCOUNT,
    receiver: (number) => `03${(number % receivers).toString(16).padStart(64, '0')}`,
    transactionHash: (number) => hex('0e', number),
    microblockHash: (height) => hex('0c', height),
    keyBlockHash: (height) => hex('0b', height),
    transactions: blocks * transactionsPerBlock,
  }
}
