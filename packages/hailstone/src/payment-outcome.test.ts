import type { PaymentInfo } from '@hailstone/client'
import { expect, it } from 'vitest'
import { exits } from './exit-codes.ts'
import { exitOfPayment, exitOfPayments, tellChange, tellOfOtherChain } from './payment-outcome.ts'

const place = { height: 1, keyBlockHash: 'a', microblockHash: 'b' }
const paymentIn = (state: object): PaymentInfo =>
  ({ hash: 'cd'.repeat(32), to: '02', amount: 5n, isOfOtherChain: false, state }) as unknown as PaymentInfo

function terminal() {
  const said: string[] = []
  const told: object[] = []
  return {
    said,
    told,
    manner: 'plain' as const,
    say: (line: string) => void said.push(line),
    tell: (facts: object) => void told.push(facts),
  }
}

it.each([
  ['confirmed', { place, isFinal: true }, 'ok'],
  ['superseded', { place, malleatedHash: 'e', isFinal: true }, 'ok'],
  ['rejected', { place, isFinal: true }, 'paymentRejected'],
  ['duplicate', { place, isFinal: true }, 'paymentDuplicate'],
  ['refused', { message: 'no', sinceHeight: 1, isFinal: true }, 'paymentRefused'],
  ['withdrawn', { reason: 'no' }, 'paymentRefused'],
  ['refused', { message: 'full', sinceHeight: 1, isFinal: false }, 'paymentUnsettled'],
  ['duplicate', { place, isFinal: false }, 'paymentUnsettled'],
  ['uncertain', { reason: 'no answer' }, 'paymentUnsettled'],
  ['prepared', {}, 'paymentUnsettled'],
] as const)('L1: a payment that is %s with %j ends as %s', (status, more, expected) => {
  expect(exitOfPayment(paymentIn({ status, ...more }))).toBe(exits[expected])
})

it('never advises a payment anew for one that was executed or may be', () => {
  for (const { nextStep } of [exits.paymentDuplicate, exits.paymentUnsettled, exits.paymentRefused])
    expect(nextStep).not.toMatch(/safe|make a new payment/)
})

it('H6: the reason of the network stands beside the state', () => {
  const { said, ...rest } = terminal()
  const payment = paymentIn({ status: 'refused', message: 'the pool is full', sinceHeight: 1, isFinal: true })
  tellChange(payment, { ...rest })
  expect(exitOfPayments([payment], rest)).toBe(exits.paymentRefused)
  expect(said[0]).toMatch(/^refused +(cd){32} {2}for good$/)
  expect(said[1]).toContain('the pool is full')
  expect(said[2]).toContain(exits.paymentRefused.nextStep)
})

it('M4: a payment of another chain is shown as one, and is no failure', () => {
  const { said, ...rest } = terminal()
  tellOfOtherChain(paymentIn({ status: 'stored' }), rest)
  expect(said).toEqual([
    `elsewhere  ${'cd'.repeat(32)}`,
    '           It was made for another network. Settle it there: hailstone send --resume.',
  ])
  const json = { ...terminal(), manner: 'json' as const }
  tellOfOtherChain(paymentIn({ status: 'stored' }), json)
  expect(json.told).toMatchObject([{ event: 'payment', status: 'stored', isOfOtherChain: true }])
  expect(exitOfPayments([], rest)).toBe(exits.ok)
})
