import { addressOf, hailHash, parsePrivateKey, sha256Hex, signText, verifyText } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { isHailSigned, keptHail } from './hail.ts'

const key = parsePrivateKey('1'.repeat(64))
const host = 'gateway.example'
const hash = hailHash(host)
const hail = {
  id: addressOf(key),
  token: '0'.repeat(64),
  hash,
  signature: signText(hash, key),
  referrer: addressOf(key),
}

test('what is kept of a hail still proves its key', () => {
  const kept = keptHail(hail, host)
  expect(kept).toEqual({ data: hail, host })
  expect(isHailSigned({ ...kept, verify: verifyText })).toBe(true)
})

test('what is kept of a hail is short in every message, whatever a stranger writes', () => {
  for (const text of ['a'.repeat(257), '\u0001'.repeat(50), '\ud800'.repeat(50), '☃'.repeat(100)]) {
    const { data, host: kept } = keptHail(
      { ...hail, token: text, hash: text, signature: text, referrer: text },
      text,
    )
    expect(data).toEqual({ id: hail.id, token: null, hash: null, signature: null, referrer: null })
    expect(kept).toBe('')
  }
  const { data } = keptHail({ ...hail, hash: [['a']], signature: { a: 'b' } }, host)
  expect([data.hash, data.signature]).toEqual([null, null])
})

test('a hail for a host whose name goes on proves nothing at a shorter one', () => {
  const isProven = (more: object) =>
    isHailSigned({ data: { ...hail, ...more }, host: 'gateway', verify: verifyText })
  expect(isProven({ referrer: '.example', token: '' })).toBe(false)
  expect(isProven({ referrer: undefined, token: '.example' })).toBe(false)
  expect(isHailSigned({ data: { ...hail, referrer: host, token: '' }, host: '', verify: verifyText })).toBe(
    false,
  )
})

test('a hail for no host proves nothing', () => {
  const empty = hailHash('')
  const data = { ...hail, hash: empty, signature: signText(empty, key) }
  expect(isHailSigned({ data, host: '', verify: verifyText })).toBe(false)
})

test.each([
  ['agent and token', hail.referrer, hail.token],
  ['agent', hail.referrer, ''],
  ['agent in capitals', hail.referrer.toUpperCase(), hail.token],
  ['token', undefined, hail.token],
  ['nothing', undefined, undefined],
])('the extended form proves a key with %s', (_, referrer, token) => {
  const extended = sha256Hex(`${host}${referrer ?? ''}${token ?? ''}`)
  const data = { id: hail.id, hash: extended, signature: signText(extended, key), referrer, token }
  expect(isHailSigned({ data, host, verify: verifyText })).toBe(true)
})

test.each([
  ['::1', '[::1]'],
  ['[::1]', '::1'],
  ['::1', '[0:0:0:0:0:0:0:1]'],
  ['[2001:db8::1]', '2001:DB8:0::1'],
])('a hail for %s proves a key at %s', (signed, host) => {
  const text = hailHash(signed)
  const data = { ...hail, hash: text, signature: signText(text, key) }
  expect(isHailSigned({ data, host, verify: verifyText })).toBe(true)
  expect(isHailSigned({ data, host: '[::2]', verify: verifyText })).toBe(false)
})
