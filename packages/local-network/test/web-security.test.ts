import { createConnection, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'

let network: LocalNetwork
let port = 0
beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeMs: 3_600_000, allowHosts: ['test.example'] })
  port = Number(new URL(network.apiUrl).port)
})
afterAll(() => network.stop())

function connect(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => resolve(socket))
    socket.on('error', reject)
  })
}

/** Everything the server says until it hangs up. */
async function talk(text: string): Promise<string> {
  const socket = await connect()
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  socket.write(text)
  await new Promise((resolve) => socket.once('close', resolve))
  return heard
}

const ask = (host: string, path = '/api/v1/height') =>
  talk(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

describe('S-11, A-16: the name in a request', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]', 'app.localhost', 'test.example'])(
    '%s is answered',
    async (name) => {
      expect(await ask(`${name}:${port}`)).toMatch(/^HTTP\/1.1 200 /)
    },
  )

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1'])(
    '%s is refused: a page could have made it point here',
    async (name) => {
      for (const path of ['/api/v1/height', '/docs', '/', '/health']) {
        const answer = await ask(`${name}:${port}`, path)
        expect(answer).toMatch(/^HTTP\/1.1 403 /)
        expect(answer).toContain('{"err":1,"message":"This node does not answer for the host')
      }
    },
  )
})

test('a port that is none is refused before a route makes an address of it', async () => {
  const answer = await ask('127.0.0.1:99999999', '/docs/chain.json')
  expect(answer).toMatch(/^HTTP\/1.1 400 .*"The header Host should be/s)
})

describe('S-11: a page of this server', () => {
  test.each(['/', '/docs', '/docs/', '/api/v1/no_such_method'])(
    '%s stands in nobody’s frame, tells nobody where it was, and loads nothing from elsewhere',
    async (path) => {
      const { headers } = await fetch(new URL(path, network.apiUrl))
      expect(headers.get('content-type')).toContain('text/html')
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe/)
      // Scalar writes styles into the page of the reference; no other page may.
      expect(policy.includes('unsafe-inline')).toBe(path.startsWith('/docs'))
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    },
  )
})

describe('limits', () => {
  test('a head that is too long, or no HTTP at all, is answered in the words of the API', async () => {
    const long = await talk(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`)
    expect(long).toMatch(/^HTTP\/1.1 431 /)
    const nonsense = await talk('nonsense\r\n\r\n')
    expect(nonsense).toMatch(/^HTTP\/1.1 400 /)
    for (const answer of [long, nonsense])
      expect(answer).toContain('{"err":1,"message":"Something went wrong..."}')
  })

  test('whoever does not finish the head of a request is sent away after ten seconds', async () => {
    const before = Date.now()
    const answer = await talk('GET /api/v1/height HTTP/1.1\r\nHost: localhost\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(Date.now() - before).toBeGreaterThan(8000)
    expect(Date.now() - before).toBeLessThan(withinMs(15_000))
  })
})

test('stops within two seconds whatever is open: idle, silent, and half a request', async () => {
  const own = await startLocalNetwork({ blockTimeMs: 3_600_000 })
  const at = Number(new URL(own.apiUrl).port)
  const open = () =>
    new Promise<Socket>((resolve) => {
      const socket = createConnection({ host: '127.0.0.1', port: at }, () => resolve(socket))
      socket.on('error', () => {})
    })
  const [idle, silent, half] = await Promise.all([open(), open(), open()])
  idle?.write('GET /api/v1/height HTTP/1.1\r\nHost: localhost\r\n\r\n')
  half?.write('POST /api/v1/tx HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n[')
  await new Promise((resolve) => idle?.once('data', resolve))
  const closed = [idle, silent, half].map(
    (socket) => new Promise((resolve) => socket?.once('close', resolve)),
  )
  const before = Date.now()
  await own.stop()
  await Promise.all(closed)
  expect(Date.now() - before).toBeLessThan(withinMs(2000))
})
