import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { type Socket, connect as tcpConnect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { walletFromPrivateKey } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { withinMs } from '../../../scripts/strict-times.ts'
import { type Bridge, type BridgeSettings, createBridge } from '../src/bridge/index.ts'
import { createMiningNode } from '../src/node.ts'
import { until } from './until.ts'

const opened: { readonly close: () => unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

type Upstream = { readonly url: string; readonly host: string; readonly sockets: readonly WebSocket[] }

/** A gateway that echoes. */
async function startUpstream(options: { readonly autoPong?: boolean } = {}): Promise<Upstream> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options })
  await once(server, 'listening')
  const sockets: WebSocket[] = []
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
  })
  opened.push({
    close: () => {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  })
  const { port } = server.address() as { readonly port: number }
  return { url: `ws://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, sockets }
}

async function startBridge(settings: BridgeSettings): Promise<Bridge> {
  const bridge = await createBridge(settings)
  opened.push({ close: () => bridge.stop({ graceMs: 100 }) })
  return bridge
}

type Outcome = { readonly status: number; readonly retryAfter: string | undefined } | WebSocket

function connect(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const socket = new WebSocket(url, { headers })
  opened.push({ close: () => socket.terminate() })
  socket.on('error', () => undefined)
  return new Promise((resolve) => {
    socket.once('open', () => resolve(socket))
    socket.once('unexpected-response', (_, { statusCode = 0, headers: given }) =>
      resolve({ status: statusCode, retryAfter: given['retry-after'] }),
    )
  })
}

async function session(url: string, headers: Readonly<Record<string, string>> = {}): Promise<WebSocket> {
  const outcome = await connect(url, headers)
  if (outcome instanceof WebSocket) return outcome
  throw new Error(`it was refused with ${outcome.status}`)
}

const statusOf = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
  const outcome = await connect(url, headers)
  return outcome instanceof WebSocket ? 101 : outcome.status
}

const closeOf = async (socket: WebSocket): Promise<number> => (await once(socket, 'close'))[0] as number

const metric = (bridge: Bridge, name: string): number =>
  Number(
    bridge
      .metrics()
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')
      .at(-1),
  )

describe('a bridge', () => {
  it('passes frames on unchanged, both ways and in order', async () => {
    const bridge = await startBridge({
      upstreams: [(await startUpstream()).url],
      limits: { framesPerSecond: 1_000 },
    })
    const socket = await session(bridge.url)
    const heard: string[] = []
    socket.on('message', (data, isBinary) => heard.push(`${isBinary} ${String(data)}`))
    for (let at = 0; at < 200; at++) socket.send(`${at} ünïcode 🧊`)
    socket.send(Buffer.from('bytes'))
    await until(() => heard.length === 201, 'every frame came back')
    expect(heard[0]).toBe('false 0 ünïcode 🧊')
    expect(heard.slice(0, 200).map((text) => Number(text.split(' ')[1]))).toEqual([...Array(200).keys()])
    expect(heard[200]).toBe('true bytes')
    expect(metric(bridge, 'hailstone_bridge_sessions')).toBe(1)
    expect(bridge.metrics()).toContain('hailstone_bridge_frames_total{direction="to_gateway"} 201')
  })

  it('lets everybody in while one of its gateways is away, says which, and takes that one again by itself', async () => {
    const away = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(away, 'listening')
    const { port } = away.address() as { readonly port: number }
    await new Promise((resolve) => away.close(resolve))
    const well = await startUpstream()
    const bridge = await startBridge({ upstreams: [`ws://127.0.0.1:${port}`, well.url] })
    expect(bridge.health()).toMatchObject({ isReady: true, why: '' })
    for (let at = 0; at < 20; at++) expect(await statusOf(bridge.url)).toBe(101)
    expect(bridge.health()).toMatchObject({
      isReady: true,
      why: `1 of 2 gateways do not answer: 127.0.0.1:${port}. The others take its sessions.`,
      upstreams: [
        { host: `127.0.0.1:${port}`, isFailing: true },
        { host: well.host, isFailing: false },
      ],
      refused: {},
    })
    expect(metric(bridge, 'hailstone_bridge_failing_gateways')).toBe(1)
    expect(await statusOf(`${bridge.url}/?gateway=127.0.0.1:${port}`)).toBe(502)
    const back = new WebSocketServer({ host: '127.0.0.1', port })
    opened.push({ close: () => back.close() })
    await until(() => bridge.health().why === '', 'the gateway is taken again')
    for (const client of back.clients) client.terminate()
  })

  it('is not ready while none of its gateways answers', async () => {
    const bridge = await startBridge({ upstreams: ['ws://127.0.0.1:1', 'ws://127.0.0.1:2'] })
    expect(await statusOf(bridge.url)).toBe(502)
    expect(bridge.health()).toMatchObject({ isReady: false, refused: { gateway_failed: 1 } })
  })

  it('loses nothing that a gateway sends at once', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(server, 'listening')
    opened.push({ close: () => server.close() })
    server.on('connection', (socket) => {
      for (let at = 0; at < 50; at++) socket.send(String(at))
    })
    const { port } = server.address() as { readonly port: number }
    const bridge = await startBridge({ upstreams: [`ws://127.0.0.1:${port}`] })
    const heard: string[] = []
    const socket = new WebSocket(bridge.url)
    opened.push({ close: () => socket.terminate() })
    socket.on('message', (data) => heard.push(String(data)))
    await until(() => heard.length === 50, 'everything came')
    expect(heard).toEqual([...Array(50).keys()].map(String))
  })

  it('tells each side how the other ended', async () => {
    const upstream = await startUpstream()
    const bridge = await startBridge({ upstreams: [upstream.url] })
    const first = await session(bridge.url)
    upstream.sockets[0]?.close(4001, 'duplicate')
    expect(await closeOf(first)).toBe(4001)
    const second = await session(bridge.url)
    const gone = closeOf(upstream.sockets[1] as WebSocket)
    second.terminate()
    expect(await gone).toBe(1001)
    const third = await session(bridge.url)
    upstream.sockets[2]?.terminate()
    expect(await closeOf(third)).toBe(1011)
    await until(() => bridge.health().sessions === 0, 'no session is left')
  })

  it('gives the place of a client back that resets before the gateway has answered, and after', async () => {
    const waiting: Socket[] = []
    const answers = new WebSocketServer({ noServer: true })
    const server = createServer().on('upgrade', (request, socket, head) => {
      const answer = (): void => answers.handleUpgrade(request, socket as Socket, head, () => undefined)
      socket.on('error', () => undefined)
      if (isSlow) waiting.push(socket as Socket)
      else answer()
    })
    let isSlow = true
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    opened.push({ close: () => server.close() }, { close: () => server.closeAllConnections() })
    const { port } = server.address() as { readonly port: number }
    const bridge = await startBridge({
      upstreams: [`ws://127.0.0.1:${port}`],
      limits: { sessionsPerAddress: 8, opensPerMinute: 10_000, openMs: 60_000 },
    })
    const head = `GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`
    const client = async (): Promise<Socket> => {
      const { hostname, port: at } = new URL(bridge.url)
      const socket = tcpConnect(Number(at), hostname)
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(head)
      return socket
    }
    const clients = await Promise.all(Array.from({ length: 8 }, client))
    await until(() => waiting.length === 8, 'the gateway was asked for each')
    for (const socket of clients) socket.resetAndDestroy()
    isSlow = false
    await until(async () => (await statusOf(bridge.url)) === 101, 'an honest client is let in')
    for (let round = 0; round < 50; round++) (await client()).resetAndDestroy()
    await until(async () => (await statusOf(bridge.url)) === 101, 'and after those that reset at once')
    await until(() => bridge.health().sessions === 2, 'no more than the honest ones have a place')
  })

  it('counts the sessions of an IPv6 customer, and of an IPv4 address in IPv6 clothes, as one address', async () => {
    const bridge = await startBridge({
      upstreams: [(await startUpstream()).url],
      isBehindProxy: true,
      limits: { sessionsPerAddress: 1 },
    })
    const from = (address: string): Promise<number> => statusOf(bridge.url, { 'x-forwarded-for': address })
    expect(await from('2001:db8:1:2::1')).toBe(101)
    expect(await from('2001:db8:1:2:ffff::7')).toBe(429)
    expect(await from('2001:db8:1:3::1')).toBe(101)
    expect(await from('192.0.2.1')).toBe(101)
    expect(await from('::ffff:192.0.2.1')).toBe(429)
  })

  it('connects to nothing but the gateways that are listed', async () => {
    const [one, other, stranger] = [await startUpstream(), await startUpstream(), await startUpstream()]
    const bridge = await startBridge({ upstreams: [one.url, other.url] })
    await session(bridge.url)
    await session(bridge.url)
    await session(`${bridge.url}/?gateway=${other.host}`)
    expect([one.sockets.length, other.sockets.length]).toEqual([1, 2])
    expect(await statusOf(`${bridge.url}/?gateway=${stranger.host}`)).toBe(404)
    expect(stranger.sockets).toHaveLength(0)
  })

  it('says at once that a gateway is gone', async () => {
    const bridge = await startBridge({ upstreams: ['ws://127.0.0.1:1'] })
    expect(await connect(bridge.url)).toMatchObject({ status: 502, retryAfter: '5' })
    expect(bridge.metrics()).toContain('hailstone_bridge_refused_total{reason="gateway_failed"} 1')
  })

  it('lets in the pages that are listed, and programs', async () => {
    const bridge = await startBridge({
      upstreams: [(await startUpstream()).url],
      allowedOrigins: ['https://mine.example'],
    })
    expect(await statusOf(bridge.url, { origin: 'https://mine.example' })).toBe(101)
    expect(await statusOf(bridge.url, { origin: 'https://mine.example.evil.example' })).toBe(403)
    expect(await statusOf(bridge.url, { origin: 'null' })).toBe(403)
    expect(await statusOf(bridge.url)).toBe(101)
  })

  it('bears as many sessions as it was told, in all and from one address', async () => {
    const { url } = await startUpstream()
    const few = await startBridge({ upstreams: [url], limits: { sessions: 2 } })
    const first = await session(few.url)
    await session(few.url)
    expect(await connect(few.url)).toMatchObject({ status: 503, retryAfter: '10' })
    first.close()
    await until(() => few.health().sessions === 1, 'one has left')
    expect(await statusOf(few.url)).toBe(101)

    const fair = await startBridge({
      upstreams: [url],
      limits: { sessionsPerAddress: 1 },
      isBehindProxy: true,
    })
    const from = (address: string) => ({ 'x-forwarded-for': `198.51.100.1, ${address}` })
    expect(await statusOf(fair.url, from('203.0.113.1'))).toBe(101)
    expect(await statusOf(fair.url, from('203.0.113.1'))).toBe(429)
    expect(await statusOf(fair.url, from('203.0.113.2'))).toBe(101)
  })

  it('does not believe in forwarded addresses unless something in front of it writes them', async () => {
    const bridge = await startBridge({
      upstreams: [(await startUpstream()).url],
      limits: { sessionsPerAddress: 1 },
    })
    expect(await statusOf(bridge.url, { 'x-forwarded-for': '203.0.113.1' })).toBe(101)
    expect(await statusOf(bridge.url, { 'x-forwarded-for': '203.0.113.2' })).toBe(429)
  })

  it('turns away who connects again and again', async () => {
    const bridge = await startBridge({
      upstreams: [(await startUpstream()).url],
      limits: { opensPerMinute: 3 },
    })
    const outcomes: number[] = []
    for (let time = 0; time < 4; time++) outcomes.push(await statusOf(bridge.url))
    expect(outcomes).toEqual([101, 101, 101, 429])
  })

  it('ends a client that sends too large or too often', async () => {
    const bridge = await startBridge({
      upstreams: [(await startUpstream()).url],
      limits: { clientFrameBytes: 1_000, framesPerSecond: 5 },
    })
    const large = await session(bridge.url)
    large.send('x'.repeat(1_001))
    expect(await closeOf(large)).toBe(1009)
    const often = await session(bridge.url)
    for (let time = 0; time < 20; time++) often.send('again')
    expect(await closeOf(often)).toBe(1008)
  })

  it('does not keep what a client does not read', async () => {
    const upstream = await startUpstream()
    const bridge = await startBridge({ upstreams: [upstream.url], limits: { waitingBytes: 4_000_000 } })
    const slow = await session(bridge.url)
    slow.pause()
    const frame = 'x'.repeat(500_000)
    const sent: number[] = []
    for (let at = 0; at < 120; at++) upstream.sockets[0]?.send(frame, () => sent.push(at))
    await sleep(300)
    // What is not read stays with the gateway, whose own buffers fill.
    expect(upstream.sockets[0]?.bufferedAmount).toBeGreaterThan(20_000_000)
    let bytes = 0
    slow.on('message', (data: Buffer) => {
      bytes += data.byteLength
    })
    slow.resume()
    await until(() => bytes === 60_000_000, 'everything came at last')
  })

  it('gives up a side that falls silent', async () => {
    const upstream = await startUpstream({ autoPong: false })
    const bridge = await startBridge({ upstreams: [upstream.url], limits: { pingMs: 500 } })
    expect(await closeOf(await session(bridge.url))).toBe(1011)
    expect(bridge.metrics()).toContain('hailstone_bridge_silent_total{side="gateway"} 1')
  })

  it('ends within its grace, and asks everybody to go elsewhere', async () => {
    const bridge = await startBridge({ upstreams: [(await startUpstream()).url] })
    const polite = await session(bridge.url)
    const deaf = await session(bridge.url)
    deaf.pause()
    const reported = closeOf(polite)
    const begunAt = performance.now()
    await bridge.stop({ graceMs: 300 })
    expect(await reported).toBe(1001)
    expect(performance.now() - begunAt).toBeLessThan(withinMs(2_000))
    expect(bridge.health()).toMatchObject({ isReady: false, sessions: 0 })
  })

  it('says to browsers of people what it is', async () => {
    const bridge = await startBridge({ upstreams: [(await startUpstream()).url] })
    const status = await new Promise((resolve) =>
      get(bridge.url.replace('ws:', 'http:'), (response) => resolve(response.resume().statusCode)),
    )
    expect(status).toBe(426)
  })

  it('refuses settings that cannot be meant', async () => {
    const refused = { code: 'CONFIGURATION_INVALID' }
    await expect(createBridge({ upstreams: [] })).rejects.toMatchObject(refused)
    await expect(createBridge({ upstreams: ['http://127.0.0.1'] })).rejects.toMatchObject(refused)
    await expect(createBridge({ upstreams: ['ws://user:secret@127.0.0.1'] })).rejects.toMatchObject(refused)
    const upstreams = ['ws://127.0.0.1:1']
    await expect(createBridge({ upstreams, allowedOrigins: ['mine.example'] })).rejects.toMatchObject(refused)
    await expect(createBridge({ upstreams, limits: { sessions: 0 } })).rejects.toMatchObject(refused)
  })
})

