import type { PaymentPlace, PaymentState } from '@hailstone/client'
import { expect, it } from 'vitest'
import { paymentStatusKey } from '../views/payment-status.ts'
import { isPaymentOver } from './is-payment-over.ts'

const place = { height: 7, keyBlockHash: 'a', microblockHash: 'b' } as unknown as PaymentPlace
const ends = (isFinal: boolean): readonly PaymentState[] => [
  { status: 'refused', message: 'no', refusals: 1, sinceHeight: 7, isFinal },
  { status: 'rejected', place, isFinal },
  { status: 'duplicate', place, isFinal },
]

it('a payment without effect so far is not over, nor called so, while it may still be executed', () => {
  expect(ends(false).map(isPaymentOver)).toEqual([false, false, false])
  expect(ends(false).map(paymentStatusKey)).toEqual(['tx.uncertain', 'tx.uncertain', 'tx.uncertain'])
  expect(ends(true).map(isPaymentOver)).toEqual([true, true, true])
  expect(ends(true).map(paymentStatusKey)).toEqual(['tx.refused', 'tx.rejected', 'tx.duplicate'])
})

it('a payment that the chain shows is told as paid at once', () => {
  const paid = { status: 'confirmed', place, isFinal: false } as const
  expect(isPaymentOver(paid)).toBe(true)
  expect(paymentStatusKey(paid)).toBe('tx.confirmed')
})
