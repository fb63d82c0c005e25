import type { PaymentState, PaymentStatus } from '@hailstone/client'
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

/** Names a state. A refusal that another node may not share yet is told as not certain. */
export const paymentStatusKey = (state: PaymentState): TextKey =>
  keys[state.status === 'refused' && !state.isFinal ? 'uncertain' : state.status]
