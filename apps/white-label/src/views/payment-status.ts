import type { PaymentState, PaymentStatus } from '@hailstone/client'
import { isPaymentOver } from '../engine/is-payment-over.ts'
import type { TextKey } from '../i18n/texts.ts'

const keys = {
  prepared: 'tx.queued',
  withdrawn: 'tx.withdrawn',
  stored: 'tx.queued',
  sent: 'tx.queued',
  inPool: 'tx.inPool',
  confirmed: 'tx.confirmed',
  rejected: 'tx.rejected',
  duplicate: 'tx.duplicate',
  forgotten: 'tx.forgotten',
  reorganised: 'tx.forgotten',
  superseded: 'tx.confirmed',
  refused: 'tx.refused',
  uncertain: 'tx.uncertain',
} as const satisfies Readonly<Record<PaymentStatus, TextKey>>

/** Names a state. An end that may still become another one is told as not certain. */
export const paymentStatusKey = (state: PaymentState): TextKey =>
  keys['isFinal' in state && !isPaymentOver(state) ? 'uncertain' : state.status]
