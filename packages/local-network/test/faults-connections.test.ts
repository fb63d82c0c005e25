import { describe, expect, test } from 'vitest'
import { exchangeBytes } from './plain-http.ts'
import { json, useFaultyInterface } from './use-faulty-interface.ts'

const given = useFaultyInterface()
const { fault, get, newPayment, post, isPending } = given

describe('time', () => {
  test('an answer comes late, and the request was carried out at once', async () => {
    fault({ delay: { ms: 1500 } }, { path: '/tx' })
    const { hash, body } = newPayment()
    let isAnswered = false
    const late = post(body).finally(() => {
      isAnswered = true
    })
    await expect.poll(() => isPending(hash)).toBe(true)
    expect(isAnswered).toBe(false)
    expect((await late).tookMs).toBeGreaterThan(1490)
  })

  test('a request is held back before anybody looks at it', async () => {
    fault({ delay: { ms: [1200, 1250], of: 'request' } }, { path: '/tx' })
    const { hash, body } = newPayment()
    const late = post(body)
    await expect.poll(() => given.network.faults.fired().length).toBe(1)
    expect(await isPending(hash)).toBe(false)
    expect((await late).tookMs).toBeGreaterThan(1190)
    expect(await isPending(hash)).toBe(true)
    expect(given.network.faults.fired()[0]?.detail.ms).toBeGreaterThanOrEqual(1200)
  })

  test('a silent server takes the request and never answers', async () => {
    fault({ silent: true }, { path: '/height' })
    expect(await get('/height', { timeoutMs: 300 })).toMatchObject({ status: null, error: 'TIMEOUT' })
    expect((await get('/stats')).status).toBe(200)
  })

  test('a half-open connection stays open and answers nothing, not even the next request', async () => {
    fault({ halfOpen: true }, { nth: 1 })
    const question = 'GET /api/v1/height HTTP/1.1\r\nhost: localhost\r\n\r\n'
    expect(await exchangeBytes(given.network.apiUrl, question + question, { waitMs: 400 })).toMatchObject({
      bytes: Buffer.alloc(0),
      ended: 'open',
    })
    expect((await get('/height')).status).toBe(200)
  })

  test('an answer drips', async () => {
    fault({ drip: { bytes: 20, everyMs: 20 } }, { path: '/height' })
    const seen = await get('/height')
    expect(json(seen)).toEqual({ height: 2n })
    // Head and body are some 300 bytes.
    expect(seen.tookMs).toBeGreaterThan(150)
  })

  test('an answer overtakes the one before it', async () => {
    fault({ reorder: { waitMs: 2000 } }, { path: '/height', nth: 1 })
    const order: string[] = []
    const first = get('/height').then(() => order.push('first'))
    await expect.poll(() => given.network.faults.fired().length).toBe(1)
    await get('/stats').then(() => order.push('second'))
    await first
    expect(order).toEqual(['second', 'first'])
  })
})

describe('connections', () => {
  const wholeAnswer = 'GET /api/v1/height HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'

  test.each([
    ['end', 0],
    ['end', 1],
    ['end', 40],
    ['reset', 0],
    ['reset', 17],
    // A busy reader may find bytes and RST together, which Node calls an end: it reads again then.
  ] as const)('an answer is cut with %s after %i bytes', { retry: 5 }, async (how, afterBytes) => {
    fault({ cut: { of: 'answer', afterBytes, how } })
    const { bytes, ended } = await exchangeBytes(given.network.apiUrl, wholeAnswer)
    expect(ended).toBe(how)
    expect(bytes.toString()).toBe('HTTP/1.1 200 OK\r\naccess-control-allow-origin: *'.slice(0, afterBytes))
  })

  test('a request that was cut changes nothing, wherever that was; once it is whole it is carried out', async () => {
    const { hash, body } = newPayment()
    const text = JSON.stringify(body)
    const head = `POST /api/v1/tx HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`
    const request = head + text
    for (const afterBytes of [0, 1, head.length, head.length + 1, request.length - 1]) {
      fault({ cut: { of: 'request', afterBytes } }, { path: '/tx' })
      expect(await exchangeBytes(given.network.apiUrl, request)).toMatchObject({ bytes: Buffer.alloc(0) })
      expect(given.network.faults.fired()).toMatchObject([
        { subject: 'POST /api/v1/tx', detail: { afterBytes } },
      ])
      expect(await isPending(hash)).toBe(false)
    }
    fault({ cut: { of: 'request', afterBytes: request.length, how: 'reset' } }, { path: '/tx' })
    expect(await exchangeBytes(given.network.apiUrl, request)).toEqual({
      bytes: Buffer.alloc(0),
      ended: 'reset',
    })
    await expect.poll(() => isPending(hash)).toBe(true)
  })

  test('only the requests that fit are cut, on a connection that is used again', async () => {
    fault({ cut: { of: 'request', afterBytes: 10 } }, { path: '/stats' })
    const ok = 'GET /api/v1/height HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const { bytes } = await exchangeBytes(given.network.apiUrl, ok, { until: '{"height":2}' })
    expect(bytes.toString()).toContain('{"height":2}')
    expect((await get('/stats')).error).toBe('ECONNRESET')
  })

  test.each([
    ['before', false],
    ['after', true],
  ] as const)('a connection is reset %s the request is carried out', async (when, isCarriedOut) => {
    fault({ reset: { when } }, { path: '/tx' })
    const { hash, body } = newPayment()
    expect(await post(body)).toMatchObject({ status: null, error: 'ECONNRESET' })
    expect(await isPending(hash)).toBe(isCarriedOut)
  })

  test('a byte on the wire is another one', async () => {
    fault({ corrupt: { bits: 200, of: 'answer' } })
    expect((await get('/height')).error).toMatch(/^HPE_/)
  })
})
