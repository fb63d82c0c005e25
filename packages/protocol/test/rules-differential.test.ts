import { createHash } from 'node:crypto'
import {
  type Address,
  addressOf,
  decodeReferralCode,
  encodeReferralCode,
  type FeeRule,
  grossForNet,
  netAmount,
  parsePrivateKey,
  type Signature,
  sha256Hex,
  signingHash,
  toAmount,
  transactionHash,
  transferFee,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { SEED, VECTORS } from './accelerated/vector-count.ts'

/** Returns digits derived from the seed and the index. */
const digitsOf = (index: number, what: string): string => sha256Hex(`${SEED} ${what} ${index}`)
const numberOf = (index: number, what: string, bits: number): bigint =>
  BigInt(`0x${digitsOf(index, what)}`) & ((1n << BigInt(bits)) - 1n)
const addressAt = (index: number, what: string): Address =>
  `0${2 + (index % 2)}${digitsOf(index, what)}` as Address

/** Asserts differences only: a million assertions take longer than a million answers. */
function agree(index: number, ours: unknown, theirs: unknown): void {
  if (ours !== theirs) expect({ seed: SEED, index, ours }).toBe(theirs)
}

describe('G-12: by rules that are written a second time', { timeout: 3_600_000 }, () => {
  /** Lowers A–Z and no other letter (PROTOCOL, conventions): `Ä`, `İ` and the Kelvin sign stay. */
  const lower = (text: string): string =>
    Array.from(text, (sign) =>
      sign >= 'A' && sign <= 'Z' ? String.fromCharCode(sign.charCodeAt(0) + 32) : sign,
    ).join('')
  const open = (text: string): string => createHash('sha256').update(lower(text), 'utf8').digest('hex')
  const texts = ['', 'Hello', '{"memo":"ÄÖ"}', 'ENQ \u212a \ud83d\ude00', '\u0130'.repeat(3)]

  it(`${VECTORS} transactions have the hashes that OpenSSL gives (PROTOCOL 2.2)`, () => {
    for (let index = 0; index < VECTORS; index++) {
      const fields = {
        amount: toAmount(numberOf(index, 'amount', index % 65)),
        data: texts[index % texts.length] ?? '',
        from: addressAt(index, 'from'),
        nonce: Number(numberOf(index, 'nonce', 53)),
        tokenId: digitsOf(index, 'token') as never,
        to: addressAt(index + 1, 'to'),
      }
      const { amount, data, from, nonce, tokenId, to } = fields
      const signature = digitsOf(index, 'signature').repeat(2)
      const before = [amount, data, from, nonce].map((value) => open(String(value)))
      const after = [tokenId, to].map((value) => open(String(value)))
      agree(index, signingHash(fields), open([...before, ...after].join('')))
      agree(
        index,
        transactionHash({ ...fields, signature: signature as Signature }),
        open([...before, open(signature), ...after].join('')),
      )
    }
  })

  it(`${VECTORS} referral codes are the address, digit by digit with the constant (PROTOCOL 1.3)`, () => {
    const mask = '750d7f2b34ca3df1d6b7878debc8cf9a56bcb51a58435b5bcfb7e82ee09fa8be75'
    const digit = (text: string, at: number): number => Number.parseInt(text.charAt(at), 16)
    for (let index = 0; index < VECTORS; index++) {
      const address = addressAt(index, 'agent')
      const code = Array.from(mask, (_, at) => (digit(address, at) ^ digit(mask, at)).toString(16)).join('')
      agree(index, encodeReferralCode(address), `ref_${code}`)
      agree(index, decodeReferralCode(`ref_${code.toUpperCase()}`), address)
    }
  })

  /** PROTOCOL 2.7 literally: counts whole steps instead of dividing. */
  function feeByCounting({ feeValue, feeMinimum }: FeeRule, total: bigint): bigint {
    if (total <= feeMinimum) return feeMinimum
    const step = 10_000n + feeValue
    let [steps, left] = [0n, total]
    for (let shift = 64n; shift >= 0n; shift--) {
      if (left < step << shift) continue
      left -= step << shift
      steps += 1n << shift
    }
    const share = steps * feeValue
    return share > feeMinimum ? share : feeMinimum
  }

  const ruleOf = (index: number): FeeRule => ({
    feeType: 1,
    feeValue: toAmount(numberOf(index, 'value', 13)),
    feeMinimum: toAmount(numberOf(index, 'minimum', index % 41)),
  })

  it(`${VECTORS} fees are what the rule says (PROTOCOL 2.7)`, () => {
    for (let index = 0; index < VECTORS; index++) {
      const total = numberOf(index, 'total', 1 + (index % 64))
      agree(index, transferFee(ruleOf(index), total), feeByCounting(ruleOf(index), total))
    }
  })

  it('the known fault of public clients, a gross amount without correction, is there by the old rule and not in ours', () => {
    let faults = 0
    for (let index = 0; index < VECTORS; index++) {
      const [rule, net] = [ruleOf(index), numberOf(index, 'net', 1 + (index % 60))]
      const incumbent = net + (net * rule.feeValue) / 10_000n
      if (netAmount(rule, incumbent) !== net) faults++
      agree(index, netAmount(rule, grossForNet(rule, net)), net)
    }
    expect(faults).toBeGreaterThan(VECTORS / 100)
  })

  it('the known fault of public clients, keys without their leading zeros, is there by the old rule and not in ours', () => {
    const keys = Array.from({ length: 16 }, (_, zeros) => '7'.padStart(zeros + 1, '0'))
    for (const start of keys) {
      const text = start.padEnd(64, '1')
      const byOldRule = BigInt(`0x${text}`).toString(16)
      if (start.length > 1) expect(() => parsePrivateKey(byOldRule)).toThrow()
      expect(addressOf(parsePrivateKey(text))).toMatch(/^0[23][0-9a-f]{64}$/)
    }
  })
})
