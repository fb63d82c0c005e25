import { addressOf, parsePrivateKey, signText, verifyText } from '@hailstone/protocol'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { highSOf } from '../test/high-s.ts'
import { refuseHighS } from './strict-signatures.ts'

const privateKey = parsePrivateKey('7'.repeat(64))
const address = addressOf(privateKey)
const strict = refuseHighS(verifyText)

test('takes the low form of every signature and refuses the high one, which the network takes', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const signature = signText(text, privateKey)
      const question = { text, address }
      expect(strict({ ...question, signature })).toBe(true)
      expect(verifyText({ ...question, signature: highSOf(signature) })).toBe(true)
      expect(strict({ ...question, signature: highSOf(signature) })).toBe(false)
    }),
    { numRuns: 30 },
  )
})

test('still verifies, and answers nonsense', () => {
  const signature = signText('a', privateKey)
  expect(strict({ text: 'b', signature, address })).toBe(false)
  for (const nonsense of ['', '00', 'zz', '30'.repeat(40)]) {
    expect(strict({ text: 'a', signature: nonsense, address })).toBe(false)
  }
})
