import {
  type AccountRecord,
  type Amount,
  accountEndpoint,
  type Endpoint,
  type FeeRule,
  type HistoryPage,
  incomingEndpoint,
  keyBlockRewardsEndpoint,
  type MinedRecord,
  miningRewardsEndpoint,
  netAmount,
  outgoingEndpoint,
  type Parameter,
  type ReferralRewardRecord,
  type RewardRecord,
  recordsOfHashEndpoint,
  referralRewardsEndpoint,
  rewardsEndpoint,
  statBlockRewardsEndpoint,
  type TransactionRecord,
  type TransferRecord,
  transactionsEndpoint,
  transferFee,
} from '@hailstone/protocol'
import type { ChainStore, RecordSelection, StoredRecord } from '../../store/index.ts'
import type { ApiParts } from '../api-parts.ts'
import { missing } from '../api-refusal.ts'
import { historyPageCount, PAGE_SIZE } from '../history-page.ts'
import { isPageNumber, pageNumber } from '../page-number.ts'
import { type Route, route } from '../route.ts'

type Transfer = {
  readonly transaction: NonNullable<StoredRecord['transaction']>
  readonly token: FeeRule | null
}

const amountOf = ({ value }: StoredRecord): Amount => value as Amount

/** Stored with its macroblock, so a transfer's record without its transaction means a broken store. */
function transferOf({ transaction, token, hash }: StoredRecord): Transfer {
  if (transaction === null) throw new Error(`the transaction ${hash} of a record is not stored`)
  return { transaction, token }
}

const feeFields = ({ transaction, token }: Transfer) => ({
  tokenId: transaction.tokenId,
  feeType: token?.feeType ?? null,
  feeValue: token?.feeValue ?? null,
  feeMinimum: token?.feeMinimum ?? null,
})

const common = ({ number, hash, time }: StoredRecord) => ({ index: number, hash, time })

const rewardRecord = (stored: StoredRecord): RewardRecord => ({
  ...common(stored),
  rewardIndex: stored.kindNumber,
  recordType: stored.type,
  amount: amountOf(stored),
  symbol: stored.minedSymbol,
})

function transactionRecord(stored: StoredRecord): TransactionRecord {
  const transfer = transferOf(stored)
  return {
    ...common(stored),
    recordType: stored.type,
    amount: amountOf(stored),
    data: transfer.transaction.data,
    status: transfer.transaction.status,
    ...feeFields(transfer),
  }
}

const referralRewardRecord = (stored: StoredRecord): ReferralRewardRecord => ({
  ...common(stored),
  referralReward: amountOf(stored),
})

/** One of the reward columns is set, by the type of the record; other rewards have none. */
const rewardColumns = (stored: StoredRecord) => ({
  keyBlockReward: stored.type === 'ik' ? amountOf(stored) : null,
  statBlockReward: stored.type === 'istat' ? amountOf(stored) : null,
  miningReward: stored.type === 'im' ? amountOf(stored) : null,
})

const minedRecord = (stored: StoredRecord): MinedRecord => ({
  ...common(stored),
  ...rewardColumns(stored),
  output: null,
  input: null,
})

/** Net for a known token, as computed text; gross in the database's form for an unknown one (PROTOCOL 3.5.11). */
function movement({ type }: StoredRecord, { transaction, token }: Transfer) {
  const amount =
    token === null
      ? { units: transaction.amount, isComputed: false }
      : { units: netAmount(token, transaction.amount), isComputed: true }
  return { output: type === 'iout' ? amount : null, input: type === 'iin' ? amount : null }
}

function transferRecord(stored: StoredRecord): TransferRecord {
  const transfer = transferOf(stored)
  const { transaction, token } = transfer
  return {
    ...common(stored),
    ...rewardColumns(stored),
    ...movement(stored, transfer),
    status: transaction.status,
    ...feeFields(transfer),
    fee: token === null ? undefined : transferFee(token, transaction.amount),
  }
}

