import { useRewards } from '@hailstone/react'
import { useEffect } from 'react'
import { useNow } from './app-context.ts'

const DAY_MS = 86_400_000

/** Rewards of the last 24 hours in units and the time of the newest one; null until they were read. */
export function useEarnedToday(): { readonly units: bigint | null; readonly newestAtMs: number | null } {
  const now = useNow(10_000)
  const { totalSince, readBackTo, readAtMs, rows } = useRewards()
  const hasBegun = readAtMs !== null
  useEffect(() => {
    if (hasBegun) void readBackTo(Date.now() - DAY_MS)
  }, [hasBegun, readBackTo])
  return { units: totalSince(now - DAY_MS), newestAtMs: rows[0]?.timeMs ?? null }
}
