import { isNodeError } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { createClientCore } from '../node.ts'
import { parseApiUrl, requestTarget } from './api-url.ts'

const refusal = (text: string) => {
  try {
    return parseApiUrl(text).href
  } catch (error) {
    return isNodeError(error, 'URL_REFUSED') ? error : 'another error'
  }
}

describe('parseApiUrl', () => {
  it('drops the slash at the end', () => {
    expect(parseApiUrl('https://pulse.enecuum.com/api/v1/').href).toBe('https://pulse.enecuum.com/api/v1')
    expect(parseApiUrl('https://a.example').href).toBe('https://a.example')
    expect(requestTarget({ path: '/tx', query: 'hash=1' })).toBe('/tx?hash=1')
    expect(requestTarget({ path: '/height', query: '' })).toBe('/height')
  })

  it.each([
    'http://localhost:3000',
    'http://127.0.0.1:3000/api/v1',
    'http://127.8.9.1',
    'http://[::1]:3000',
    'http://127.1',
  ])('takes plain http on this machine: %s', (text) => expect(refusal(text)).toBe(parseApiUrl(text).href))

  it.each([
    'http://example.com/api/v1',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://a.example/?x=1',
    'https://a.example/#x',
    'no url',
    '',
  ])('S-7: refuses %s', (text) => expect(refusal(text)).toMatchObject({ code: 'URL_REFUSED' }))

  it('S-7: takes plain http elsewhere only when told to', () => {
    expect(parseApiUrl('http://10.0.0.1:80/api', { allowInsecure: true }).href).toBe('http://10.0.0.1/api')
  })

  it('S-7: a client that requires encryption takes plain http of this machine alone, whatever else is said', () => {
    const codeOf = (apiUrl: string): string => {
      try {
        const transport = { request: () => Promise.reject(new Error('not asked')) }
        createClientCore({ apiUrl, allowInsecure: true, requireEncryption: true, transport })
        return 'taken'
      } catch (error) {
        return isNodeError(error, 'URL_REFUSED') ? error.code : String(error)
      }
    }
    expect(codeOf('http://10.0.0.1/api')).toBe('URL_REFUSED')
    expect(codeOf('http://api.example')).toBe('URL_REFUSED')
    expect(codeOf('https://api.example')).toBe('taken')
    expect(codeOf('http://127.0.0.1:4410/api/v1')).toBe('taken')
  })

  it.each([
    'https://user:hunter2@a.example',
    'https://hunter2@a.example/hunter2',
    'http://user:hunter2@b.example?hunter2#hunter2',
    'user:hunter2@nonsense',
    '//user:hunter2@nonsense',
  ])('never repeats what may be secret: %s', (text) => {
    const error = refusal(text)
    expect(error).toMatchObject({ code: 'URL_REFUSED' })
    expect(`${JSON.stringify(error)}${String(error)}${(error as Error).stack}`).not.toContain('hunter2')
  })
})
