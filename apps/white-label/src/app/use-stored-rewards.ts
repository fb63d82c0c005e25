import { useSnapshot } from '@hailstone/react'
import { useEffect, useState } from 'react'
import type { RewardState } from '../engine/follow-rewards.ts'
import type { MiningHost } from '../host/mining-host.ts'
import { useApp, useEngine } from './app-context.ts'

const NOTHING: RewardState = {
  first: 0,
  end: 0,
  counts: {},
  newestAtMs: null,
  isComplete: false,
  readBackToMs: null,
  hasBegun: false,
  totals: { today: null, day: null, week: null, month: null, all: null },
  why: null,
}

/** Returns the rewards of this account in the mined token as the engine has them. */
export function useStoredRewards(): RewardState {
  const rewards = useEngine()?.rewards ?? NOTHING
  const { stakes, lastError } = useSnapshot()
  // Until the network has named the native token, nothing is read, so its error is the reason.
  return stakes === null ? { ...rewards, why: lastError?.error.message ?? null } : rewards
}

/** Reads from the stored rewards again whenever they change; the last answer stays meanwhile. */
export function useRewardReading<T>(
  read: (rewards: MiningHost['rewards']) => Promise<T>,
  isWanted: boolean,
  /** The reading is repeated when one of these changes. */
  depends: readonly unknown[],
): T | null {
  const { rewards } = useApp().host
  const [value, setValue] = useState<T | null>(null)
  useEffect(() => {
    if (!isWanted) return
    let isOutdated = false
    read(rewards).then(
      (answer) => {
        if (!isOutdated) setValue(() => answer)
      },
      () => undefined,
    )
    return () => {
      isOutdated = true
    }
  }, [rewards, isWanted, ...depends])
  return value
}
