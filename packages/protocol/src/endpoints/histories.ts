import {
  amount,
  count,
  feeType,
  hash,
  netAmount,
  nothing,
  optional,
  orNull,
  status,
  text,
  textAmount,
  tokenId,
} from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { history, index } from './history.ts'

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
/** `GET /account`: all records. */
export const accountEndpoint = history('/account', anyRecord)

/** A sent or received transaction in the history of an account. */
export type TransactionRecord = Value<typeof transactionRecord>
/** A referral reward in the history of an account, in units of the mined token. */
export type ReferralRewardRecord = Value<typeof referralRewardRecord>
/**
 * A reward for a block in the history of its publisher. A microblock pays in units of the mined token, other blocks
 * in native units.
 */
export type MinedRecord = Value<typeof minedRecord>
/** A transfer in `GET /account_in` or `GET /account_out`, in units of its token. */
export type TransferRecord = Value<typeof transferRecord>
/** A record of any type in the history of an account, an entry of `GET /account`. */
export type AccountRecord = Value<typeof anyRecord>
