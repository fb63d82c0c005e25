import type { Hash } from '@hailstone/protocol'
import type { RecordType } from '../ledger/index.ts'
import type {
  AccountStake,
  ChainStore,
  CountedToken,
  HeldToken,
  RecordOfHash,
  RecordSelection,
  StoredRecord,
} from './chain-store.ts'
import type { Queries } from './queries.ts'
import { toBlockTransaction, toToken } from './rows.ts'

async function token(queries: Queries, tokenId: string): Promise<CountedToken | undefined> {
  const row = await queries
    .selectFrom('token')
    .selectAll()
    .where('id', '=', tokenId.toLowerCase())
    .executeTakeFirst()
  return row && toToken(row)
}

async function tokens(queries: Queries): Promise<readonly CountedToken[]> {
  const rows = await queries.selectFrom('token').selectAll().orderBy('id').execute()
  return rows.map(toToken)
}

async function balance(queries: Queries, account: string, tokenId: string): Promise<bigint | undefined> {
  const row = await queries
    .selectFrom('balance')
    .select('amount')
    .where('account', '=', account.toLowerCase())
    .where('token_id', '=', tokenId.toLowerCase())
    .executeTakeFirst()
  return row?.amount
}

async function holdings(queries: Queries, account: string): Promise<readonly HeldToken[]> {
  const rows = await queries
    .selectFrom('balance')
    .innerJoin('token', 'token.id', 'balance.token_id')
    .selectAll('token')
    .select('balance.amount')
    .where('balance.account', '=', account.toLowerCase())
    .orderBy('token.id')
    .execute()
  return rows.map((row) => ({ amount: row.amount, token: toToken(row) }))
}

const sum = (units: readonly bigint[]): bigint => units.reduce((total, amount) => total + amount, 0n)

async function accountStake(queries: Queries, account: string, lockBlocks: number): Promise<AccountStake> {
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
  const amounts = (isLocked: boolean): readonly bigint[] =>
    leaving.filter((one) => Number(height) < one.height + lockBlocks === isLocked).map(({ amount }) => amount)
  return {
    delegated: sum(delegations.map(({ amount }) => amount)),
    stakingReward: sum(delegations.map(({ reward }) => reward)),
    inTransit: sum(amounts(true)),
    undelegated: sum(amounts(false)),
  }
}

async function recordCount(queries: Queries, account: string, { of }: RecordSelection): Promise<number> {
  const row = await queries
    .selectFrom('record_count')
    .select('count')
    .where('account', '=', account.toLowerCase())
    .where('list', '=', of)
    .executeTakeFirst()
  return row?.count ?? 0
}

/** The records of one list between two running numbers: a range of one index, however long the history is. */
function selected(queries: Queries, parameters: Parameters<ChainStore['records']>[0]) {
  const { account, selection, from, to } = parameters
  const ofAccount = queries
    .selectFrom('account_record')
    .where('account_record.account', '=', account.toLowerCase())
  if (selection.of === 'all')
    return ofAccount.where('account_record.number', '>=', from).where('account_record.number', '<=', to)
  if (selection.of === 'rewards' || selection.of === 'transactions')
    return ofAccount
      .where('account_record.is_reward', '=', selection.of === 'rewards')
      .where('account_record.kind_number', '>=', from)
      .where('account_record.kind_number', '<=', to)
  return ofAccount
    .where('account_record.record_type', '=', selection.of)
    .where('account_record.type_number', '>=', from)
    .where('account_record.type_number', '<=', to)
}

