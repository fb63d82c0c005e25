import {
  accountId,
  amount,
  count,
  feeType,
  hash,
  list,
  netAmount,
  nothing,
  optional,
  orNull,
  status,
  text,
  textAmount,
  tokenId,
} from '../schema/leaves.ts'
import { record, type Schema, type Value } from '../schema/record.ts'
import { defineEndpoint, maybe, required } from './define-endpoint.ts'

/** Ten records, newest first. Without a page, and for an account without records, `records` is absent. */
// @__NO_SIDE_EFFECTS__
const page = <T>(entry: Schema<T>) =>
  record({
    /** The native balance, whatever the records are about. */
    balance: amount,
    records: optional(list(entry)),
    /** One too small when the number of records is 1 modulo 10. */
    pageCount: ['page_count', optional(count)],
    id: text,
  })

// @__NO_SIDE_EFFECTS__
const history = <T, const P extends `/${string}`>(path: P, entry: Schema<T>) =>
  defineEndpoint({
    path,
    parameters: { address: required('address', 'id'), page: maybe('page', 'page') },
    answer: page(entry),
  })

/** The number of the record among all of its account, from 0. */
const index = ['i', count] as const

const rewardRecord = record({
  index,
  rewardIndex: ['irew', count],
  hash,
  time: count,
  recordType: ['rectype', text],
  amount,
  /** Short name of the mined token; null unless the hash is a microblock. */
  symbol: ['ticker', orNull(text)],
})

const feeFields = {
  tokenId: ['token_hash', orNull(tokenId)],
  feeType: ['fee_type', orNull(feeType)],
  feeValue: ['fee_value', orNull(amount)],
  feeMinimum: ['fee_min', orNull(amount)],
} as const

const transactionRecord = record({
  index,
  hash,
  time: count,
  recordType: ['rectype', text],
  amount,
  data: text,
  status,
  ...feeFields,
})

const referralRewardRecord = record({ index, hash, time: count, referralReward: ['refreward', amount] })

const rewardColumns = {
  keyBlockReward: ['kreward', orNull(amount)],
  statBlockReward: ['sreward', orNull(amount)],
  miningReward: ['mreward', orNull(amount)],
} as const

const minedRecord = record({ index, hash, time: count, ...rewardColumns, output: nothing, input: nothing })

const transferRecord = record({
  index,
  hash,
  time: count,
  ...rewardColumns,
  output: orNull(netAmount),
  input: orNull(netAmount),
  status,
  ...feeFields,
  fee: optional(textAmount),
})

const anyRecord = record({
  index,
  recordType: ['rectype', text],
  hash,
  time: count,
  ...rewardColumns,
  referralReward: ['refreward', orNull(amount)],
  output: orNull(netAmount),
  input: orNull(netAmount),
  status: orNull(status),
  ...feeFields,
  fee: optional(textAmount),
})

/** `GET /account_rewards`: every reward of an account. */
export const rewardsEndpoint = history('/account_rewards', rewardRecord)
/** `GET /account_transactions`: transfers, confirmed and rejected. */
export const transactionsEndpoint = history('/account_transactions', transactionRecord)
/** `GET /account_refreward`: referral rewards, as miner, as agent or as token owner. */
export const referralRewardsEndpoint = history('/account_refreward', referralRewardRecord)
/** `GET /account_mreward`: microblock rewards. */
export const miningRewardsEndpoint = history('/account_mreward', minedRecord)
/** `GET /account_kreward`: key-block rewards. */
export const keyBlockRewardsEndpoint = history('/account_kreward', minedRecord)
/** `GET /account_sreward`: statblock rewards. */
export const statBlockRewardsEndpoint = history('/account_sreward', minedRecord)
/** `GET /account_in`: received transfers. */
export const incomingEndpoint = history('/account_in', transferRecord)
/** `GET /account_out`: sent transfers. */
export const outgoingEndpoint = history('/account_out', transferRecord)
/** `GET /account`: everything. */
export const accountEndpoint = history('/account', anyRecord)

const indexEntry = record({
  account: ['id', accountId],
  hash,
  time: count,
  recordType: ['rectype', text],
  amount: ['value', amount],
})

/** `GET /eindex_by_hash`: what one block or transaction did to every account. */
export const recordsOfHashEndpoint = defineEndpoint({
  path: '/eindex_by_hash',
  parameters: { hash: maybe('hash', 'hash') },
  answer: list(indexEntry),
})

export type RewardRecord = Value<typeof rewardRecord>
export type TransactionRecord = Value<typeof transactionRecord>
export type ReferralRewardRecord = Value<typeof referralRewardRecord>
export type MinedRecord = Value<typeof minedRecord>
export type TransferRecord = Value<typeof transferRecord>
export type AccountRecord = Value<typeof anyRecord>
export type IndexEntry = Value<typeof indexEntry>
/** One page of a history. */
export type HistoryPage<T> = {
  readonly balance: Value<typeof amount>
  readonly id: string
  readonly records?: readonly T[] | undefined
  readonly pageCount?: number | undefined
}
