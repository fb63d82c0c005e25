import { getRewards } from '@hailstone/client'
import type { EarningReading } from './account-reading.ts'
import type { Began } from './first-open-block.ts'
import { followHistory } from './follow-history.ts'
import type { FollowRewardsParameters, RewardWatch } from './reward-watch.ts'

/**
 * Follows every reward of an account: own microblocks, referrals, key blocks, stake pools and fees; the
 * role says which. Source: `GET /account_rewards`.
 */
export const watchRewards = (parameters: FollowRewardsParameters & Began): RewardWatch & EarningReading =>
  followHistory({ ...parameters, path: '/account_rewards', readLines: getRewards })
