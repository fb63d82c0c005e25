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
    let listeners = 0

    /** The list is the same as long as its payments are. */
    function read(): readonly PaymentInfo[] {
      const list = payments.list()
      const isSame =
        list.length === current.length && list.every((one, at) => isSamePayment(one, current[at]))
      if (!isSame) current = list
      return current
    }

    return {
      // Nobody tells of changes while nobody listens.
      snapshot: () => (listeners === 0 ? read() : current),
      subscribe: (listener) => {
        const leave = payments.subscribe(() => {
          read()
          listener()
        })
        listeners++
        read()
        let isThere = true
        return () => {
          if (isThere) listeners--
          isThere = false
          leave()
        }
      },
    }
  })

const isSamePayment = (one: PaymentInfo, other: PaymentInfo | undefined): boolean =>
  other !== undefined &&
  (Object.keys(one) as (keyof PaymentInfo)[]).every((name) => Object.is(one[name], other[name]))
