import type { Address } from '@hailstone/mining-node'
import { useMiner } from '@hailstone/react'
import { type ReactNode, Suspense, useEffect } from 'react'
import { useApp, usePreferences } from '../app/app-context.ts'
import { useRewardReading, useStoredRewards } from '../app/use-stored-rewards.ts'
import { loaded, NothingInstead } from '../parts/loaded.tsx'

const FirstRewardCard = loaded(() => import('./first-reward-card.tsx'), 'FirstRewardCard', NothingInstead)

/**
 * Shows a card for the first reward of an account until it is closed. An account that already had rewards when this
 * browser first read them gets none, so that an import is not celebrated. The card interrupts nothing.
 */
export function FirstReward(): ReactNode {
  const { address } = useMiner()
  // What was read for one account is not shown for another.
  return <OfAccount key={address} address={address} />
}

function OfAccount({ address }: { readonly address: Address }): ReactNode {
  const { preferences } = useApp()
  const { celebrates } = usePreferences()
  const { first, end, isComplete } = useStoredRewards()
  const hasAny = end > first
  useEffect(() => {
    if (!isComplete) return
    const { awaitsReward } = preferences.snapshot()
    if (!hasAny) preferences.set({ awaitsReward: address })
    else if (awaitsReward === address) preferences.set({ awaitsReward: null, celebrates: address })
  }, [isComplete, hasAny, address, preferences])
  const isShown = celebrates === address && isComplete && hasAny
  const rows = useRewardReading(
    ({ rewardRange }) => rewardRange({ role: 'all', from: 0, count: 1 }),
    isShown,
    [first, address],
  )
  const reward = rows?.[0]
  if (!isShown || reward === undefined) return null
  return (
    <Suspense fallback={null}>
      <FirstRewardCard reward={reward} onClose={() => preferences.set({ celebrates: null })} />
    </Suspense>
  )
}
