import { type PaymentSummary, walletFromPrivateKey } from '@hailstone/client'
import { describe, expect, it } from 'vitest'
import { isConsent, proveConsent } from './payment-consent.ts'

const wallet = walletFromPrivateKey('1'.repeat(64))
const other = walletFromPrivateKey('2'.repeat(64))
const summary = {
  bytes: '{"amount":200000000001,"data":"","from":"02","nonce":7,"sign":"","to":"03"}',
  signingHash: 'a'.repeat(64),
  from: wallet.address,
  to: other.address,
  amount: 200_000_000_001n,
  tokenId: '0'.repeat(64),
  symbol: 'DEV',
  decimals: 10,
  areDecimalsKnown: true,
  memo: '',
  nonce: 7,
  fee: 1n,
  net: 200_000_000_000n,
  nativeFee: 0n,
  warnings: [],
} as unknown as PaymentSummary

describe('S-8: a proof of consent', () => {
  it('is valid for the summary that was shown, after any journey between threads', async () => {
    const proof = await proveConsent(wallet, summary)
    expect(await isConsent(wallet, structuredClone(summary), proof)).toBe(true)
  })

  it.each([
    ['to', wallet.address],
    ['amount', 200_000_000_002n],
    ['fee', 2n],
    ['net', 1n],
    ['memo', 'x'],
    ['nonce', 8],
    ['tokenId', '1'.repeat(64)],
    ['symbol', 'ENQ'],
    ['decimals', 9],
    ['areDecimalsKnown', false],
    ['signingHash', 'b'.repeat(64)],
    ['bytes', '{}'],
    ['warnings', [{ kind: 'highFee' }]],
  ])('is not valid when %s differs', async (name, value) => {
    const proof = await proveConsent(wallet, summary)
    expect(await isConsent(wallet, { ...summary, [name]: value }, proof)).toBe(false)
  })

  it('cannot be made with another key', async () => {
    expect(await isConsent(wallet, summary, await proveConsent(other, summary))).toBe(false)
  })

  it.each([undefined, null, '', '0'.repeat(64), 'zz', {}, 5, ['0'.repeat(64)]])(
    'is not %s',
    async (proof) => {
      expect(await isConsent(wallet, summary, proof)).toBe(false)
    },
  )
})
