import { describe, expect, it } from 'vitest'
import { assertEncrypted, requiresEncryption } from './load-brand.ts'

const brandOf = (api: string, ...poa: string[]) => ({ network: { api, poa } }) as never
const secure = { protocol: 'https:', hostname: 'mine.example' }
const plain = { protocol: 'http:', hostname: '127.0.0.1' }
const native = { protocol: 'https:', hostname: 'localhost' }

describe('S-7: a page that is served by https', () => {
  it.each([
    [
      'ws://gateway.example:3000',
      brandOf('https://api.example', 'wss://a.example', 'ws://gateway.example:3000'),
    ],
    ['http://api.example/api/v1', brandOf('http://api.example/api/v1', 'wss://a.example')],
    ['ws://127.0.0.1.example.com', brandOf('https://api.example', 'ws://127.0.0.1.example.com')],
    ['ws://192.168.1.2', brandOf('https://api.example', 'ws://192.168.1.2')],
  ])('refuses %s', (named, brand) => {
    expect(() => assertEncrypted(brand, secure)).toThrow(named)
    expect(() => assertEncrypted(brand, plain)).not.toThrow()
    expect(() => assertEncrypted(brand, native)).not.toThrow()
  })

  it('takes what is encrypted, and this machine', () => {
    expect(() => assertEncrypted(brandOf('https://api.example', 'wss://a.example'), secure)).not.toThrow()
    const here = brandOf('http://127.0.0.1:4410/api/v1', 'ws://localhost:4411', 'ws://[::1]:4411')
    expect(() => assertEncrypted(here, secure)).not.toThrow()
  })

  it('asks the same of redirects; a page of this machine and a native app do not', () => {
    expect([secure, plain, native].map(requiresEncryption)).toEqual([true, false, false])
  })
})