const rewardOfAnyKind = (stored: StoredRecord): AccountRecord => ({
  ...common(stored),
  recordType: stored.type,
  ...rewardColumns(stored),
  referralReward: stored.type === 'iref' ? amountOf(stored) : null,
  output: null,
  input: null,
  status: null,
  tokenId: null,
  feeType: null,
  feeValue: null,
  feeMinimum: null,
})

const anyRecord = (stored: StoredRecord): AccountRecord =>
  stored.transaction === null
    ? rewardOfAnyKind(stored)
    : { ...transferRecord(stored), recordType: stored.type, referralReward: null }

type HistoryEndpoint<Entry> = Endpoint<
  { readonly address: Parameter<'address', false>; readonly page: Parameter<'page', true> },
  HistoryPage<Entry>
>

/** The records of a page, if one is asked for, and the number of records in the list. */
async function readPage(
  store: ChainStore,
  {
    account,
    selection,
    page,
  }: { readonly account: string; readonly selection: RecordSelection; readonly page: string },
): Promise<{ readonly total: number; readonly records: readonly StoredRecord[] | null }> {
  if (isPageNumber(page))
    return store.recordPage({ account, selection, page: pageNumber(page, 'page'), size: PAGE_SIZE })
  const total = await store.recordCount(account, selection)
  // An account without records has none on whatever page.
  if (total > 0 && page !== '') pageNumber(page, 'page')
  return { total, records: null }
}

/**
 * One history in the network's shape: `records` are absent without a page, `records` and `page_count` for an
 * account that has none; only the history of everything says so in words (PROTOCOL 3.2, 3.5.11).
 */
function history<Entry>(
  { store, network }: ApiParts,
  endpoint: HistoryEndpoint<Entry>,
  given: { readonly selection: RecordSelection; readonly toEntry: (stored: StoredRecord) => Entry },
): Route {
  const { selection, toEntry } = given
  const answer = async ({
    address: account,
    page,
  }: {
    readonly address?: string
    readonly page?: string
  }): Promise<HistoryPage<Entry>> => {
    if (account === undefined) throw missing('id')
    const balance = ((await store.balance(account, network.ledger.nativeTokenId)) ?? 0n) as Amount
    const { total, records } = await readPage(store, { account, selection, page: page ?? '' })
    if (total === 0 && selection.of === 'all') return { balance, records: [], pageCount: 0, id: account }
    if (total === 0) return { balance, id: account }
    const pageCount = historyPageCount(total)
    if (records === null) return { balance, pageCount, id: account }
    return { balance, records: records.map(toEntry), pageCount, id: account }
  }
  return route(endpoint, answer, { lasting: ({ address: account = '' }) => ({ account }) })
}

export const historyRoutes = (parts: ApiParts): readonly Route[] => [
  history(parts, rewardsEndpoint, { selection: { of: 'rewards' }, toEntry: rewardRecord }),
  history(parts, transactionsEndpoint, { selection: { of: 'transactions' }, toEntry: transactionRecord }),
  history(parts, referralRewardsEndpoint, { selection: { of: 'iref' }, toEntry: referralRewardRecord }),
  history(parts, miningRewardsEndpoint, { selection: { of: 'im' }, toEntry: minedRecord }),
  history(parts, keyBlockRewardsEndpoint, { selection: { of: 'ik' }, toEntry: minedRecord }),
  history(parts, statBlockRewardsEndpoint, { selection: { of: 'istat' }, toEntry: minedRecord }),
  history(parts, incomingEndpoint, { selection: { of: 'iin' }, toEntry: transferRecord }),
  history(parts, outgoingEndpoint, { selection: { of: 'iout' }, toEntry: transferRecord }),
  history(parts, accountEndpoint, { selection: { of: 'all' }, toEntry: anyRecord }),
  route(recordsOfHashEndpoint, async ({ hash }) => {
    const records = hash === undefined ? [] : await parts.store.recordsOfHash(hash)
    return records.map(({ account, hash: origin, time, type, value }) => ({
      account,
      hash: origin,
      time,
      recordType: type,
      amount: value as Amount,
    }))
  }),
]
