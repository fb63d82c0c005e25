import { getReferralRewards } from '@hailstone/client'
import { followHistory } from './follow-history.ts'
import type { FollowRewardsParameters, ReadLines, RewardWatch } from './reward-watch.ts'

/**
 * Follows the referral rewards of an account, as miner, as agent and as token owner; the role says which.
 * Source: `GET /account_refreward`, so that an account with many other rewards has little to read.
 */
export const watchReferralRewards = (parameters: FollowRewardsParameters): RewardWatch =>
  followHistory({ ...parameters, path: '/account_refreward', readLines: referralLines })

const referralLines: ReadLines = async (client, parameters) => {
  const { records, isLast } = await getReferralRewards(client, parameters)
  const lines = records.map(({ index, hash, time, referralReward }) => ({
    index,
    recordType: 'iref',
    amount: referralReward,
    hash,
    time,
  }))
  return { records: lines, isLast }
}
