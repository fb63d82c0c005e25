import { expect, it } from 'vitest'
import { base32Of, findTotpStep, totpCode, totpStepOf, totpUri } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

/** RFC 6238, appendix B, SHA-1: its codes have eight digits, of which apps show the last six. */
it.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('makes the code of second %i as RFC 6238 does', (seconds, eight) => {
  expect(totpCode(secret, totpStepOf(seconds * 1000))).toBe(eight.slice(2))
})

it('takes codes of the step before and after, and none of or before a step that was used', () => {
  const nowMs = 1_234_567_890_000
  const now = totpStepOf(nowMs)
  const found = (step: number, after = 0) => findTotpStep(secret, totpCode(secret, step), { nowMs, after })
  expect([-2, -1, 0, 1, 2].map((off) => found(now + off))).toStrictEqual([
    undefined,
    now - 1,
    now,
    now + 1,
    undefined,
  ])
  expect(found(now, now)).toBeUndefined()
  expect(found(now - 1, now)).toBeUndefined()
  expect(found(now + 1, now)).toBe(now + 1)
})

it('writes the secret as apps read it', () => {
  expect(base32Of(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(totpUri(secret, { name: 'Ada & Bo', issuer: 'HAIL console' })).toBe(
    'otpauth://totp/HAIL%20console%3AAda%20%26%20Bo?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=HAIL%20console',
  )
})
