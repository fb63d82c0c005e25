import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { get } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { createClient } from '@hailstone/client'
import { isNodeError } from '@hailstone/protocol'
import { fetchThroughProxy, proxyOf, throughProxy } from '@hailstone/runtime/node'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { createCertificate } from '../../fault-injection/src/create-certificate.ts'
import { loadWsChannel } from '../src/fleet/open-ws-channel.ts'
import { openUndiciChannel } from '../src/node/open-undici-channel.ts'
import type { OpenChannel } from '../src/session/channel.ts'

const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const
const GATEWAY = 'ws://gateway.example:4411/'

let gateway: WebSocketServer
let proxy: Server
let proxyUrl = ''
/** Places that the proxy was asked for, with the credentials that came along. */
let asked: string[] = []
let answer = '200 Connection established'
let targetPort = 0
const sockets = new Set<Socket>()
const before = { ...process.env }

beforeEach(async () => {
  asked = []
  answer = '200 Connection established'
  gateway = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  gateway.on('connection', (client) => client.on('message', (text) => client.send(`heard ${text}`)))
  await once(gateway, 'listening')
  targetPort = (gateway.address() as AddressInfo).port
  proxy = createServer().on('connect', ({ url = '', headers }, socket: Socket) => {
    asked.push([url, headers['proxy-authorization']].filter((word) => word !== undefined).join(' '))
    sockets.add(socket.on('error', () => undefined))
    socket.write(`HTTP/1.1 ${answer}\r\n\r\n`)
    if (!answer.startsWith('200')) return socket.end()
    const target = connect({ host: '127.0.0.1', port: targetPort })
    sockets.add(target.on('error', () => undefined))
    return socket.pipe(target).pipe(socket)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
})
afterEach(async () => {
  for (const name of VARIABLES) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
  for (const socket of sockets) socket.destroy()
  for (const client of gateway.clients) client.terminate()
  await new Promise((resolve) => gateway.close(resolve))
  await new Promise((resolve) => proxy.close(resolve))
})

/** Says a word over a channel; resolves with what came back, or why there is no channel. */
const wordsOver = (openChannel: OpenChannel, url = GATEWAY): Promise<string> =>
  new Promise((resolve) => {
    const channel = openChannel({
      url,
      frameLimitBytes: 65_536,
      handlers: {
        opened: () => channel.send('a word'),
        received: (text) => {
          channel.close(1000)
          resolve(text)
        },
        pong: () => undefined,
        closed: () => resolve('closed'),
        failed: (why) => resolve(why),
      },
    })
  })

const channels: readonly (readonly [string, () => Promise<OpenChannel | undefined>])[] = [
  ['a node', async () => openUndiciChannel],
  ['a fleet', loadWsChannel],
]

describe.each(channels)('the socket of %s', (_, load) => {
  it('goes through the proxy that the environment names, with its password', async () => {
    process.env.HTTP_PROXY = proxyUrl.replace('//', '//me:p%40ss@')
    const openChannel = (await load()) as OpenChannel
    expect(await wordsOver(openChannel)).toBe('heard a word')
    expect(asked).toEqual([`gateway.example:4411 Basic ${Buffer.from('me:p@ss').toString('base64')}`])
  })

  it('names the proxy that refuses or is away, and not its password', async () => {
    process.env.HTTP_PROXY = proxyUrl.replace('//', '//me:secret@')
    answer = '403 Forbidden'
    const openChannel = (await load()) as OpenChannel
    expect(await wordsOver(openChannel)).toBe(`status 403 at the proxy ${new URL(proxyUrl).host}`)
    process.env.HTTP_PROXY = 'http://me:secret@127.0.0.1:1'
    expect(await wordsOver(openChannel)).toBe('ECONNREFUSED at the proxy 127.0.0.1:1')
    process.env.HTTP_PROXY = 'socks5://127.0.0.1:1'
    expect(await wordsOver(openChannel)).toMatch(/only http/)
  })

  it('goes straight to this machine', async () => {
    process.env.HTTP_PROXY = proxyUrl
    const openChannel = (await load()) as OpenChannel
    const { port } = gateway.address() as AddressInfo
    expect(await wordsOver(openChannel, `ws://127.0.0.1:${port}/`)).toBe('heard a word')
    expect(asked).toEqual([])
  })
})

/** Status with which a WebSocket server answers plain requests. */
const ARRIVED = 426

it('what other parts of the programs fetch goes through the proxy, and to this machine straight', async () => {
  process.env.HTTP_PROXY = proxyUrl
  const order = { method: 'POST', body: new URLSearchParams({ a: 'b' }) }
  expect((await fetchThroughProxy('http://api.example/', order)).status).toBe(ARRIVED)
  expect(asked).toEqual(['api.example:80'])
  expect((await fetchThroughProxy(`http://127.0.0.1:${targetPort}/`)).status).toBe(ARRIVED)
  expect(asked).toHaveLength(1)
  answer = '407 Proxy Authentication Required'
  await expect(fetchThroughProxy('http://api.example/')).rejects.toThrow(/status 407 .* at the proxy/)
})

it('an answer with an invalid status rejects the request and does not end the process', async () => {
  process.env.HTTP_PROXY = proxyUrl
  const strange = createTcpServer((socket) => socket.end('HTTP/1.1 999 Denied\r\n\r\n')).listen(
    0,
    '127.0.0.1',
  )
  onTestFinished(() => void strange.close())
  await once(strange, 'listening')
  targetPort = (strange.address() as AddressInfo).port
  const signal = AbortSignal.timeout(2_000)
  await expect(fetchThroughProxy('http://api.example/', { signal })).rejects.toThrow('range')
})

describe('the API', () => {
  const reasonOf = async (): Promise<unknown> => {
    await using client = createClient({
      apiUrl: 'http://api.example/api/v1',
      allowInsecure: true,
      retry: { maxAttempts: 1 },
    })
    return await client.getHeight().catch((error: unknown) => {
      if (!isNodeError(error, ['REQUEST_FAILED', 'HTTP_STATUS'])) throw error
      return error.code === 'HTTP_STATUS' ? error.facts.status : error.facts.reason
    })
  }
  const basic = (text: string) => `api.example:80 Basic ${Buffer.from(text).toString('base64')}`

  it.each([
    ['', '', 'api.example:80'],
    ['http://', 'me:p%40ss@', basic('me:p@ss')],
    ['http://', 'me@', basic('me:')],
    ['http://', 'me:100%@', basic('me:100%')],
  ])(
    'goes through a proxy whose address begins with "%s%s", as the socket does',
    async (scheme, user, place) => {
      process.env.HTTP_PROXY = scheme + user + new URL(proxyUrl).host
      expect(await reasonOf()).toBe(ARRIVED)
      expect(asked).toEqual([place])
      expect(await wordsOver(openUndiciChannel)).toBe('heard a word')
      expect(asked[1]).toBe(place.replace('api.example:80', 'gateway.example:4411'))
    },
  )

  it('names the proxy that refuses, is away or is of another kind, as the socket does', async () => {
    process.env.HTTP_PROXY = proxyUrl
    answer = '403 Forbidden'
    expect(await reasonOf()).toBe(`status 403 at the proxy ${new URL(proxyUrl).host}`)
    answer = '407 Proxy Authentication Required'
    expect(await reasonOf()).toMatch(/^status 407 \(a name and a password are needed\) at the proxy/)
    answer = 'x'
    expect(await reasonOf()).toMatch(/^the answer is no HTTP at the proxy/)
    process.env.HTTP_PROXY = 'http://me:secret@127.0.0.1:1'
    expect(await reasonOf()).toBe('the connection was refused at the proxy 127.0.0.1:1')
    process.env.HTTP_PROXY = 'socks5://127.0.0.1:1'
    expect(await reasonOf()).toMatch(/only http/)
    process.env.HTTP_PROXY = 'http://['
    expect(await reasonOf()).toMatch(/holds no address/)
  })
})

it.each([
  ['203.0.113.5', false],
  ['api.example', 'api.example'],
])('TLS through the proxy verifies %s and sends the name %s in its greeting', async (host, name) => {
  const [from, until] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)]
  const { certificate, privateKey } = createCertificate({ commonName: 'x', hosts: [host], from, until })
  const names: unknown[] = []
  const server = createTlsServer({ cert: certificate, key: privateKey }, (socket: TLSSocket) => {
    names.push(socket.servername)
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  targetPort = (server.address() as AddressInfo).port
  process.env.HTTPS_PROXY = proxyUrl
  const warnings: string[] = []
  const note = ({ message }: Error) => void warnings.push(message)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const ask = (target: string): Promise<unknown> =>
    new Promise((resolve) => {
      const options = { ca: certificate, ...(throughProxy(new URL(target)) as object) }
      get(target, options, (got) => resolve(got.resume().statusCode)).on('error', (error) =>
        resolve(Reflect.get(error, 'code')),
      )
    })
  expect(await ask(`https://${host}/`)).toBe(200)
  expect(names).toEqual([name])
  expect(await ask('https://198.51.100.7/')).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
  expect(warnings).toEqual([])
})

it.each([
  ['ws://a.example/', { HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['ws://a.example/', { http_proxy: 'p:1' }, 'http://p:1/'],
  ['wss://a.example/', { HTTP_PROXY: 'http://p:1' }, null],
  ['wss://a.example/', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['wss://a.example/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.example, a.example' }, null],
  ['wss://x.a.example/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.a.example' }, null],
  ['wss://xa.example/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example' }, 'http://p:1/'],
  ['wss://a.example/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example:444' }, 'http://p:1/'],
  ['wss://a.example:444/', { HTTPS_PROXY: 'http://p:1', no_proxy: 'a.example:444' }, null],
  ['wss://a.example/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, null],
  ['wss://127.0.0.1/', { HTTPS_PROXY: 'http://p:1' }, null],
  ['wss://a.example/', { HTTPS_PROXY: '' }, null],
  ['wss://a.example/', { ALL_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['ws://a.example/', { all_proxy: 'p:1' }, 'http://p:1/'],
  ['ws://a.example/', { ALL_PROXY: 'p:1', HTTP_PROXY: 'q:1', HTTPS_PROXY: 'r:1' }, 'http://q:1/'],
  ['ws://a.example/', { ALL_PROXY: 'p:1', HTTP_PROXY: '' }, null],
  ['ws://a.example/', { ALL_PROXY: 'p:1', NO_PROXY: 'a.example' }, null],
  ['ws://a.example/', { ALL_PROXY: 'socks5://p:1' }, null],
])('the proxy for %s with %j is %s', (url, environment, expected) => {
  expect(proxyOf(new URL(url), environment)?.href ?? null).toBe(expected)
})

/** Address, `NO_PROXY`, and whether the way to the address is straight. */
it.each([
  ['ws://10.0.0.5:9000', '10.0.0.0/8,fd00::1', true],
  ['ws://[fd00::1]:9000', '10.0.0.0/8,fd00::1', true],
  ['ws://11.0.0.5:9000', '10.0.0.0/8,fd00::1', false],
  ['ws://[fd00::2]:9000', '10.0.0.0/8,fd00::1', false],
  ['ws://10.0.0.5:9000', '10.0.0.5', true],
  ['ws://10.0.0.5:9000', '10.0.0.5:9000', true],
  ['ws://10.0.0.5:9000', '10.0.0.5:9001', false],
  ['ws://10.0.0.5:9000', '10.0.0.0/8:9000', true],
  ['ws://10.0.0.5:9000', '10.0.0.0/33', false],
  ['ws://10.0.0.5:9000', '10.0.0.0/x', false],
  ['ws://10.0.0.5:9000', '0.0.0.0/0', true],
  ['ws://[::ffff:10.0.0.5]:9000', '10.0.0.0/8', true],
  ['ws://[fd00::5]:9000', 'FD00::/8', true],
  ['ws://[fe80::5]:9000', 'fd00::/8', false],
  ['ws://[fd00::5]:9000', '[fd00::]/8', true],
  ['ws://[fd00::5]:9000', '[fd00::/8]:9000', true],
  ['ws://[fd00::5]:9000', '[fd00::/8]:9001', false],
  ['ws://[fd00::1]:9000', '[FD00:0:0::1]:9000', true],
  ['ws://[fd00::1]:9000', '[fd00::1]:9001', false],
  ['ws://[fd00::1]:9000', '[fd00::1]', true],
  ['ws://[fd00::1]:9000', 'fd00:0::0:1', true],
  ['ws://[fd00::1]:9000', 'fd00::/129', false],
  ['ws://a.example.org:8080', '.example.org', true],
  ['ws://example.org:8080', '.example.org', true],
  ['ws://a.example.org:8080', '*.example.org', true],
  ['ws://a.example.org:8080', 'example.org:8080', true],
  ['ws://a.example.org:8081', 'example.org:8080', false],
  ['ws://a.example.org', 'example.org:80', true],
  ['wss://a.example.org', 'example.org:443', true],
  ['ws://A.Example.ORG', ' \t, EXAMPLE.org ,', true],
  ['ws://a.example.org.', 'example.org', true],
  ['ws://a.example.org', 'example.org.', true],
  ['ws://badexample.org', 'example.org', false],
  ['ws://a.example.org', ' * ', true],
  ['ws://a.example.org', 'b.example, *', true],
  ['ws://a.example.org', ' , ,', false],
  ['ws://a.example.org', '.', false],
  ['ws://a.example.org', '[', false],
  ['ws://a.example.org', '10.0.0.0/8', false],
  ['ws://localhost:9000', '', true],
  ['ws://a.localhost:9000', '', true],
  ['ws://127.9.9.9:9000', '', true],
  ['ws://[::1]:9000', '', true],
  ['ws://[::ffff:127.0.0.1]:9000', '', true],
  ['ws://128.0.0.1:9000', '', false],
])('the way to %s with NO_PROXY=%j is straight: %s', (url, list, isStraight) => {
  const environment = { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://p:1', NO_PROXY: list }
  expect(proxyOf(new URL(url), environment) === null).toBe(isStraight)
})
