import type { PaymentSummary } from '@hailstone/client'
import type { Address, Amount, TokenId } from '@hailstone/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decidePayout,
  type PayoutFacts,
  type PayoutFault,
  type PayoutObstacle,
  type PayoutRule,
  payoutFault,
} from './decide-payout.ts'

const to = `02${'1'.repeat(64)}` as Address
const address = `03${'2'.repeat(64)}` as Address
const tokenId = 'ab'.repeat(32) as TokenId
const DAY_MS = 86_400_000
const rule: PayoutRule = { to, tokenId, above: 1_000n, least: 50n, everyMs: DAY_MS }
const units = (value: bigint) => value as Amount
const fees = { feeType: 0, feeValue: units(5n), feeMinimum: units(0n) } as const
const facts: PayoutFacts = {
  address,
  nowMs: 20 * DAY_MS + 1,
  confirmed: to,
  isChainProved: true,
  balance: { amount: 1_180n, isStale: false },
  minimumStake: 250n,
  fees,
  payments: [],
}
const key = `payout ${tokenId} ${to} ${DAY_MS} 20`
const memo = 'payout 1970-01-21 00.00'
const payment = (change: Partial<PayoutFacts['payments'][number]>) => ({
  ...{ idempotencyKey: null, isOver: true, isWithdrawn: false, isRejected: false, ...change },
})

describe('decidePayout', () => {
  it('pays what is above the kept amount, in multiples of the smallest payout, fee inside', () => {
    const paid = { isDue: true, amount: 150n, fee: 5n, net: 145n, kept: 1_000n, memo, idempotencyKey: key }
    expect(decidePayout(rule, facts)).toEqual(paid)
    expect(decidePayout(rule, { ...facts, nowMs: 21 * DAY_MS - 1 })).toEqual(paid)
    expect(decidePayout(rule, { ...facts, payments: [payment({ idempotencyKey: 'other' })] })).toEqual(paid)
    // One that ended before it was signed does not count.
    const withdrawn = [payment({ idempotencyKey: key, isWithdrawn: true })]
    expect(decidePayout(rule, { ...facts, payments: withdrawn })).toEqual(paid)
  })

  it('pays no more than the largest payout, in multiples, so that one amount may be fixed', () => {
    expect(decidePayout({ ...rule, most: 140n }, facts)).toMatchObject({ amount: 100n })
    // Whatever came in between, two machines pay the same.
    const fixed = { ...rule, most: rule.least }
    for (const amount of [1_050n, 1_180n, 9_999n])
      expect(decidePayout(fixed, { ...facts, balance: { amount, isStale: false } })).toMatchObject({
        ...{ isDue: true, amount: 50n, idempotencyKey: key },
      })
    expect(() => decidePayout({ ...rule, most: 49n }, facts)).toThrow('most')
  })

  it('keeps the stake where it is more than the kept amount', () => {
    expect(decidePayout({ ...rule, above: 0n }, facts)).toMatchObject({ amount: 900n, kept: 250n })
    expect(decidePayout(rule, { ...facts, minimumStake: 1_100n })).toMatchObject({
      amount: 50n,
      kept: 1_100n,
    })
  })

  it.each<readonly [why: PayoutObstacle, change: Partial<PayoutFacts>]>([
    ['receiverNotConfirmed', { confirmed: null }],
    ['receiverNotConfirmed', { confirmed: address }],
    ['receiverIsMiner', { address: to }],
    ['chainNotProved', { isChainProved: false }],
    ['balanceUnknown', { balance: null }],
    ['balanceStale', { balance: { amount: 1_180n, isStale: true } }],
    ['stakeUnknown', { minimumStake: null }],
    ['feesUnknown', { fees: null }],
    ['paymentUnderWay', { payments: [payment({ isOver: false })] }],
    ['paymentUnderWay', { payments: [payment({ isOver: false })], isChainProved: false }],
    ['paymentUnderWay', { payments: [payment({ isOver: false })], balance: null, fees: null }],
    ['tooLittle', { balance: { amount: 1_049n, isStale: false } }],
    ['tooLittle', { balance: { amount: 0n, isStale: false } }],
    ['tooLittle', { minimumStake: 1_180n }],
    ['tooLittle', { minimumStake: 2_000n }],
    ['feeTakesAll', { fees: { ...fees, feeValue: units(150n) } }],
  ])('waits: %s, %o', (why, change) => {
    expect(decidePayout(rule, { ...facts, ...change })).toEqual({ isDue: false, why })
  })

  it('pays once in a period, whatever came of it, and says when the next one begins', () => {
    const payments = [payment({ idempotencyKey: key })]
    const nextAtMs = 21 * DAY_MS
    expect(decidePayout(rule, { ...facts, payments })).toEqual({
      ...{ isDue: false, why: 'paidThisPeriod', nextAtMs },
    })
    const rejected = [payment({ idempotencyKey: key, isRejected: true })]
    expect(decidePayout(rule, { ...facts, payments: rejected })).toEqual({
      ...{ isDue: false, why: 'rejectedThisPeriod', nextAtMs },
    })
    for (const earlier of [payments, rejected])
      expect(decidePayout(rule, { ...facts, payments: earlier, nowMs: nextAtMs })).toMatchObject({
        isDue: true,
      })
  })

  it('never takes from stake or kept amount', () => {
    const amounts = fc.bigInt(0n, 10n ** 20n)
    fc.assert(
      fc.property(amounts, amounts, amounts, fc.bigInt(1n, 10n ** 19n), (amount, stake, above, least) => {
        const balance = { amount, isStale: false }
        const decision = decidePayout({ ...rule, above, least }, { ...facts, balance, minimumStake: stake })
        if (!decision.isDue) return
        expect(amount - decision.amount).toBeGreaterThanOrEqual(stake > above ? stake : above)
        expect(decision.amount % least).toBe(0n)
        expect(decision.amount).toBeGreaterThan(0n)
      }),
    )
  })
})

describe('payoutFault', () => {
  const payout = { amount: units(150n), fee: units(5n), net: 145n, kept: 1_000n, memo, idempotencyKey: key }
  const given = { rule, payout, from: address, isKnownBefore: false }
  const summary = { from: address, to, amount: units(150n), tokenId, memo, fee: units(5n), warnings: [] }
  const warned = (kind: string) => [{ kind }] as unknown as PaymentSummary['warnings']

  it.each<readonly [fault: PayoutFault | null, change: Partial<PaymentSummary>]>([
    [null, {}],
    [null, { warnings: warned('highFee') }],
    ['paidElsewhere', { warnings: warned('paidWithoutJournal') }],
    ['differs', { to: address }],
    ['differs', { from: to }],
    ['differs', { amount: units(151n) }],
    ['differs', { fee: units(6n) }],
    ['differs', { memo: '' }],
    ['differs', { tokenId: 'cd'.repeat(32) as TokenId }],
    ['belowStake', { warnings: warned('stakeBelowMinimum') }],
    ['lacksFunds', { warnings: warned('balanceTooLow') }],
    ['lacksFunds', { warnings: warned('nativeBalanceTooLow') }],
    ['lacksFunds', { warnings: warned('sentToSelf') }],
    ['lacksFunds', { warnings: warned('somethingNew') }],
  ])('%s: %o', (fault, change) => {
    expect(payoutFault({ ...summary, ...change }, given)).toBe(fault)
  })

  it('takes payments that the journal does not have if the person knew of them', () => {
    const known = { ...given, isKnownBefore: true }
    expect(payoutFault({ ...summary, warnings: warned('paidWithoutJournal') }, known)).toBe(null)
  })
})
