import { getRewards } from '@hailstone/client'
import { type FollowRewardsParameters, followHistory, type RewardWatch } from './follow-history.ts'
import type { ReadHeader } from './newest-header.ts'

export type WatchRewardsParameters = FollowRewardsParameters

/**
 * Follows every reward of an account: own microblocks, referrals, key blocks, stake pools and fees; the
 * role says which. Source: `GET /account_rewards`.
 */
export const watchRewards = (
  parameters: WatchRewardsParameters & { readonly readHeader?: ReadHeader | undefined },
): RewardWatch => followHistory({ ...parameters, path: '/account_rewards', readLines: getRewards })
