import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { grossForNet, netAmount, transferFee } from './fee.ts'
import type { FeeRule, FeeType } from './token.ts'
import { MAX_AMOUNT, toAmount } from './values/amount.ts'

const rule = (feeType: FeeType, feeValue: bigint, feeMinimum = 0n): FeeRule => ({
  feeType,
  feeValue: toAmount(feeValue),
  feeMinimum: toAmount(feeMinimum),
})

const percentRules = fc
  .record({ feeValue: fc.bigInt(0n, 10_000n), feeMinimum: fc.bigInt(0n, 1n << 40n) })
  .map(({ feeValue, feeMinimum }) => rule(1, feeValue, feeMinimum))

const anyRule = fc.oneof(
  percentRules,
  fc.bigInt(0n, 1n << 60n).map((feeValue) => rule(0, feeValue)),
  fc.bigInt(0n, 1n << 60n).map((feeValue) => rule(2, feeValue)),
)

describe('B5: transferFee', () => {
  it('divides before it multiplies', () => {
    expect(transferFee(rule(1, 100n, 20n), 830742906594n)).toBe(8225177200n)
  })

  it('takes the minimum up to and including an amount of the minimum', () => {
    expect(transferFee(rule(1, 1712n, 243980n), 243980n)).toBe(243980n)
  })

  it('takes nothing in the token when the fee is paid in native coins', () => {
    expect(transferFee(rule(2, 1_000_000_000n), 5n)).toBe(0n)
  })

  it('never exceeds a percentage of the amount beyond its minimum', () => {
    fc.assert(
      fc.property(percentRules, fc.bigInt(0n, MAX_AMOUNT), (percent, total) => {
        const fee = transferFee(percent, total)
        expect(fee === percent.feeMinimum || fee * 10_000n <= percent.feeValue * (total - fee)).toBe(true)
      }),
    )
  })
})

describe('grossForNet', () => {
  it('gives the receiver exactly the wish', () => {
    fc.assert(
      fc.property(anyRule, fc.bigInt(0n, 1n << 62n), (fee, net) => {
        expect(netAmount(fee, grossForNet(fee, net))).toBe(net)
      }),
    )
  })

  it('takes the smallest amount that does', () => {
    const small = fc.record({ value: fc.bigInt(0n, 10_000n), minimum: fc.bigInt(0n, 20_000n) })
    fc.assert(
      fc.property(small, fc.bigInt(0n, 60_000n), ({ value, minimum }, net) => {
        const fee = rule(1, value, minimum)
        let least = net
        while (netAmount(fee, least) !== net) least++
        expect(grossForNet(fee, net)).toBe(least)
      }),
      { numRuns: 300 },
    )
  })

  it('refuses a wish whose gross amount is no amount', () => {
    expect(() => grossForNet(rule(0, 1n), MAX_AMOUNT)).toThrow(
      expect.objectContaining({ code: 'AMOUNT_OUT_OF_RANGE' }),
    )
  })
})
