import { expect, it } from 'vitest'
import { defaultEcdsa, verifyTextPurely } from '../ecdsa.ts'
import type { Ecdsa } from './ecdsa.ts'
import { canVerify, givesKnownAnswers, KNOWN_ANSWER } from './self-check.ts'

const never = () => {
  throw new Error('broken')
}

it('is passed by the reference', () => {
  expect(canVerify(verifyTextPurely)).toBe(true)
  expect(givesKnownAnswers(defaultEcdsa)).toBe(true)
})

it.each<[string, Partial<Ecdsa>]>([
  ['gives another address', { addressOf: () => `03${KNOWN_ANSWER.address.slice(2)}` as never }],
  ['signs with high S', { signText: () => KNOWN_ANSWER.highS as never }],
  ['signs with other nonces', { signText: (text, key) => defaultEcdsa.signText(`${text} `, key) }],
  ['accepts everything', { verifyText: () => true }],
  ['refuses everything', { verifyText: () => false }],
  [
    'refuses high S',
    { verifyText: (given) => given.signature !== KNOWN_ANSWER.highS && defaultEcdsa.verifyText(given) },
  ],
  ['throws at an address', { addressOf: never }],
  ['throws at a signature', { signText: never }],
  ['throws when it verifies', { verifyText: never }],
])('is not passed by one that %s', (_, change) => {
  expect(givesKnownAnswers({ ...defaultEcdsa, ...change })).toBe(false)
})
