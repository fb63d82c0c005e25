import {
  addressOf,
  isTransactionSigned,
  parsePrivateKey,
  signingHashOfTexts,
  signText,
  transactionHash,
  transactionHashOfTexts,
  verifyText,
} from '@hailstone/protocol'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validatePostedTransaction } from './validate-posted-transaction.ts'

const privateKey = parsePrivateKey('5'.repeat(64))
const address = addressOf(privateKey)

const fields = {
  amount: '255000000000',
  data: '',
  from: address as string,
  nonce: 7,
  ticker: '0'.repeat(64),
  to: `03${'ab'.repeat(32)}`,
}

const textsOf = (posted: Record<string, unknown>) => ({
  amount: String(posted.amount),
  data: String(posted.data),
  from: String(posted.from),
  nonce: String(posted.nonce),
  tokenId: String(posted.ticker),
  to: String(posted.to),
})

/** A transaction whose signature fits whatever its members are. */
function signed(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const posted = { ...fields, ...changes }
  return { ...posted, sign: signText(signingHashOfTexts(textsOf(posted)), privateKey) }
}

const judge = (body: unknown) => validatePostedTransaction(body, verifyText)
const messageOf = (body: unknown): string => {
  const verdict = judge(body)
  return verdict.kind === 'refused' ? verdict.message : verdict.kind
}

test('accepts a signed transaction and names it by its hash', () => {
  const posted = signed()
  const hash = transactionHashOfTexts({ ...textsOf(posted), signature: String(posted.sign) })
  expect(judge([posted])).toMatchObject({
    kind: 'accepted',
    hash,
    transaction: { amount: 255000000000n, nonce: 7 },
  })
})

test('newer data: the plus and the equals sign are taken where the network takes them, the comma nowhere', () => {
  const posted = [signed({ data: 'a+b=c d' })]
  expect(messageOf(posted)).toBe('Incorrect data format')
  const newer = (body: unknown) => validatePostedTransaction(body, verifyText, { newerData: true })
  expect(newer(posted)).toMatchObject({ kind: 'accepted', transaction: { data: 'a+b=c d' } })
  for (const data of ['a;b', 'a,b', 'a+ü', '+'.repeat(513)])
    expect(newer([signed({ data })])).toMatchObject({ message: 'Incorrect data format' })
})

test('keeps addresses in lower case and everything else as sent', () => {
  const posted = signed({ to: fields.to.toUpperCase(), ticker: 'AB'.repeat(32), data: 'Hello' })
  expect(judge([posted])).toMatchObject({
    kind: 'accepted',
    transaction: { to: fields.to, tokenId: 'AB'.repeat(32), data: 'Hello', signature: posted.sign },
  })
})

test('rounds a fractional nonce for storage, not for the hash', () => {
  const posted = signed({ nonce: 591.5 })
  const verdict = judge([posted])
  expect(verdict).toMatchObject({ kind: 'accepted', transaction: { nonce: 592 } })
  expect(verdict.kind === 'accepted' && verdict.hash).toBe(
    transactionHashOfTexts({ ...textsOf(posted), signature: String(posted.sign) }),
  )
})

test('what is accepted under the hash of what is kept can be mined: its signature fits what is kept', () => {
  const mixedCase = (digits: string) => fc.constantFrom(digits, digits.toUpperCase())
  const posts = fc.record({
    amount: fc.oneof(fc.nat().map(String), fc.nat(), fc.constantFrom('18446744073709551615', 2 ** 53, 1e10)),
    data: fc.constantFrom('', 'Hello', 'a'.repeat(512)),
    from: mixedCase(address),
    nonce: fc.oneof(fc.double({ min: 0, max: 2 ** 53, noNaN: true }), fc.maxSafeNat()),
    ticker: fc.oneof(mixedCase('ab'.repeat(32)), fc.constant(['0'.repeat(64)])),
    to: mixedCase(fields.to),
  })
  fc.assert(
    fc.property(posts, fc.constantFrom('', 'a'), fc.boolean(), (post, half, isCapital) => {
      const posted = signed(post)
      const sign = `${isCapital ? String(posted.sign).toUpperCase() : posted.sign}${half}`
      const verdict = judge([{ ...posted, sign }])
      if (verdict.kind !== 'accepted') return
      const { transaction, hash } = verdict
      const isKeptAsSent = Number.isSafeInteger(post.nonce)
      expect(transactionHash(transaction) === hash).toBe(isKeptAsSent)
      expect(isTransactionSigned(transaction)).toBe(isKeptAsSent)
    }),
    { numRuns: 60 },
  )
})

describe('the order of the checks', () => {
  const spoilt: readonly (readonly [message: string, changes: Record<string, unknown>])[] = [
    ['Missed fields', { ticker: undefined }],
    ['FROM field in not a valid Enecuum address', { from: null }],
    ['TO field in not a valid Enecuum address', { to: 'x' }],
    ['Incorrect ticker format, hash expected', { ticker: 0 }],
    ['Amount should be a string or a number', { amount: true }],
    ['Amount string should be a 0-9 digits only', { amount: '007' }],
    ['Nonce should be a number', { nonce: '5' }],
    ['Incorrect data format', { data: '<script>' }],
    ['Incorrect sign format', { sign: null }],
    ['Signature verification failed', { to: `02${'cd'.repeat(32)}` }],
  ]

  test.each(spoilt)('%s alone', (message, changes) => {
    expect(messageOf([{ ...signed(), ...changes }])).toBe(message)
  })

  test.each(spoilt.map(([message], at) => [message, at] as const))(
    '%s comes before all later ones',
    (message, at) => {
      const later = spoilt.slice(at).map(([, changes]) => changes)
      expect(messageOf([Object.assign({}, signed(), ...later.reverse())])).toBe(message)
    },
  )

  test('range comes after form, and the signature after the range', () => {
    expect(messageOf([signed({ amount: '0' })])).toBe('Amount is not a valid Integer')
    expect(messageOf([signed({ amount: 0 })])).toBe('accepted')
    expect(messageOf([signed({ amount: '18446744073709551616', nonce: -1 })])).toBe('Amount is out of range ')
    expect(messageOf([signed({ nonce: -1 })])).toBe('Nonce is out of range ')
    expect(messageOf([signed({ nonce: 2 ** 53 })])).toBe('Nonce is out of range ')
  })
})

test('what is no text crashes the contract detector of the public server, once the signature fits', () => {
  for (const data of [5, null, true, [], ['a']]) expect(messageOf([signed({ data })])).toBe('crashed')
  expect(messageOf([signed({ from: [address] })])).toBe('crashed')
  expect(messageOf([signed({ data: '000c0200abcd' })])).toBe('crashed')
})

test('one element that is an object, and nothing else', () => {
  for (const body of [undefined, {}, [], [[]], [1, 2], 'x', { length: 1, 0: signed() }]) {
    expect(messageOf(body)).toBe('Only 1 TX can be sent')
  }
  for (const body of [[1], ['x'], [true], [{}]]) expect(messageOf(body)).toBe('Missed fields')
  expect(messageOf([null])).toBe('crashed')
})

test('answers any JSON whatever', () => {
  const member = fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(fields)))
  const element = fc.record(
    { amount: member, data: member, from: member, nonce: member, sign: member, ticker: member, to: member },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.array(element, { maxLength: 2 })), (body) => {
      expect(['refused', 'crashed']).toContain(judge(body).kind)
    }),
    { numRuns: 500 },
  )
})
