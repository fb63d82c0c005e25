import type { PaymentState, PaymentStatus } from '@hailstone/client'

/** Ends that come once, and take nothing a second time: what the chain shows as paid, and what was never sent. */
const over: ReadonlySet<PaymentStatus> = new Set(['confirmed', 'superseded', 'withdrawn'])

/**
 * True if the payment needs no further waiting, from the person's view. One that was rejected or refused may still be
 * executed: it is not over, and no other is sent in its place, before that is final.
 */
export const isPaymentOver = (state: PaymentState): boolean =>
  over.has(state.status) || ('isFinal' in state && state.isFinal)
