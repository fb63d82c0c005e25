import { expect, it } from 'vitest'
import { paymentStatusKey } from '../views/payment-status.ts'
import { isPaymentOver } from './is-payment-over.ts'

const refused = (isFinal: boolean) => ({ status: 'refused', message: 'no', sinceHeight: 7, isFinal }) as const

it('a payment that a node refused is not over, nor called refused, while another node may have it', () => {
  expect(isPaymentOver(refused(false))).toBe(false)
  expect(paymentStatusKey(refused(false))).toBe('tx.uncertain')
  expect(isPaymentOver(refused(true))).toBe(true)
  expect(paymentStatusKey(refused(true))).toBe('tx.refused')
})
