import type { PaymentState, PaymentStatus } from '@hailstone/client'

const over: ReadonlySet<PaymentStatus> = new Set([
  'confirmed',
  'rejected',
  'duplicate',
  'superseded',
  'withdrawn',
])

/**
 * True if the payment needs no further waiting, from the person's view. One that a node refused may be known to another
 * node, and land there: it is not over before it stayed out of the chain for a while.
 */
export const isPaymentOver = (state: PaymentState): boolean =>
  over.has(state.status) || (state.status === 'refused' && state.isFinal)
