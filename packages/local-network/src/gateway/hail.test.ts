import { addressOf, hailHash, parsePrivateKey, signText, verifyText } from '@hailstone/protocol'
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
