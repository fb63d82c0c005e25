import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { exchangeBytes } from './plain-http.ts'
import { beaconsOf, isBeacon, useFaultyGateway } from './use-faulty-gateway.ts'

const given = useFaultyGateway({ pingIntervalMs: 400 })
const { fault, developer, hailed, opinion, judgements, hailText } = given

const BEACON = { message: 'on_leader_beacon' } as const

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe('before the first message', () => {
  const key = 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-version: 13'
  const handshake = `GET / HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n${key}\r\n\r\n`
  const silence = { bytes: Buffer.alloc(0), ended: 'open' } as const

  test.each([
    ['connect', 'silent'],
    ['connect', 'halfOpen'],
    ['upgrade', 'silent'],
    ['upgrade', 'halfOpen'],
  ] as const)('a connection is taken at the %s and never answered (%s)', async (message, name) => {
    fault(name === 'silent' ? { silent: true } : { halfOpen: true }, { message })
    expect(await exchangeBytes(given.network.gatewayUrl, handshake, { waitMs: 200 })).toEqual(silence)
  })

  test.each(['connect', 'upgrade'] as const)('a connection is reset at the %s', async (message) => {
    fault({ reset: {} }, { message })
    expect((await exchangeBytes(given.network.gatewayUrl, handshake)).ended).toBe('reset')
  })

  test.each(['connect', 'upgrade'] as const)('a connection waits at the %s', async (message) => {
    fault({ delay: { ms: 150 } }, { message })
    const began = performance.now()
    const { bytes } = await exchangeBytes(given.network.gatewayUrl, handshake, {
      until: '101 Switching Protocols',
    })
    expect(bytes.toString()).toContain('101 Switching Protocols')
    expect(performance.now() - began).toBeGreaterThan(140)
  })

  test.each([401, 403, 404, 429, 503])('the upgrade is answered with %i', async (code) => {
    fault({ status: { code, retryAfter: 3 } }, { message: 'upgrade' })
    const socket = new WebSocket(given.network.gatewayUrl)
    socket.on('error', () => {})
    const [, answer] = await once(socket, 'unexpected-response')
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([code, '3'])
  })

  test('the upgrade is redirected', async () => {
    fault({ redirect: { location: 'ws://10.0.0.1:1/' } }, { message: 'upgrade' })
    const { bytes } = await exchangeBytes(given.network.gatewayUrl, handshake)
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 302 Found\r\nlocation: ws:\/\/10\.0\.0\.1:1\/\r\n/)
  })
})

