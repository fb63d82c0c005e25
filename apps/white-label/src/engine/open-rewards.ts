import { type EngineConfig, rewardStoreName } from './engine-config.ts'
import { followRewards, type RewardFollower } from './follow-rewards.ts'
import { openRewardStore } from './reward-store.ts'

type Followed = Parameters<typeof followRewards>[0]

/** Opens the stored rewards of an account. Their code is loaded on first use. */
export async function openRewards(
  parameters: Omit<Followed, 'store' | 'tokenId'> & {
    readonly config: Pick<EngineConfig, 'brandId' | 'tokenId'>
  },
): Promise<RewardFollower> {
  const { config, ...followed } = parameters
  const store = await openRewardStore(rewardStoreName(config, parameters.address))
  return followRewards({ ...followed, store, tokenId: config.tokenId })
}
