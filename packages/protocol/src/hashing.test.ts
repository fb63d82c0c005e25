import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { ascending, fieldHash, pureSha256Hex, sha256Hex } from './hashing.ts'
import { hmacHex, pureHmacHex } from './hmac.ts'

const texts = ['', 'a', 'Pulse', 'ж', 'İ', '😀', 'x'.repeat(1_000), '\u0000', 'a\ud800b']
const sha256Of = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
const hmacOf = (text: string): string => createHmac('sha256', '').update(text, 'utf8').digest('hex')

describe('G-12: hashes of texts', () => {
  it.each(texts)('are those of OpenSSL, on this platform and in JavaScript: %j', (text) => {
    for (const hash of [sha256Hex, pureSha256Hex]) expect(hash(text)).toBe(sha256Of(text))
    for (const hash of [hmacHex, pureHmacHex]) expect(hash(text)).toBe(hmacOf(text))
  })

  it('are the same where the platform brings none, as in browsers', async () => {
    vi.resetModules()
    vi.doMock('#platform', () => import('./accelerated/platform-browser.ts'))
    const there = { ...(await import('./hashing.ts')), ...(await import('./hmac.ts')) }
    vi.doUnmock('#platform')
    // Test files of this package share their modules: the next one must not get these.
    vi.resetModules()
    expect(there.sha256Hex('Pulse')).toBe(sha256Of('Pulse'))
    expect(there.hmacHex('Pulse')).toBe(hmacOf('Pulse'))
  })
})

describe('the hash of a field', () => {
  it('is that of its text with A to Z in lower case, and no other letter', () => {
    expect(fieldHash('ABC xyz')).toBe(sha256Of('abc xyz'))
    expect(fieldHash('ÄBC')).toBe(sha256Of('Äbc'))
    expect(fieldHash('ПULSE')).toBe(sha256Of('Пulse'))
    expect(fieldHash('ж')).toBe(sha256Of('ж'))
    // Its small letter is two characters, and the Kelvin sign's is an ASCII letter.
    expect(fieldHash('İ')).toBe(sha256Of('İ'))
    expect(fieldHash('\u212a')).toBe(sha256Of('\u212a'))
  })

  it('is that of the digits of a number', () => {
    expect(fieldHash(12)).toBe(sha256Of('12'))
    expect(fieldHash(2n ** 64n)).toBe(sha256Of('18446744073709551616'))
  })
})

it('ascending orders as text and tells equal texts', () => {
  expect(ascending('a', 'b')).toBe(-1)
  expect(ascending('b', 'a')).toBe(1)
  expect(ascending('a', 'a')).toBe(0)
  expect(['10', 'b', '9', 'a', 'B'].sort(ascending)).toEqual(['10', '9', 'B', 'a', 'b'])
})
