import type { Client } from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import type { RewardLine } from './explain-reward.ts'
import { followHistory, type RewardWatch } from './follow-history.ts'
import type { WatchRewardsParameters } from './watch-rewards.ts'

/**
 * Follows the referral rewards of an account, as miner, as agent and as token owner; the role says which.
 * Source: `GET /account_refreward`, so that an account with many other rewards has little to read.
 */
export const watchReferralRewards = (parameters: WatchRewardsParameters): RewardWatch => {
  const { client, address } = parameters
  return followHistory({ ...parameters, lines: (signal) => referralLines(client, address, signal) })
}

async function* referralLines(
  client: Client,
  address: Address,
  signal: AbortSignal,
): AsyncGenerator<RewardLine, void, undefined> {
  for await (const { index, hash, time, referralReward } of client.referralRewardsOf({ address, signal })) {
    yield { index, recordType: 'iref', amount: referralReward, hash, time }
  }
}
