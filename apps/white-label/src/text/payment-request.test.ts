import { isAddress, isNodeError, parseAddress, parseAmount } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { nastyText } from '../../../../packages/local-network/test/fuzz/nasty.ts'
import { chance } from '../../../../packages/local-network/test/fuzz/random.ts'
import { gateSize } from '../../../../scripts/gate-size.ts'
import { paymentRequestOf } from './payment-request.ts'

/** Larger size: HAILSTONE_FUZZ_CASES=1000000 npx vitest run src/text/payment-request.test.ts */
const CASES = gateSize('HAILSTONE_FUZZ_CASES', 20_000)

const to = `02${'ab'.repeat(32)}`

it.each([
  ['an address', ` ${to}\n`, { to, amount: null }],
  ['an address on two lines', `${to.slice(0, 33)}\n ${to.slice(33)}`, { to, amount: null }],
  ['a link', `https://app.example/wallet/send?to=${to}&amount=1.5`, { to, amount: '1.5' }],
  ['a link of another kind', 'https://app.example/i/x', { to: 'https://app.example/i/x', amount: null }],
])('reads %s', (_, entered, expected) => expect(paymentRequestOf(entered)).toEqual(expected))

it(`G-11: of ${CASES} mangled links each is read, and what it asks for is an address and an amount or is refused`, () => {
  const luck = chance(11)
  const right = [
    to,
    `https://app.example/wallet/send?to=${to}&amount=1.5`,
    `enq:pay?to=${to}&amount=0.0000000001&to=second`,
    `https://app.example/wallet/send?__proto__=1&to=${encodeURIComponent('<b>')}`,
  ]
  const refusedByCode = (read: () => unknown): void => {
    try {
      read()
    } catch (error) {
      if (!isNodeError(error)) throw error
    }
  }
  for (let number = 0; number < CASES; number++) {
    const entered = nastyText(luck, right)
    const request = paymentRequestOf(entered)
    refusedByCode(() => expect(isAddress(parseAddress(request.to))).toBe(true))
    refusedByCode(() => parseAmount(request.amount ?? '', { decimals: 10 }))
  }
  expect(Object.keys(Object.prototype)).toEqual([])
}, 3_600_000)
