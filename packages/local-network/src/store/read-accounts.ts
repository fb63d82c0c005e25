import type { RecordType } from '@hailstone/ledger'
import type { Amount, FeeRule, FeeType, Hash, TokenId } from '@hailstone/protocol'
import { stakeOf } from './account-stake.ts'
import { anyNumber, batched, givenRows, numberArray, rowsByPlace, textArray } from './batched.ts'
import type { ChainStore, RecordSelection, StoredRecord } from './chain-store.ts'
import { ask, type Queries } from './queries.ts'
import type { Reads } from './reads.ts'
import { type StoredRow, toToken, transactionStatus } from './rows.ts'
import { begunParameters } from './stored-parameters.ts'

const RECORD_COUNT = 'select count from record_count where account = $1 and list = $2'

/** Of key blocks. Asked apart: without statistics, which the embedded engine never gathers, a join reads them all. */
async function timesOf(queries: Queries, heights: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (heights.length === 0) return new Map()
  const rows = await queries
    .selectFrom('key_block')
    .select(['height', 'time'])
    .where('height', '=', anyNumber(heights))
    .execute()
  return new Map(rows.map(({ height, time }) => [height, Number(time)]))
}

/** Columns of records with what they refer to, and of the lookups that find it. */
const RECORD_COLUMNS = `
  r.number, r.kind_number, r.record_type, r.hash as record_hash, r.value, r.is_reward,
  (select time from key_block where key_block.height = r.height) as time,
  case when r.is_reward then (
    select symbol from microblock join token on token.id = microblock.token_id where microblock.hash = r.hash
  ) end as symbol,
  t.fee_type, t.fee_value, t.fee_minimum, b.amount, b.token_id, b.data, b.status`

/** Of several copies of a transaction the one with the highest status (PROTOCOL 2.8). */
const REFERRED = `
  left join lateral (
    select amount, token_id, data, status from block_transaction
    where not r.is_reward and block_transaction.hash = r.hash order by status desc limit 1
  ) b on true
  left join lateral (
    select fee_type, fee_value, fee_minimum from token where token.id = b.token_id offset 0
  ) t on true`

/** By the number in the list: ordered by another one, the engine may read a whole history. */
const inOrder = (range: string, by: string): string => `
  select ${RECORD_COLUMNS} from account_record r ${REFERRED}
  where r.account = $1 and ${range} r.${by} >= $2 and r.${by} <= $3 order by r.${by} desc`

/** Pages of so many accounts, each from the newest record of its list back. */
const inPages = (range: string, by: string): string => `
  select given.place::integer as place, counted.count as total, page.*
  from ${givenRows({ account: 'text', page: 'bigint' })}
  cross join lateral (
    select count from record_count where account = given.account and list = $3 offset 0
  ) counted
  left join lateral (
    select ${RECORD_COLUMNS}, r.${by} as in_list from account_record r ${REFERRED}
    where r.account = given.account and ${range} r.${by} < counted.count - $4::integer * given.page
      and r.${by} >= counted.count - $4::integer * (given.page + 1)
    order by r.${by} desc limit $4::integer
  ) page on true
  order by given.place, page.in_list desc`

/** A range of one index for each kind of list, however long the history is. */
const recordsOf = {
  all: inOrder('', 'number'),
  kind: inOrder('r.is_reward = $4 and', 'kind_number'),
  type: inOrder('r.record_type = $4 and', 'type_number'),
} as const

const pagesOf = {
  all: inPages('', 'number'),
  kind: inPages('r.is_reward = $5 and', 'kind_number'),
  type: inPages('r.record_type = $5 and', 'type_number'),
} as const

type RecordRow = Pick<
  StoredRow<'account_record'>,
  'number' | 'kind_number' | 'record_type' | 'value' | 'is_reward'
> & {
  readonly record_hash: string
  readonly time: bigint | null
  readonly symbol: string | null
  readonly fee_type: number | null
  readonly fee_value: bigint
  readonly fee_minimum: bigint
} & (ReferredRow | { readonly [Column in keyof ReferredRow]: null })

/** Columns of the transaction that a transfer's record refers to. */
type ReferredRow = Pick<StoredRow<'block_transaction'>, 'amount' | 'token_id' | 'data' | 'status'>

type PageRow = { readonly place: number; readonly total: number } & (
  | RecordRow
  // A page beyond the last one.
  | { readonly record_hash: null }
)

/** The statement for a list among three, and what tells the list from others of its kind. */
function listOf<Of>(
  { of }: RecordSelection,
  statements: Readonly<Record<'all' | 'kind' | 'type', Of>>,
): { readonly statement: Of; readonly list: readonly (string | boolean)[] } {
  if (of === 'all') return { statement: statements.all, list: [] }
  if (of === 'rewards' || of === 'transactions')
    return { statement: statements.kind, list: [of === 'rewards'] }
  return { statement: statements.type, list: [of] }
}

