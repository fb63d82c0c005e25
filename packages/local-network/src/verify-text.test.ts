import { readFileSync } from 'node:fs'
import { addressOf, parsePrivateKey, signText, verifyText } from '@hailstone/protocol'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextVerifier } from './verify-text.ts'

type SignatureCase = { name: string; public_key: string; message: string; signature: string; valid: boolean }

const { cases } = JSON.parse(
  readFileSync(new URL('../../conformance/vectors/signatures.json', import.meta.url), 'utf8'),
) as { cases: SignatureCase[] }

const verify = createTextVerifier()

test.each(cases)('agrees with the network and with the pure code: $name', (given) => {
  const question = { text: given.message, signature: given.signature, address: given.public_key }
  expect(verify(question)).toBe(given.valid)
  expect(verifyText(question)).toBe(given.valid)
})

test('agrees with the pure code about signatures with one byte changed', () => {
  const privateKey = parsePrivateKey('7'.repeat(64))
  const address = addressOf(privateKey)
  const signature = signText('text', privateKey)
  const digits = fc.integer({ min: 0, max: signature.length - 1 })
  fc.assert(
    fc.property(digits, fc.constantFrom(...'0123456789abcdef'), (at, digit) => {
      const changed = signature.slice(0, at) + digit + signature.slice(at + 1)
      const question = { text: 'text', signature: changed, address }
      expect(verify(question)).toBe(verifyText(question))
    }),
    { numRuns: 60 },
  )
})

test('nonsense is refused, not thrown', () => {
  const signature = signText('text', parsePrivateKey('7'.repeat(64)))
  for (const address of ['', 'zz', `02${'f'.repeat(64)}`, `04${'a'.repeat(128)}`]) {
    expect(verify({ text: 'text', signature, address })).toBe(false)
  }
})
