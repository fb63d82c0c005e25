import { createHash, createPublicKey, ECDH, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { addressOf, parsePrivateKey, signText } from '../index.ts'
import { SIGNING_GUIDE } from './guides.ts'
import { openApiDocument } from './open-api.ts'

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
const f = (text: string): string => sha256(text.toLowerCase())

/** The lines of the vector by their names. */
function vector(): (name: string) => string {
  const [, code = ''] = SIGNING_GUIDE.split('```')
  const lines = new Map(code.split('\n').map((line) => [line.slice(0, 14).trim(), line.slice(14)]))
  return (name) => lines.get(name) ?? ''
}

test('the steps of signing, done with nothing but SHA-256 and the curve of Node, give every line of the vector', () => {
  const line = vector()
  const before = ['amount', 'data', 'from', 'nonce'].map((name) => f(line(name)))
  const after = ['ticker', 'to'].map((name) => f(line(name)))
  expect([...before, ...after]).toEqual(
    ['amount', 'data', 'from', 'nonce', 'ticker', 'to'].map((name) => line(`f(${name})`)),
  )
  expect(line('private key')).toBe(sha256('a key that everybody knows'))
  const signingHash = sha256([...before, ...after].join(''))
  expect(signingHash).toBe(line('signing hash'))
  expect(f(line('sign'))).toBe(line('f(sign)'))
  expect(sha256([...before, f(line('sign')), ...after].join(''))).toBe(line('hash'))

  const point = ECDH.convertKey(line('from'), 'secp256k1', 'hex', 'base64url', 'uncompressed') as string
  const xy = Buffer.from(point, 'base64url').subarray(1)
  const [x = '', y = ''] = [xy.subarray(0, 32), xy.subarray(32)].map((half) => half.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x, y }, format: 'jwk' })
  expect(verify('sha256', Buffer.from(signingHash, 'ascii'), key, Buffer.from(line('sign'), 'hex'))).toBe(
    true,
  )
  const privateKey = parsePrivateKey(line('private key'))
  expect(addressOf(privateKey)).toBe(line('from'))
  // The nonce of ECDSA follows from key and text, so everybody gets these very bytes.
  expect(signText(signingHash, privateKey)).toBe(line('sign'))
})

test('the document tells limits, versions, signing and where a referral reward is marked', () => {
  const { description } = openApiDocument({ serverUrl: '/api/v1' }).info
  const titles = [...description.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect(titles).toEqual([
    'The latest transactions',
    'How a transaction is hashed and signed',
    'Where a referral reward is marked',
    'Limits and time-outs',
    'Versions of this interface',
  ])
})
