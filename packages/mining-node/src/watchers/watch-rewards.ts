import { getRewards } from '@hailstone/client'
import { type FollowRewardsParameters, followHistory } from './follow-history.ts'

export type WatchRewardsParameters = FollowRewardsParameters

/**
 * Follows every reward of an account: own microblocks, referrals, key blocks, stake pools and fees; the
 * role says which. Source: `GET /account_rewards`.
 */
export const watchRewards = (parameters: WatchRewardsParameters): ReturnType<typeof followHistory> =>
  followHistory({ ...parameters, path: '/account_rewards', readLines: getRewards })