const feeOf = ({ fee_type, fee_value, fee_minimum }: RecordRow): FeeRule | null =>
  fee_type === null
    ? null
    : {
        feeType: fee_type as FeeType,
        feeValue: fee_value as Amount,
        feeMinimum: fee_minimum as Amount,
      }

const referredOf = (row: RecordRow): StoredRecord['transaction'] =>
  row.status === null
    ? null
    : {
        amount: row.amount as Amount,
        tokenId: row.token_id as TokenId,
        data: row.data,
        status: transactionStatus(row.status),
      }

const toRecord = (row: RecordRow): StoredRecord => ({
  number: row.number,
  kindNumber: row.kind_number,
  type: row.record_type as RecordType,
  hash: row.record_hash as Hash,
  value: row.value,
  time: Number(row.time ?? 0),
  minedSymbol: row.symbol,
  transaction: referredOf(row),
  token: feeOf(row),
})

export const accountReads = {
  async token(queries, tokenId) {
    const row = await queries
      .selectFrom('token')
      .selectAll()
      .where('id', '=', tokenId.toLowerCase())
      .executeTakeFirst()
    return row && toToken(row)
  },
  async tokens(queries) {
    const rows = await queries.selectFrom('token').selectAll().orderBy('id').execute()
    return rows.map(toToken)
  },
  async balance(queries, account, tokenId) {
    const row = await queries
      .selectFrom('balance')
      .select('amount')
      .where('account', '=', account.toLowerCase())
      .where('token_id', '=', tokenId.toLowerCase())
      .executeTakeFirst()
    return row?.amount
  },
  async holdings(queries, account) {
    const rows = await queries
      .selectFrom('balance')
      .innerJoin('token', 'token.id', 'balance.token_id')
      .selectAll('token')
      .select('balance.amount')
      .where('balance.account', '=', account.toLowerCase())
      .orderBy('token.id')
      .execute()
    return rows.map((row) => ({ amount: row.amount, token: toToken(row) }))
  },
  async accountStake(queries, account) {
    const { transferLockBlocks } = await begunParameters(queries)
    const delegator = account.toLowerCase()
    const delegations = await queries
      .selectFrom('delegation')
      .select(['amount', 'reward'])
      .where('delegator', '=', delegator)
      .execute()
    const leaving = await queries
      .selectFrom('undelegation')
      .select(['amount', 'height'])
      .where('delegator', '=', delegator)
      .where('is_claimed', '=', false)
      .execute()
    const { height } = await queries
      .selectFrom('key_block')
      .select(({ fn }) => fn.max('height').as('height'))
      .executeTakeFirstOrThrow()
    return stakeOf(delegations, leaving, Number(height) - transferLockBlocks)
  },
  async recordCount(queries, account, { of }) {
    const [row] = await ask<{ count: number }>(queries, RECORD_COUNT, [account.toLowerCase(), of])
    return row?.count ?? 0
  },
  async records(queries, { account, selection, from, to }) {
    const { statement, list } = listOf(selection, recordsOf)
    const rows = await ask<RecordRow>(queries, statement, [account.toLowerCase(), from, to, ...list])
    return rows.map(toRecord)
  },
  async recordsOfHash(queries, hash) {
    const rows = await queries
      .selectFrom('account_record')
      .select(['account', 'hash', 'record_type', 'value', 'height'])
      .where('hash', '=', hash.toLowerCase())
      .orderBy('account')
      .orderBy('number')
      .execute()
    const times = await timesOf(queries, [...new Set(rows.map(({ height }) => height))])
    return rows.map((row) => ({
      account: row.account,
      hash: row.hash as Hash,
      time: times.get(row.height) ?? 0,
      type: row.record_type as RecordType,
      value: row.value,
    }))
  },
} satisfies Reads

type AskedPage = { readonly account: string; readonly page: number; readonly size: number }
type FoundPage = Awaited<ReturnType<ChainStore['recordPage']>>

async function recordPages(
  queries: Queries,
  selection: RecordSelection,
  asked: readonly AskedPage[],
): Promise<readonly FoundPage[]> {
  const { statement, list } = listOf(selection, pagesOf)
  const rows = await ask<PageRow>(queries, statement, [
    textArray(asked.map(({ account }) => account.toLowerCase())),
    numberArray(asked.map(({ page }) => page)),
    selection.of,
    asked[0]?.size ?? 0,
    ...list,
  ])
  return rowsByPlace(rows, asked.length).map((found) => ({
    total: found[0]?.total ?? 0,
    records: found.flatMap((row) => (row.record_hash === null ? [] : [toRecord(row)])),
  }))
}

/** One statement for all pages of a list and size. */
export function createRecordPages(queries: Queries): ChainStore['recordPage'] {
  const lists = new Map<string, (asked: AskedPage) => Promise<FoundPage>>()
  return ({ selection, ...asked }) => {
    const list = `${selection.of} ${asked.size}`
    const known = lists.get(list) ?? batched((all) => recordPages(queries, selection, all))
    lists.set(list, known)
    return known(asked)
  }
}
