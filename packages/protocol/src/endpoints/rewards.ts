import { amount, count, hash, orNull, symbol, text } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { history, index } from './history.ts'

const rewardRecord = record({
  index,
  rewardIndex: ['irew', count],
  hash,
  time: count,
  recordType: ['rectype', text],
  amount,
  /** Symbol of the mined token; null unless the hash is a microblock. */
  symbol: ['ticker', orNull(symbol)],
})

/** `GET /account_rewards`: every reward of an account. */
export const rewardsEndpoint = history('/account_rewards', rewardRecord)

/**
 * A reward of an account, an entry of `GET /account_rewards`. A microblock pays in units of the mined token,
 * anything else in native units.
 */
export type RewardRecord = Value<typeof rewardRecord>
