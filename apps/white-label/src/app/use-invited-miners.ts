import { type InvitedMiner, invitedMiners } from './invited-miners.ts'
import { useRewardReading, useStoredRewards } from './use-stored-rewards.ts'

/** Rewards that are added up at most, newest first. */
export const MAX_REWARDS = 5_000

/** Rewards that came by invitations, as far as this device has read them. */
export type InvitedRewards = {
  /** Null while they are being added up, or nothing is known. */
  readonly miners: readonly InvitedMiner[] | null
  /** Number of rewards, those above `MAX_REWARDS` included. */
  readonly count: number
  /** Why nothing could be read; null where something was, or will be. */
  readonly why: string | null
  /** True if the whole history was read. */
  readonly isComplete: boolean
}

export function useInvitedMiners(): InvitedRewards {
  const { counts, end, first, isComplete, hasBegun, why } = useStoredRewards()
  const count = counts.agent ?? 0
  const rows = useRewardReading(
    (rewards) =>
      rewards.rewardRange({ role: 'agent', from: Math.max(0, count - MAX_REWARDS), count: MAX_REWARDS }),
    true,
    [count, end, first],
  )
  // None read is something else than none there.
  const miners = hasBegun && rows !== null ? invitedMiners(rows) : null
  return { miners, count, isComplete, why: hasBegun ? null : why }
}
