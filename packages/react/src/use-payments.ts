import type { PaymentInfo } from '@hailstone/client'
import { useSyncExternalStore } from 'react'
import { useMiningParts } from './mining-provider.ts'
import { NO_PAYMENTS, paymentStoreOf } from './payment-store.ts'

/**
 * Returns every payment of the journal, oldest first.
 *
 * @example
 * const payments = usePayments()
 * return payments.map(({ id, state }) => <li key={id}>{state.status}</li>)
 */
export function usePayments(): readonly PaymentInfo[] {
  const { payments } = useMiningParts()
  const store = payments === undefined ? NO_PAYMENTS : paymentStoreOf(payments)
  return useSyncExternalStore(store.subscribe, store.snapshot, NO_PAYMENTS.snapshot)
}
