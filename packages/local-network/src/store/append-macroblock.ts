import {
  type AccountRecord,
  byHash,
  type CalculatedTransaction,
  isTransferRecord,
  type LedgerParameters,
  type NumberedRecord,
  numberRecords,
} from '@hailstone/ledger'
import {
  apiError,
  type Hash,
  type Macroblock,
  type Microblock,
  type NodeError,
  type TokenId,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'
import { anyText } from './batched.ts'
import type { MacroblockClosing } from './chain-store.ts'
import { addToTotals } from './chain-totals.ts'
import { insertAll, type Queries, upsertAll } from './queries.ts'
import { addRewardTotals } from './reward-totals.ts'
import { keyBlockRow, type NewRow, statusCode } from './rows.ts'
import { countTransfers, type TransferCount } from './transfer-counts.ts'
import { writeLedgerChanges } from './write-ledger.ts'

/** Default number of microblocks that are calculated at once. */
export const MICROBLOCKS_PER_BATCH = 10

type PlacedTransaction = {
  readonly microblockHash: Hash
  readonly position: number
  readonly hash: Hash
  readonly transaction: Transaction
}

const inconsistent = (height: number, reason: string): NodeError =>
  apiError('CHAIN_INCONSISTENT', { height, reason })

/** The transactions of a macroblock in the order they were calculated in. */
const placedTransactions = (microblocks: readonly Microblock[]): readonly PlacedTransaction[] =>
  microblocks.flatMap(({ hash: microblockHash, transactions }) =>
    byHash(transactions.map((transaction) => ({ hash: transactionHash(transaction), transaction }))).map(
      (placed, position) => ({ ...placed, microblockHash, position }),
    ),
  )

const transactionRow = (
  { microblockHash, position, hash, transaction }: PlacedTransaction,
  status: CalculatedTransaction['status'],
): NewRow<'block_transaction'> => ({
  microblock_hash: microblockHash,
  position,
  hash,
  sender: transaction.from,
  receiver: transaction.to,
  amount: transaction.amount,
  nonce: BigInt(transaction.nonce),
  token_id: transaction.tokenId,
  data: transaction.data,
  signature: transaction.signature,
  status: statusCode(status),
})

async function writeTransactions(queries: Queries, closing: MacroblockClosing): Promise<void> {
  const { macroblock, closed } = closing
  const calculated = closed.report.transactions
  const placed = placedTransactions(byHash(macroblock.microblocks))
  const rows = placed.map((one, at) => {
    const result = calculated[at]
    if (result?.hash !== one.hash || result.microblockHash !== one.microblockHash)
      throw inconsistent(macroblock.keyBlock.height, 'the report is about other transactions')
    return transactionRow(one, result.status)
  })
  await insertAll(queries, 'block_transaction', rows)
}

async function writeBlocks(queries: Queries, closing: MacroblockClosing): Promise<void> {
  const { keyBlock, microblocks, statBlocks } = closing.macroblock
  const { microblockRewards, statBlockRewards } = closing.closed.report
  const rewards = new Map(
    [...microblockRewards, ...statBlockRewards].map(({ hash, reward }) => [hash, reward]),
  )
  const common = ({ hash }: { readonly hash: Hash }) => ({
    hash,
    height: keyBlock.height,
    reward: rewards.get(hash) ?? 0n,
  })
  const microblockRows = microblocks.map((block) => ({
    ...common(block),
    publisher: block.publisher,
    nonce: BigInt(block.nonce),
    token_id: block.tokenId,
    referral_agent: block.referralAgent,
    signature: block.signature,
    transaction_count: block.transactions.length,
  }))
  const statBlockRows = statBlocks.map((block) => ({
    ...common(block),
    publisher: block.publisher,
    bulletin: block.bulletin,
    signature: block.signature,
  }))
  await insertAll(queries, 'microblock', microblockRows)
  await insertAll(queries, 'stat_block', statBlockRows)
}

async function recordCounts(
  queries: Queries,
  accounts: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const counts = new Map(accounts.map((account) => [account, new Map<string, number>()]))
  if (accounts.length === 0) return counts
  const rows = await queries
    .selectFrom('record_count')
    .selectAll()
    .where('account', '=', anyText(accounts))
    .execute()
  for (const { account, list, count } of rows) counts.get(account)?.set(list, count)
  return counts
}

const recordRow = (record: NumberedRecord, height: number): NewRow<'account_record'> => ({
  account: record.account,
  number: record.number,
  kind_number: record.kindNumber,
  type_number: record.typeNumber,
  is_reward: !isTransferRecord(record.type),
  record_type: record.type,
  hash: record.hash,
  value: record.value,
  height,
})

/** The record with the highest number of a list says how many there are now. */
function* newCounts(records: readonly NumberedRecord[]): Iterable<NewRow<'record_count'>> {
  for (const { account, type, number, kindNumber, typeNumber } of records) {
    yield { account, list: 'all', count: number + 1 }
    yield { account, list: isTransferRecord(type) ? 'transactions' : 'rewards', count: kindNumber + 1 }
    yield { account, list: type, count: typeNumber + 1 }
  }
}

async function writeRecords(
  queries: Queries,
  records: readonly AccountRecord[],
  height: number,
): Promise<void> {
  const counts = await recordCounts(queries, [...new Set(records.map(({ account }) => account))])
  const numbered = numberRecords(records, (account, list) => counts.get(account)?.get(list) ?? 0)
  const newest = new Map(Array.from(newCounts(numbered), (row) => [`${row.account} ${row.list}`, row]))
  await insertAll(
    queries,
    'account_record',
    numbered.map((record) => recordRow(record, height)),
  )
  await upsertAll(queries, 'record_count', ['account', 'list'], [...newest.values()])
}

/** Confirmed transfers of a macroblock by round and token. */
export function transferRounds(
  { macroblock, closed }: Pick<MacroblockClosing, 'macroblock' | 'closed'>,
  microblocksPerBatch: number,
): readonly TransferCount[] {
  const tokenOf = new Map<Hash, TokenId>()
  for (const { transactions } of macroblock.microblocks) {
    for (const transaction of transactions) tokenOf.set(transactionHash(transaction), transaction.tokenId)
  }
  return countTransfers({
    microblockHashes: byHash(macroblock.microblocks).map(({ hash }) => hash),
    confirmed: closed.report.transactions.filter(({ status }) => status === 'confirmed'),
    tokenOf: (hash) => tokenOf.get(hash),
    microblocksPerBatch,
  })
}

/** After the new tokens are written: a token counts the transaction that creates it for the native token alone. */
async function writeTransferCounts(
  queries: Queries,
  closing: MacroblockClosing,
  microblocksPerBatch: number,
): Promise<void> {
  const rounds = transferRounds(closing, microblocksPerBatch)
  for (const { tokenId, count } of rounds) {
    await queries
      .updateTable('token')
      .set(({ case: when, eb }) => ({
        transfer_count: when()
          .when('transfer_count', '=', 0n)
          .then(1n)
          .else(eb('transfer_count', '+', BigInt(count)))
          .end(),
      }))
      .where('id', '=', tokenId)
      .execute()
  }
}

async function closeKeyBlock(queries: Queries, { keyBlock }: Macroblock, reward: bigint): Promise<void> {
  const { numUpdatedRows } = await queries
    .updateTable('key_block')
    .set({ reward })
    .where('height', '=', keyBlock.height)
    .where('hash', '=', keyBlock.hash)
    .where('reward', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw inconsistent(keyBlock.height, 'the key block to close is not the open one')
}

/** Stores a calculated macroblock and opens the next key block; to be run inside one transaction. */
export async function appendMacroblock(
  queries: Queries,
  closing: MacroblockClosing,
  { microblocksPerBatch = MICROBLOCKS_PER_BATCH, nativeTokenId }: LedgerParameters,
): Promise<void> {
  const { macroblock, closed, nextKeyBlock } = closing
  await closeKeyBlock(queries, macroblock, closed.report.keyBlockReward)
  await writeBlocks(queries, closing)
  await writeTransactions(queries, closing)
  await writeRecords(queries, closed.report.records, macroblock.keyBlock.height)
  await writeLedgerChanges(queries, closed.changes, macroblock.keyBlock.height)
  await writeTransferCounts(queries, closing, microblocksPerBatch)
  await addToTotals(queries, closing)
  await addRewardTotals(queries, closing, nativeTokenId)
  await insertAll(queries, 'key_block', [{ ...keyBlockRow(nextKeyBlock), reward: null }])
}