describe('messages on their way', () => {
  test('a mute gateway takes the hail and sends no beacons', async () => {
    fault({ drop: true }, BEACON)
    const miner = await hailed()
    await expect.poll(() => given.network.faults.fired().length).toBeGreaterThan(2)
    expect(miner.frames).toEqual([])
    expect(given.network.gateway.minersOnline()).toHaveLength(1)
  })

  test('a gateway falls mute after its second beacon, for this miner alone', async () => {
    fault({ mute: true }, { ...BEACON, address: developer(0).address, nth: 3 })
    const [first, second] = [await hailed(0), await hailed(1)]
    await expect.poll(() => beaconsOf(second).length).toBeGreaterThan(8)
    expect(beaconsOf(first)).toHaveLength(2)
  })

  test('publications are dropped', async () => {
    using heard = judgements()
    fault({ drop: true }, { direction: 'fromMiner', message: 'publish' })
    const miner = await hailed()
    miner.mine()
    await expect.poll(() => given.network.faults.fired().length).toBeGreaterThan(1)
    expect(heard.verdicts).toEqual([])
    expect(miner.isOpen()).toBe(true)
  })

  test('a silent session hears nothing, says nothing and still answers pings', async () => {
    fault({ silent: true }, { message: 'hail' })
    const miner = await hailed()
    const pong = once(miner.socket, 'pong')
    miner.socket.ping()
    await pong
    await pause(100)
    expect(miner.frames).toEqual([])
    expect(given.network.gateway.minersOnline()).toEqual([])
  })

  test('a half-open link answers no ping and is never closed', async () => {
    fault({ halfOpen: true }, { ...BEACON, nth: 2 })
    const miner = await hailed()
    await expect.poll(() => given.network.faults.fired().length).toBe(1)
    let pongs = 0
    miner.socket.on('pong', () => pongs++)
    miner.socket.ping()
    // The gateway itself gives up after two pings; the link must not show it.
    await expect.poll(() => given.network.gateway.minersOnline()).toEqual([])
    expect([pongs, miner.isOpen(), miner.frames.length]).toEqual([0, true, 1])
  })

  test('a beacon comes late, and comes twice', async () => {
    given.network.faults.set({
      rules: [
        { on: 'gateway', match: { ...BEACON, nth: 1 }, fault: { delay: { ms: 200 } } },
        { on: 'gateway', match: { ...BEACON, nth: 1 }, fault: { duplicate: { times: 2 } } },
        { on: 'gateway', match: { ...BEACON, from: 2 }, fault: { drop: true } },
      ],
    })
    const began = performance.now()
    const miner = await hailed()
    const [first, second] = [await miner.next(), await miner.next()]
    expect(performance.now() - began).toBeGreaterThan(190)
    expect(second).toEqual(first)
  })

  test('a beacon overtakes the one before it', async () => {
    fault({ reorder: { waitMs: 3000 } }, { ...BEACON, nth: 1 })
    const offered: string[] = []
    const off = given.network.on('beaconOffered', ({ microblockHash }) => offered.push(microblockHash))
    const miner = await hailed()
    const seen = [await miner.next(), await miner.next()].map(({ data }) => data?.m_hash)
    off()
    expect(seen).toEqual([offered[1], offered[0]])
  })

  test('a beacon arrives in pieces, and byte by byte', async () => {
    fault({ fragment: { bytes: 1 } }, { ...BEACON, nth: 1 })
    expect(opinion(await (await hailed()).next())).toBe('signed')
    fault({ drip: { bytes: 100, everyMs: 10 } }, { ...BEACON, address: developer(1).address })
    const began = performance.now()
    expect(isBeacon(await (await hailed(1)).next())).toBe(true)
    expect(performance.now() - began).toBeGreaterThan(50)
  })

  test('bits of the text or of the frame are turned round', async () => {
    fault({ corrupt: { bits: 400 } }, { ...BEACON, nth: 1 })
    const errors: string[] = []
    for (const of of ['text', 'frame'] as const) {
      fault({ corrupt: { bits: of === 'text' ? 400 : 2000, of } }, { ...BEACON, nth: 1 })
      const socket = new WebSocket(given.network.gatewayUrl)
      socket.on('open', () => socket.send(hailText(0)))
      socket.on('message', () => errors.push('none'))
      socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code ?? ''))
      await new Promise((resolve) => socket.once('close', resolve))
    }
    expect(errors).toEqual(['WS_ERR_INVALID_UTF8', expect.stringMatching(/^WS_ERR_/)])
  })

  test.each([
    ['null', 'null'],
    ['list', '[]'],
    ['methodIsProto', '{"ver":4,"method":"__proto__","data":{}}'],
  ] as const)('a beacon is %s', async (name, text) => {
    fault({ wrongJson: name }, { ...BEACON, nth: 1 })
    const socket = new WebSocket(given.network.gatewayUrl)
    socket.on('open', () => socket.send(hailText(0)))
    const [data] = await once(socket, 'message')
    socket.terminate()
    expect(String(data)).toBe(text)
  })

  test('members of a beacon are of another type', async () => {
    fault({ rewrite: [{ path: 'data.mblock_data.txs', value: 5 }] }, { ...BEACON, nth: 1 })
    expect(opinion(await (await hailed()).next())).toBe('malformed')
  })
})
