import {
  addressOf,
  derToCompact,
  parsePrivateKey,
  sha256Hex,
  signText,
  verifyText,
} from '@hailstone/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextVerifier } from './text-verifier.ts'

const key = parsePrivateKey(sha256Hex('verifier'))
const address = addressOf(key)
const verify = createTextVerifier()

describe('verification through OpenSSL', () => {
  it('agrees with the pure code on signatures, whole, broken and of other texts', () =>
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.constantFrom(0, 0, 1), (text, at, flip) => {
        const whole = signText(text, key)
        const place = at % whole.length
        const digit = (Number.parseInt(whole[place] ?? '0', 16) ^ flip).toString(16)
        const signature = whole.slice(0, place) + digit + whole.slice(place + 1)
        for (const given of [text, `${text}x`]) {
          const asked = { text: given, signature, address }
          expect(verify(asked)).toBe(verifyText(asked))
        }
      }),
      { numRuns: 150 },
    ))

  it.each([
    ['an empty signature', '', address],
    ['a signature that is no hex', 'zz', address],
    ['an address that is no point', signText('a', key), `02${'ff'.repeat(32)}`],
    ['an address that is none', signText('a', key), 'nobody'],
  ])('says no to %s', (_name, signature, of) => {
    expect(verify({ text: 'a', signature, address: of })).toBe(false)
  })

  it('accepts the high-S twin, as the network does', () => {
    const compact = derToCompact(Buffer.from(signText('a', key), 'hex'))
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const high = (order - BigInt(`0x${Buffer.from(compact.slice(32)).toString('hex')}`))
      .toString(16)
      .padStart(64, '0')
    const integer = (hex: string): string => {
      const digits = hex.replace(/^(?:00)+(?=..)/, '')
      const body = Number.parseInt(digits.slice(0, 2), 16) > 127 ? `00${digits}` : digits
      return `02${(body.length / 2).toString(16).padStart(2, '0')}${body}`
    }
    const body = integer(Buffer.from(compact.slice(0, 32)).toString('hex')) + integer(high)
    const twin = `30${(body.length / 2).toString(16)}${body}`
    expect([verify, verifyText].map((by) => by({ text: 'a', signature: twin, address }))).toEqual([
      true,
      true,
    ])
  })
})
