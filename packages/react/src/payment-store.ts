import type { PaymentInfo } from '@hailstone/client'
import { keptPer } from './kept-per.ts'
import type { PaymentsPort } from './mining-ports.ts'

/** A list with a stable identity between changes, as `useSyncExternalStore` requires. */
export type PaymentStore = {
  readonly snapshot: () => readonly PaymentInfo[]
  readonly subscribe: (listener: () => void) => () => void
}

const stores = keptPer<PaymentsPort, PaymentStore>()

const NONE: readonly PaymentInfo[] = []
export const NO_PAYMENTS: PaymentStore = { snapshot: () => NONE, subscribe: () => () => undefined }

/** Returns the store of a list of payments. */
export const paymentStoreOf = (payments: PaymentsPort): PaymentStore =>
  stores(payments, '', () => {
    let current = payments.list()
    return {
      snapshot: () => current,
      subscribe: (listener) => {
        current = payments.list()
        return payments.subscribe(() => {
          current = payments.list()
          listener()
        })
      },
    }
  })
