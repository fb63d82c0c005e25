import { type InvitedMiner, invitedMiners } from './invited-miners.ts'
import { useRewardReading, useStoredRewards } from './use-stored-rewards.ts'

/** Rewards that are added up at most, newest first. */
export const MAX_REWARDS = 5_000

/** Rewards that came by invitations, as far as this device has read them. */
export type InvitedRewards = {
  /** Null while they are being added up. */
  readonly miners: readonly InvitedMiner[] | null
  /** Number of rewards, those above `MAX_REWARDS` included. */
  readonly count: number
  /** True if the whole history was read. */
  readonly isComplete: boolean
}

export function useInvitedMiners(): InvitedRewards {
  const { counts, end, first, isComplete } = useStoredRewards()
  const count = counts.agent ?? 0
  const rows = useRewardReading(
    (rewards) =>
      rewards.rewardRange({ role: 'agent', from: Math.max(0, count - MAX_REWARDS), count: MAX_REWARDS }),
    true,
    [count, end, first],
  )
  return { miners: rows && invitedMiners(rows), count, isComplete }
}
