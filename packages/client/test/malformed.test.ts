import type { IncomingMessage, ServerResponse } from 'node:http'
import { isNodeError, parseAddress } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient, createFetchTransport, createUndiciTransport } from '../src/node.ts'
import { serve, type TestServer } from './support/serve.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const json = (body: string, status = 200): Answer => {
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}
const html = (status: number): Answer => {
  return (response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<html>portal</html>')
}
const raw = (text: string): Answer => {
  return (response) => {
    response.socket?.end(text)
  }
}
const balance = (amount: string): Answer =>
  json(
    `{"amount":${amount},"token":"${'0'.repeat(64)}","ticker":"ENQ","decimals":10,"delegated":0,"reward":0,"transit":0,"undelegated":0}`,
  )
const ofDecimals = (decimals: string): Answer =>
  json(
    `{"amount":1,"token":"${'0'.repeat(64)}","ticker":"ENQ","decimals":${decimals},"delegated":0,"reward":0,"transit":0,"undelegated":0}`,
  )

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}

function tenMegabytes(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(`[${'1,'.repeat(5 * 1024 * 1024)}1]`)
}

const address = parseAddress(`02${'ab'.repeat(32)}`)
const height = (client: Client) => client.getHeight()
const balanceOf = (client: Client) => client.getBalance({ address })
const token = (client: Client) => client.getToken({ tokenId: client.network.nativeTokenId })
const stats = (client: Client) => client.getStats()

const table: readonly (readonly [string, Answer, (client: Client) => Promise<unknown>, string])[] = [
  ['H1: 500 with a page', html(500), height, 'HTTP_STATUS'],
  ['H1: 500 with an error object', json('{"err":1,"message":"no"}', 500), height, 'HTTP_STATUS'],
  ['H1: 502 without a body', json('', 502), height, 'HTTP_STATUS'],
  ['H1: 204', (response) => response.writeHead(204).end(), height, 'HTTP_STATUS'],
  ['H1: 404 with a page', html(404), balanceOf, 'HTTP_STATUS'],
  ['N8: a page with status 200', html(200), height, 'RESPONSE_INVALID'],
  ['H1: an empty body', json(''), height, 'RESPONSE_INVALID'],
  ['H1: null', json('null'), height, 'RESPONSE_INVALID'],
  ['H1: a list instead of an object', json('[]'), balanceOf, 'RESPONSE_INVALID'],
  ['H1: an object instead of a list', json('{}'), token, 'RESPONSE_INVALID'],
  ['H1: {err:0} where all members may be missing', json('{"err":0}'), height, 'RESPONSE_INVALID'],
  ['H1: {err:1} where any member is allowed', json('{"err":1}'), stats, 'RESPONSE_INVALID'],
  ['a text instead of a height', json('{"height":"7"}'), height, 'RESPONSE_INVALID'],
  ['a height with a fraction', json('{"height":7.5}'), height, 'RESPONSE_INVALID'],
  ['B2: a height beyond exact numbers', json('{"height":9007199254740993}'), height, 'RESPONSE_INVALID'],
  ['a negative height', json('{"height":-7}'), height, 'RESPONSE_INVALID'],
  ['B1: an amount below zero', balance('-1'), balanceOf, 'RESPONSE_INVALID'],
  ['B1: an amount with a fraction', balance('1.5'), balanceOf, 'RESPONSE_INVALID'],
  ['B1: an amount with an exponent', balance('1e3'), balanceOf, 'RESPONSE_INVALID'],
  ['B1: an amount of 2^64', balance('18446744073709551616'), balanceOf, 'RESPONSE_INVALID'],
  ['B1: an amount of 2^64 as text', balance('"18446744073709551616"'), balanceOf, 'RESPONSE_INVALID'],
  ['an amount of letters', balance('"abc"'), balanceOf, 'RESPONSE_INVALID'],
  ['an empty amount', balance('""'), balanceOf, 'RESPONSE_INVALID'],
  ['an amount of null', balance('null'), balanceOf, 'RESPONSE_INVALID'],
  ['an amount of true', balance('true'), balanceOf, 'RESPONSE_INVALID'],
  ['H11: 77 decimals', ofDecimals('77'), balanceOf, 'RESPONSE_INVALID'],
  ['H11: decimals below zero', ofDecimals('-1'), balanceOf, 'RESPONSE_INVALID'],
  ['H11: decimals as text', ofDecimals('"10"'), balanceOf, 'RESPONSE_INVALID'],
  ['an own __proto__', json('{"__proto__":{"height":5}}{'), height, 'RESPONSE_INVALID'],
  ['deep nesting', json('['.repeat(50_000)), height, 'RESPONSE_INVALID'],
  ['N10: JSON that is cut', json('{"height":'), height, 'RESPONSE_INVALID'],
  [
    'bytes that are not UTF-8',
    (response) => response.end(Buffer.from([0xff, 0xfe, 0x7b])),
    height,
    'RESPONSE_INVALID',
  ],
  ['S-7: 10 MB', tenMegabytes, height, 'RESPONSE_TOO_LARGE'],
  ['N9: one byte now and then', drip, height, 'REQUEST_TIMEOUT'],
  ['N9: no answer', () => undefined, height, 'REQUEST_TIMEOUT'],
  [
    'N10: a body shorter than its length',
    raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"height":7}'),
    height,
    'REQUEST_FAILED',
  ],
  [
    'N10: a body longer than its length',
    raw('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{"height":7}'),
    height,
    'RESPONSE_INVALID',
  ],
  [
    'N10: a body cut in mid-chunk',
    raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n40\r\n{"hei'),
    height,
    'REQUEST_FAILED',
  ],
  ['N10: something that is not HTTP', raw('SSH-2.0-OpenSSH_9.6\r\n'), height, 'REQUEST_FAILED'],
  ['N10: a reset', (response) => response.socket?.resetAndDestroy(), height, 'REQUEST_FAILED'],
]

