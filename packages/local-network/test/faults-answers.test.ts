import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { useFaultyInterface } from './use-faulty-interface.ts'

const given = useFaultyInterface()
const { fault, get, newPayment, post, isPending } = given

describe('answers that are something else', () => {
  test.each([
    [{ code: 503 }, undefined, '<h1>503</h1>'],
    [{ code: 429, retryAfter: 7, body: 'json' }, '7', 'Something went wrong'],
    [{ code: 429, retryAfter: 'soon', body: 'empty' }, 'soon', ''],
    [{ code: 429, retryAfter: 1_000_000_000 }, '1000000000', '<h1>429</h1>'],
    [{ code: 500, body: 'genuine' }, undefined, '{"height":2}'],
  ] as const)('%j', async (status, retryAfter, text) => {
    fault({ status }, { path: '/height' })
    const seen = await get('/height')
    expect(seen.status).toBe(status.code)
    expect(seen.headers['retry-after']).toBe(retryAfter)
    expect(seen.text).toContain(text)
  })

  test('Retry-After is a date ahead', async () => {
    fault({ status: { code: 503, retryAfterDateMs: 60_000 } })
    const before = Date.now()
    const date = Date.parse((await get('/height')).headers['retry-after'] ?? '')
    // Whole seconds.
    expect(date - 60_000).toBeGreaterThan(before - 1_000)
    expect(date - 60_000).toBeLessThanOrEqual(Date.now())
  })

  test('a payment is taken and the answer says 500', async () => {
    fault({ status: { code: 500, when: 'after' } }, { path: '/tx' })
    const { hash, body } = newPayment()
    expect((await post(body)).status).toBe(500)
    expect(await isPending(hash)).toBe(true)
  })

  test('a redirect leads elsewhere', async () => {
    fault({ redirect: { location: 'http://elsewhere.example/', code: 307 } })
    const seen = await get('/height')
    expect([seen.status, seen.headers.location]).toEqual([307, 'http://elsewhere.example/'])
  })

  test.each([
    ['null', 'null'],
    ['list', '[]'],
    ['number', '5'],
    ['errZero', '{"err":0}'],
    ['empty', ''],
    ['truncated', '{"heig'],
    ['twice', '{"height":2}{"height":2}'],
    ['duplicateKeys', '{"height":2,"height":2}'],
    ['proto', '{"__proto__":{"polluted":1},"height":2}'],
    ['byteOrderMark', '\uFEFF{"height":2}'],
    ['nul', '{"height":2}\0'],
  ] as const)('the JSON is %s', async (name, text) => {
    fault({ wrongJson: name }, { path: '/height' })
    expect((await get('/height')).text).toBe(text)
  })

  test('a page of a captive portal says 200', async () => {
    fault({ wrongJson: 'html200' })
    expect(await get('/height')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
  })

  test('bodies do not fit what was said of them', async () => {
    fault({ wrongBody: 'tooShort' })
    expect(await get('/height')).toMatchObject({ text: '{"height":2}', error: 'ECONNRESET' })
    fault({ wrongBody: 'tooLong' })
    expect((await get('/height')).error).toMatch(/^HPE_/)
    fault({ wrongBody: 'none' })
    expect(await get('/height')).toMatchObject({ status: 204, text: '' })
  })

  test('compressed bodies are broken, or far larger than they look', async () => {
    fault({ wrongBody: 'brokenGzip' })
    const broken = await get('/height')
    expect(broken.headers['content-encoding']).toBe('gzip')
    expect(() => gunzipSync(broken.body)).toThrow()
    fault({ wrongBody: 'gzipBomb' })
    const bomb = await get('/height')
    expect(bomb.body.length).toBeLessThan(200_000)
    expect(gunzipSync(bomb.body).length).toBeGreaterThan(60_000_000)
  })

  test('bits of the body are turned round', async () => {
    fault({ corrupt: { bits: 3 } })
    const { body } = await get('/height')
    const genuine = Buffer.from('{"height":2}')
    const differing = genuine.reduce((sum, byte, at) => {
      const bits = byte ^ (body[at] ?? 0)
      return sum + [...bits.toString(2)].filter((bit) => bit === '1').length
    }, 0)
    expect(differing).toBe(3)
  })
})