describe('a bridge under attack', () => {
  type Tcp = { readonly socket: Socket; readonly text: () => string; readonly isClosed: () => boolean }
  const upgradeHead = (more = ''): string =>
    `GET / HTTP/1.1\r\nhost: x\r\n${more}connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`

  /** A plain connection that never closes its own side. */
  async function plain(url: string, sent: string): Promise<Tcp> {
    const { hostname, port } = new URL(url)
    const socket = tcpConnect({ port: Number(port), host: hostname, allowHalfOpen: true })
    opened.push({ close: () => socket.destroy() })
    let text = ''
    let isClosed = false
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        text += String(chunk)
      })
    socket.on('end', () => {
      isClosed = true
    })
    socket.on('close', () => {
      isClosed = true
    })
    await once(socket, 'connect')
    socket.write(sent)
    return { socket, text: () => text, isClosed: () => isClosed }
  }

  it('keeps no connection of a refused upgrade, whatever is sent or left open after it', async () => {
    const bridge = await startBridge({
      upstreams: [(await startUpstream()).url],
      allowedOrigins: ['https://mine.example'],
    })
    const refused = await Promise.all(
      Array.from({ length: 20 }, () => plain(bridge.url, upgradeHead('origin: https://evil.example\r\n'))),
    )
    await until(() => refused.every(({ text }) => text().includes(' 403 ')), 'all are refused')
    for (const { socket } of refused.slice(0, 10)) socket.write('x')
    await until(() => bridge.health().connections === 0, 'none is left')
  })

  it('ends half requests and idle connections', async () => {
    const bridge = await startBridge({
      upstreams: [(await startUpstream()).url],
      limits: { openMs: 200 },
    })
    const sent = [
      '',
      'GET / HTTP/1.1\r\nhost: x\r\nx-',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nx',
    ]
    const slow = await Promise.all(sent.map((text) => plain(bridge.url, text)))
    await until(() => slow.every(({ isClosed }) => isClosed()), 'all are ended')
    await until(() => bridge.health().connections === 0, 'none is left')
    expect(await statusOf(bridge.url)).toBe(101)
  })

  it('lets a request in while half ones take all there is, and keeps the sessions', async () => {
    const bridge = await startBridge({
      upstreams: [(await startUpstream()).url],
      limits: { connections: 8, connectionsPerAddress: 100, openMs: 600_000 },
    })
    const kept = await session(bridge.url)
    const half = await Promise.all(
      Array.from({ length: 30 }, () => plain(bridge.url, 'GET / HTTP/1.1\r\nX-')),
    )
    await until(() => half.filter(({ isClosed }) => isClosed()).length === 23, 'the oldest made room')
    expect(bridge.health().connections).toBe(8)
    expect(await statusOf(bridge.url)).toBe(101)
    expect(kept.readyState).toBe(kept.OPEN)
  })

  it('counts connections of an address before they say anything', async () => {
    const bridge = await startBridge({
      upstreams: [(await startUpstream()).url],
      limits: { connectionsPerAddress: 5, openMs: 600_000 },
    })
    const half = await Promise.all(Array.from({ length: 9 }, () => plain(bridge.url, 'GET / HTTP/1.1\r\nX-')))
    await until(
      () => half.filter(({ isClosed }) => isClosed()).length === 4,
      'those above the limit are ended',
    )
    expect(bridge.health().connections).toBe(5)
  })

  it.each([
    ['pings', 0x89],
    ['pongs', 0x8a],
  ])('cuts off a client that sends %s without end', async (_, first) => {
    const bridge = await startBridge({
      upstreams: [(await startUpstream()).url],
      limits: { framesPerSecond: 5 },
    })
    const client = await plain(bridge.url, upgradeHead())
    await until(() => client.text().includes(' 101 '), 'it is let in')
    const frame = Buffer.from([first, 0x80, 0, 0, 0, 0])
    client.socket.write(Buffer.concat(Array.from({ length: 1_000 }, () => frame)))
    await until(() => client.isClosed(), 'it is cut off')
    await until(() => bridge.health().connections === 0, 'without waiting for its answer')
    expect(bridge.health().sessions).toBe(0)
  })

  it('cuts off a client that sends empty parts of one message without end', async () => {
    const bridge = await startBridge({
      upstreams: [(await startUpstream()).url],
      limits: { framesPerSecond: 5, clientFrameBytes: 1_000 },
    })
    const client = await plain(bridge.url, upgradeHead())
    await until(() => client.text().includes(' 101 '), 'it is let in')
    const part = Buffer.from([0x00, 0x80, 0, 0, 0, 0])
    const begin = Buffer.from([0x01, 0x80, 0, 0, 0, 0])
    client.socket.write(Buffer.concat([begin, ...Array.from({ length: 5_000 }, () => part)]))
    await until(() => bridge.health().connections === 0, 'it is cut off')
  })

  it('answers the pings of a client', async () => {
    const bridge = await startBridge({ upstreams: [(await startUpstream()).url] })
    const socket = await session(bridge.url)
    const pong = once(socket, 'pong')
    socket.ping('there?')
    expect(String((await pong)[0])).toBe('there?')
  })
})

it('a miner earns through a bridge', async () => {
  await using network = await startLocalNetwork({ seed: 'bridge', blockTimeMs: 600 })
  const bridge = await startBridge({ upstreams: [network.gatewayUrl] })
  const [developer] = network.accounts.developers
  const wallet = walletFromPrivateKey(developer?.privateKey ?? sha256Hex('nobody'))
  await using node = createMiningNode({
    wallet,
    apiUrl: network.apiUrl,
    gatewayUrl: bridge.url,
    blockTimeMs: 600,
  })
  const included = new Promise((resolve) => node.on('included', resolve))
  await node.start()
  expect(await included).toMatchObject({ height: expect.any(Number) })
})