describe.each(Object.entries({ undici: createUndiciTransport, fetch: createFetchTransport }))(
  'over %s',
  (_, createTransport) => {
    let answer: Answer = json('{}')
    let server: TestServer
    let client: Client
    /** For answers that never come; the others may take as long as a busy machine needs. */
    let hasty: Client

    beforeAll(async () => {
      server = await serve((request, response) => answer(response, request))
      const { apiUrl } = server
      const retry = { maxAttempts: 2, baseDelayMs: 1 }
      client = createClient({ apiUrl, transport: createTransport({ apiUrl }), timeoutMs: 20_000, retry })
      hasty = createClient({ apiUrl, transport: createTransport({ apiUrl }), timeoutMs: 300, retry })
    })
    afterAll(async () => {
      await server[Symbol.asyncDispose]()
      await Promise.all([client.close(), hasty.close()])
    })

    it.each(table)('%s becomes a typed error', async (_name, broken, ask, code) => {
      answer = broken
      const error = await ask(code === 'REQUEST_TIMEOUT' ? hasty : client).then(
        (value) => value,
        (reason) => reason,
      )
      expect(isNodeError(error) ? error.code : error).toBe(code)
      expect(error.facts.path).toMatch(/^\/\w+$/)
    })

    it('answers rightly again after all of them', async () => {
      answer = json('{"height":7}')
      expect(await client.getHeight()).toBe(7)
    })

    it('sends no header of its own, whatever an answer states, so that a page needs no preflight for a GET', async () => {
      const sent: string[] = []
      answer = (response, { headers }) => {
        sent.push(...Object.keys(headers))
        response.setHeader('x-hailstone-height', '7')
        json('{"height":7}')(response, { headers } as IncomingMessage)
      }
      for (let count = 0; count < 2; count++) expect(await client.getHeight()).toBe(7)
      expect(sent.filter((name) => name.startsWith('x-'))).toEqual([])
    })

    it('follows a GET within its origin', async () => {
      answer = (response, request) => {
        if (request.url === '/moved') response.end('{"height":8}')
        else response.writeHead(302, { location: '/moved' }).end()
      }
      expect(await client.getHeight()).toBe(8)
    })

    it('N8: ends when redirects go round', async () => {
      answer = (response, request) => response.writeHead(302, { location: request.url }).end()
      await expect(client.getHeight()).rejects.toSatisfy((error) => isNodeError(error))
    })

    it('N8, S-7: refuses a GET that is sent to another origin, and what it says there', async () => {
      await using other = await serve((_request, response) => response.end('{"height":666}'))
      answer = (response) => response.writeHead(302, { location: `${other.origin}/x?token=secret` }).end()
      await expect(client.getHeight()).rejects.toMatchObject({
        code: 'URL_REFUSED',
        facts: { url: other.origin },
      })
    })

    it('N8, S-7: never follows a POST, not even within its origin', async () => {
      const before = server.requests.length
      answer = (response) => response.writeHead(307, { location: '/moved' }).end()
      await expect(client.requestTestCoins({ address })).rejects.toMatchObject({ code: 'URL_REFUSED' })
      expect(server.requests.slice(before)).toStrictEqual(['POST /api/v1/faucet'])
    })

    it('rejects with the very reason of the caller who cancels', async () => {
      answer = () => undefined
      const controller = new AbortController()
      const reason = { why: 'changed my mind' }
      const asked = client.getHeight({ signal: controller.signal })
      setTimeout(() => controller.abort(reason), 20)
      await expect(asked).rejects.toBe(reason)
      await expect(client.getHeight({ signal: controller.signal })).rejects.toBe(reason)
    })

    it('carries one signal through many calls without a warning', async () => {
      answer = json('{"height":7}')
      const warnings: Error[] = []
      const collect = (warning: Error) => warnings.push(warning)
      process.on('warning', collect)
      const { signal } = new AbortController()
      await Promise.all(Array.from({ length: 40 }, () => client.getHeight({ signal })))
      await new Promise((resolve) => setTimeout(resolve, 5))
      process.off('warning', collect)
      expect(warnings).toStrictEqual([])
    })

    it('is not asked after it is closed', async () => {
      const { apiUrl } = server
      const other = createClient({ apiUrl, transport: createTransport({ apiUrl }) })
      await Promise.all([other.close(), other.close()])
      await expect(other.getHeight()).rejects.toMatchObject({
        code: 'REQUEST_FAILED',
        facts: { reason: 'the client is closed' },
      })
    })
  },
)

describe('N10: gzip', () => {
  it('is bounded after decompression', async () => {
    const { gzipSync } = await import('node:zlib')
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 0x20))
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    const { apiUrl } = server
    await using client = createClient({ apiUrl, transport: createFetchTransport({ apiUrl }) })
    await expect(client.getHeight()).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
    // Nothing asked for compression here, so nothing is unpacked.
    await using plain = createClient({ apiUrl })
    await expect(plain.getHeight()).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })
})
