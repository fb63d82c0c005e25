import type { PaymentStatus } from '@hailstone/client'
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

export const paymentStatusKey = (status: PaymentStatus): TextKey => keys[status]

const over: ReadonlySet<PaymentStatus> = new Set([
  'confirmed',
  'rejected',
  'duplicate',
  'superseded',
  'refused',
  'withdrawn',
])

/** True if the payment needs no further waiting, from the person's view. */
export const isOver = (status: PaymentStatus): boolean => over.has(status)
