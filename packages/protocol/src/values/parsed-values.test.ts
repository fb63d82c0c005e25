import { expect, it } from 'vitest'
import { signText } from '../ecdsa.ts'
import { encodeReferralCode, isReferralCode } from '../referral.ts'
import { isBlockName, parseBlockName } from './hash.ts'
import { isPrivateKey, parsePrivateKey } from './private-key.ts'
import { isSignature, parseSignature } from './signature.ts'

const key = parsePrivateKey('7'.padStart(64, '0'))
const signature = signText('text', key)
const others = ['', 'x', 'ab'.repeat(80), null, undefined, 7, {}, ['ab']]

it('reads signatures as this package writes them, in either letter case', () => {
  expect(isSignature(signature)).toBe(true)
  expect(parseSignature(signature.toUpperCase())).toBe(signature)
  expect(isSignature(signature.toUpperCase())).toBe(false)
  const cut = signature.slice(0, -2)
  for (const other of [...others, cut, `${signature}00`, `${signature}0`, signature.replace('30', '31')]) {
    expect(isSignature(other), String(other)).toBe(false)
    expect(() => parseSignature(other as string)).toThrow(
      expect.objectContaining({ code: 'SIGNATURE_MALFORMED' }),
    )
  }
})

it('reads block names: hashes, and the names of origin blocks', () => {
  const hash = 'ab'.repeat(32)
  expect([parseBlockName(hash.toUpperCase()), parseBlockName('ENQGENESIS')]).toEqual([hash, 'ENQGENESIS'])
  for (const other of ['enqgenesis', 'x'.repeat(64), ...others]) {
    expect(isBlockName(other), String(other)).toBe(false)
    if (typeof other === 'string' && other.length !== 64)
      expect(() => parseBlockName(other)).toThrow(expect.objectContaining({ code: 'HASH_MALFORMED' }))
  }
})

it('tells private keys and referral codes from other values', () => {
  expect(isPrivateKey(key)).toBe(true)
  for (const other of [`00${key}`, '0'.repeat(64), 'f'.repeat(64), ...others])
    expect(isPrivateKey(other)).toBe(false)
  expect(isReferralCode(encodeReferralCode(`02${'ab'.repeat(32)}`))).toBe(true)
  for (const other of [`02${'ab'.repeat(32)}`, 'ref_', ...others]) expect(isReferralCode(other)).toBe(false)
})
