import type { Address } from '@hailstone/mining-node'
import { useEffect, useState } from 'react'
import { useApp, useEngine } from '../../app/app-context.ts'
import type { AccountFacts } from '../../engine/account-list.ts'
import { isPaymentOver } from '../../engine/is-payment-over.ts'

/** Returns how many payments of the active account have no known end; null if that cannot be told. */
export function useActiveUnsettled(): number | null {
  const engine = useEngine()
  if (engine === null || (engine.paymentsFault ?? null) !== null) return null
  return engine.payments.filter(({ state }) => !isPaymentOver(state)).length
}

/** Returns that number for any account; undefined until it was read. */
export function useUnsettled({ address, isActive }: AccountFacts): number | null | undefined {
  const { host } = useApp()
  const ofActive = useActiveUnsettled()
  const [found, setFound] = useState<{ readonly of: Address; readonly count: number | null }>()
  useEffect(() => {
    const set = (count: number | null): void => setFound({ of: address, count })
    if (!isActive) host.unsettledPayments(address).then(set, () => set(null))
  }, [host, address, isActive])
  if (isActive) return ofActive
  return found?.of === address ? found.count : undefined
}
