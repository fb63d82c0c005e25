import { describe, expect, it } from 'vitest'
import { redacted } from './diagnostics-text.ts'

const key = 'c0ffee254729296a45a3885639ac7e10f9d54979d7b4d5e1f0a4f1b2c3d4e5f6'

describe('redaction', () => {
  it('leaves no key, address or code whole', () => {
    const text = `key ${key} upper ${key.toUpperCase()} 0x${key} address 02${key} code ref_77${key} in "${key}"`
    const safe = redacted(text)
    expect(safe.toLowerCase()).not.toContain(key)
    expect(safe).not.toMatch(/[0-9a-f]{20}/i)
  })

  it('leaves what helps', () => {
    expect(redacted('{"status":"waiting","attempt":3,"amount":"2500000000000"}')).toBe(
      '{"status":"waiting","attempt":3,"amount":"2500000000000"}',
    )
  })
})
