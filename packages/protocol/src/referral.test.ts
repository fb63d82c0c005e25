import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNodeError } from './errors/node-error.ts'
import { decodeReferralCode, encodeReferralCode, referralCodeFault } from './referral.ts'

const hexDigits = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''))

const addresses = fc
  .tuple(fc.constantFrom('02', '03'), hexDigits(64))
  .map(([prefix, digits]) => prefix + digits)

const address = '02b07ca2dea3981200f9e94639edeedd173a39f572e057304fbcb1dbc78bff5144'
const code = 'ref_77bd0389ea69a5e3d64e6ecbd225214741868cef2aa30c6b800b59f5271457ef31'

describe('a referral code', () => {
  it('stands for an account and back', () => {
    expect(encodeReferralCode(address)).toBe(code)
    expect(decodeReferralCode(code)).toBe(address)
  })

  it('is decoded to the same address for every address, and begins with 77 or 76', () => {
    fc.assert(
      fc.property(addresses, (given) => {
        const encoded = encodeReferralCode(given.toUpperCase())
        expect(encoded.slice(4, 6)).toBe(given.startsWith('02') ? '77' : '76')
        expect(decodeReferralCode(encoded)).toBe(given)
      }),
    )
  })

  it('is taken in either letter case after its prefix', () => {
    expect(decodeReferralCode(`ref_${code.slice(4).toUpperCase()}`)).toBe(address)
  })

  it.each([
    ['', 'prefix'],
    ['null', 'prefix'],
    [address, 'prefix'],
    [`REF_${code.slice(4)}`, 'prefix'],
    [` ${code}`, 'prefix'],
    [code.slice(0, -1), 'length'],
    [`${code}0`, 'length'],
    [`${code}\n`, 'length'],
    [code.replace('bd', 'xy'), 'format'],
    [`ref_${address}`, 'address'],
  ])('H12: %j is refused for its %s', (text, fault) => {
    expect(referralCodeFault(text)).toBe(fault)
    expect(() => decodeReferralCode(text)).toThrow(expect.objectContaining({ code: 'REFERRAL_CODE_INVALID' }))
  })

  it('H12: is refused or decodes to an address, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          hexDigits(66).map((digits) => `ref_${digits}`),
        ),
        (text) => {
          try {
            expect(encodeReferralCode(decodeReferralCode(text))).toBe(text.toLowerCase())
          } catch (error) {
            if (!isNodeError(error, 'REFERRAL_CODE_INVALID')) throw error
          }
        },
      ),
    )
  })
})