/** The transactions behind records: of several copies the one with the highest status (PROTOCOL 2.8). */
async function transactionsByHash(queries: Queries, hashes: readonly string[]) {
  if (hashes.length === 0) return new Map<string, Pick<StoredRecord, 'transaction' | 'token'>>()
  const rows = await queries
    .selectFrom('block_transaction')
    .distinctOn('hash')
    .selectAll()
    .where('hash', 'in', hashes)
    .orderBy('hash')
    .orderBy('status', 'desc')
    .execute()
  const tokenRows = await queries
    .selectFrom('token')
    .selectAll()
    .where('id', 'in', [...new Set(rows.map((row) => row.token_id))])
    .execute()
  const known = new Map(tokenRows.map((row) => [row.id, toToken(row)]))
  return new Map(
    rows.map((row) => [
      row.hash,
      { transaction: toBlockTransaction(row), token: known.get(row.token_id) ?? null },
    ]),
  )
}

/** Of key blocks. Asked apart: without statistics, which the embedded engine never gathers, a join reads them all. */
async function timesOf(queries: Queries, heights: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (heights.length === 0) return new Map()
  const rows = await queries
    .selectFrom('key_block')
    .select(['height', 'time'])
    .where('height', 'in', heights)
    .execute()
  return new Map(rows.map(({ height, time }) => [height, Number(time)]))
}

/** Short names of the tokens that microblocks were mined in. */
async function minedSymbols(
  queries: Queries,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map()
  const rows = await queries
    .selectFrom('microblock')
    .innerJoin('token', 'token.id', 'microblock.token_id')
    .select(['microblock.hash', 'token.symbol'])
    .where('microblock.hash', 'in', hashes)
    .execute()
  return new Map(rows.map(({ hash, symbol }) => [hash, symbol]))
}

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]

async function records(
  queries: Queries,
  parameters: Parameters<ChainStore['records']>[0],
): Promise<readonly StoredRecord[]> {
  const rows = await selected(queries, parameters)
    .select(['number', 'kind_number', 'record_type', 'hash', 'value', 'is_reward', 'height'])
    .orderBy('account_record.number', 'desc')
    .execute()
  const hashesOf = (isReward: boolean) =>
    distinct(rows.filter((row) => row.is_reward === isReward).map(({ hash }) => hash))
  const times = await timesOf(queries, distinct(rows.map(({ height }) => height)))
  const symbols = await minedSymbols(queries, hashesOf(true))
  const found = await transactionsByHash(queries, hashesOf(false))
  return rows.map((row) => ({
    number: row.number,
    kindNumber: row.kind_number,
    type: row.record_type as RecordType,
    hash: row.hash as Hash,
    value: row.value,
    time: times.get(row.height) ?? 0,
    minedSymbol: symbols.get(row.hash) ?? null,
    ...(row.is_reward
      ? { transaction: null, token: null }
      : (found.get(row.hash) ?? { transaction: null, token: null })),
  }))
}

async function recordsOfHash(queries: Queries, hash: string): Promise<readonly RecordOfHash[]> {
  const rows = await queries
    .selectFrom('account_record')
    .select(['account', 'hash', 'record_type', 'value', 'height'])
    .where('hash', '=', hash.toLowerCase())
    .orderBy('account')
    .orderBy('number')
    .execute()
  const times = await timesOf(queries, distinct(rows.map(({ height }) => height)))
  return rows.map((row) => ({
    account: row.account,
    hash: row.hash as Hash,
    time: times.get(row.height) ?? 0,
    type: row.record_type as RecordType,
    value: row.value,
  }))
}

type AccountReads = Pick<
  ChainStore,
  'token' | 'tokens' | 'balance' | 'holdings' | 'accountStake' | 'recordCount' | 'records' | 'recordsOfHash'
>

export const accountReads = (
  queries: Queries,
  network: () => Promise<{ readonly transferLockBlocks: number }>,
): AccountReads => ({
  token: (tokenId) => token(queries, tokenId),
  tokens: () => tokens(queries),
  balance: (account, tokenId) => balance(queries, account, tokenId),
  holdings: (account) => holdings(queries, account),
  accountStake: async (account) => accountStake(queries, account, (await network()).transferLockBlocks),
  recordCount: (account, selection) => recordCount(queries, account, selection),
  records: (parameters) => records(queries, parameters),
  recordsOfHash: (hash) => recordsOfHash(queries, hash),
})
