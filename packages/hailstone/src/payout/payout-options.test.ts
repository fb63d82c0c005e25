import { describe, expect, it } from 'vitest'
import { keysOf } from '../config/config-keys.ts'
import { UsageError } from '../usage-error.ts'
import { payoutOptions } from './payout-options.ts'

const to = `02${'ab'.repeat(32)}`

describe('the options of payouts', () => {
  it('pay out nothing by themselves', () => {
    expect(payoutOptions({})).toBe(null)
    expect(payoutOptions({ payoutConfirm: false })).toBe(null)
  })

  it('have defaults for all but the receiver and what stays', () => {
    expect(payoutOptions({ payoutTo: to.toUpperCase(), payoutAbove: '0.5' })).toEqual({
      ...{ to, above: '0.5', least: '10', most: null, everyMs: 86_400_000, isConfirming: false },
    })
    const given = {
      payoutTo: to,
      payoutAbove: '0',
      payoutLeast: '0.01',
      payoutEvery: '6h',
      payoutConfirm: true,
    }
    expect(payoutOptions(given)).toMatchObject({ least: '0.01', everyMs: 21_600_000, isConfirming: true })
  })

  it.each([
    ['--payout-to', { payoutAbove: '1' }],
    ['--payout-to', { payoutConfirm: true }],
    ['--payout-to', { payoutTo: 'ref_1', payoutAbove: '1' }],
    ['--payout-above', { payoutTo: to }],
    ['--payout-above', { payoutTo: to, payoutAbove: '-1' }],
    ['--payout-above', { payoutTo: to, payoutAbove: '1,000' }],
    ['--payout-least', { payoutTo: to, payoutAbove: '1', payoutLeast: '0.0' }],
    ['--payout-least', { payoutTo: to, payoutAbove: '1', payoutLeast: '1e3' }],
    ['--payout-most', { payoutTo: to, payoutAbove: '1', payoutMost: '9.9' }],
    ['--payout-most', { payoutTo: to, payoutAbove: '1', payoutLeast: '0.5', payoutMost: '0.4999' }],
    ['--payout-every', { payoutTo: to, payoutAbove: '1', payoutEvery: '59m' }],
    ['--payout-every', { payoutTo: to, payoutAbove: '1', payoutEvery: '0d' }],
    ['--payout-every', { payoutTo: to, payoutAbove: '1', payoutEvery: '367d' }],
  ])('refuse what is wrong, by its name: %s, %o', (name, given) => {
    const read = () => payoutOptions(given)
    expect(read).toThrow(UsageError)
    expect(read).toThrow(name)
  })

  it('may stand in a file, apart from the confirmation, and never for `send`', () => {
    for (const command of ['mine', 'fleet'] as const) {
      const names = [...keysOf(command).keys()].filter((key) => key.startsWith('payout'))
      expect(names).toEqual(['payout-to', 'payout-above', 'payout-least', 'payout-most', 'payout-every'])
    }
    for (const command of ['send', 'bridge'] as const)
      expect([...keysOf(command).keys()].filter((key) => key.startsWith('payout'))).toEqual([])
  })
})
