import { walletFromPrivateKey } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import {
  DUPLICATE_KEY,
  FRAME_LIMIT_BYTES,
  formatPeer,
  formatRefusal,
  formatShortPeer,
  hailHash,
  sha256Hex,
  WRONG_VERSION,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import type { MiningSessionParameters } from '../src/create-mining-session.ts'
import { createFleet } from '../src/fleet/index.ts'
import { createMiningNode, createMiningSession } from '../src/node.ts'
import type { SessionEvent } from '../src/session/effect.ts'
import { makeBeacon } from './beacons.ts'
import { fastClock } from './fast-clock.ts'
import { startScriptedBootNode } from './scripted-boot-node.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { until } from './until.ts'

const wallet = walletFromPrivateKey(sha256Hex('miner'))
const HOST = '127.0.0.1'
/** Nobody listens there. */
const DEAD = 'ws://127.0.0.1:1/'

/** @param factor how much faster than the machine's its clock goes */
function startSession(parameters: Omit<MiningSessionParameters, 'wallet' | 'onEvent' | 'clock'>, factor = 1) {
  const events: SessionEvent[] = []
  const session = createMiningSession({
    wallet,
    clock: fastClock(factor),
    randomness: () => 0.1,
    ...parameters,
    onEvent: (event) => events.push(event),
  })
  session.start()
  const reasons = () => events.flatMap((event) => (event.type === 'disconnected' ? [event.reason] : []))
  return { session, events, reasons, [Symbol.asyncDispose]: session.stop }
}

describe('a boot node', () => {
  it.each([
    ['short form', formatShortPeer],
    ['peer form', formatPeer],
    [
      'port as a text',
      (peer: { host: string; port: number }) => formatPeer(peer).replace(/:(\d+)}/, ':"$1"}'),
    ],
    [
      'another version',
      (peer: { host: string; port: number }) => formatPeer(peer).replace('"ver":4', '"ver":7'),
    ],
    [
      'version as a text',
      (peer: { host: string; port: number }) => formatPeer(peer).replace('"ver":4', '"ver":"4"'),
    ],
    [
      'another method, without a version',
      ({ host: ip, port }: { host: string; port: number }) =>
        JSON.stringify({ method: 'node', id: 5, data: { port, ip, region: 'x' } }),
    ],
    [
      'an error beside it',
      ({ host: ip, port }: { host: string; port: number }) =>
        JSON.stringify({ ver: 4, err: 'ERR_X', data: { ip, port } }),
    ],
    [
      'no data around it',
      ({ host: ip, port }: { host: string; port: number }) => JSON.stringify({ ip, port: String(port) }),
    ],
  ] as const)('G-22: names a gateway, which is hailed and mined at: %s', async (_, format) => {
    await using gateway = await startScriptedGateway()
    await using bootNode = await startScriptedBootNode((socket) => {
      socket.send(format({ host: HOST, port: gateway.port }))
      socket.close()
    })
    await using started = startSession({ bootNodeUrls: [bootNode.url] })
    const socket = await gateway.hailed()
    socket.send(makeBeacon({ publisher: wallet.address, nonce: 1 }).text)
    await until(() => gateway.publications().length === 1, 'it published')
    expect(gateway.hails()[0]?.data.hash).toBe(hailHash(HOST))
    expect(bootNode.heard).toEqual([])
    expect(bootNode.visits()).toBe(1)
    const reported = started.events.flatMap((event) => ('url' in event ? [`${event.type} ${event.url}`] : []))
    const there = `${gateway.url}/`
    expect(reported).toEqual([`redirected ${there}`, `connected ${there}`, `hailed ${there}`])
  })

  it('that names several is taken at its last word, whatever nonsense follows it', async () => {
    await using gateway = await startScriptedGateway()
    await using bootNode = await startScriptedBootNode((socket) => {
      for (const port of [1, 2, gateway.port]) socket.send(formatShortPeer({ host: HOST, port }))
      for (const nonsense of ['', '{}', '[]', '{"data":{"ip":"a b","port":0}}']) socket.send(nonsense)
      socket.send(Buffer.from([1, 2, 3]))
      socket.close()
    })
    await using _started = startSession({ bootNodeUrls: [bootNode.url] })
    await gateway.hailed()
    expect(bootNode.heard).toEqual([])
  })

  it('is left for the gateway that it named, when it does not close', async () => {
    await using gateway = await startScriptedGateway()
    const sockets: WebSocket[] = []
    await using bootNode = await startScriptedBootNode((socket) => {
      sockets.push(socket)
      socket.send(formatShortPeer({ host: HOST, port: gateway.port }))
    })
    await using _started = startSession({ bootNodeUrls: [bootNode.url] })
    await gateway.hailed()
    await until(() => sockets[0]?.readyState === 3, 'the first connection was closed')
  })

  it('is asked when the gateway is gone, and the gateway first', async () => {
    await using gateway = await startScriptedGateway()
    await using bootNode = await startScriptedBootNode((socket) => {
      socket.send(formatShortPeer({ host: HOST, port: gateway.port }))
      socket.close()
    })
    await using started = startSession({ gatewayUrl: DEAD, bootNodeUrls: [bootNode.url] })
    await gateway.hailed()
    expect(started.reasons()).toMatchObject([{ kind: 'gatewayUnreachable' }])
  })

  it('is asked again when the gateway that it named goes away', async () => {
    const first = await startScriptedGateway()
    await using second = await startScriptedGateway()
    const ports = [first.port, second.port]
    await using bootNode = await startScriptedBootNode((socket) => {
      socket.send(formatShortPeer({ host: HOST, port: ports.shift() ?? 1 }))
      socket.close()
    })
    await using _started = startSession({ bootNodeUrls: [bootNode.url] })
    await first.hailed()
    await first.stop()
    await second.hailed()
    expect(bootNode.visits()).toBe(2)
  })
})

describe('a boot node that means harm', () => {
  const hostile: readonly (readonly [name: string, kind: string, welcome: (socket: WebSocket) => void])[] = [
    ['closes without a word', 'bootNodeSilent', (socket) => socket.close()],
    ['says nothing', 'bootNodeSilent', () => undefined],
    [
      'talks nonsense and closes',
      'bootNodeSilent',
      (socket) => {
        for (const text of ['', 'x', '{}', '{"data":{"ip":7}}', '{"data":{"ip":"x"}}']) socket.send(text)
        socket.close()
      },
    ],
    [
      'talks without end',
      'bootNodeSilent',
      (socket) => {
        const timer = setInterval(() => socket.send('{"data":[]}'), 1)
        socket.on('close', () => clearInterval(timer))
      },
    ],
    [
      'speaks for a gateway: duplicate key, wrong version, a beacon',
      'bootNodeSilent',
      (socket) => {
        socket.send(formatRefusal(DUPLICATE_KEY))
        socket.send(formatRefusal(WRONG_VERSION))
        socket.send(makeBeacon({ publisher: wallet.address, nonce: 1 }).text)
        socket.close()
      },
    ],
    ['sends what is too large', 'frameTooLarge', (socket) => socket.send('x'.repeat(FRAME_LIMIT_BYTES + 1))],
    [
      'names a port that refuses',
      'gatewayUnreachable',
      (socket) => {
        socket.send(formatShortPeer({ host: HOST, port: 1 }))
        socket.close()
      },
    ],
  ]

  it.each(hostile)('G-22: %s is left, hears nothing, and is asked again', async (_, kind, welcome) => {
    await using bootNode = await startScriptedBootNode(welcome)
    await using started = startSession({ bootNodeUrls: [bootNode.url] }, 20)
    await until(() => bootNode.visits() >= 2, 'it was asked again')
    // A machine that is slow may miss a handshake at this pace.
    await until(() => started.reasons().some((reason) => reason.kind === kind), 'it was left for the reason')
    expect(bootNode.heard).toEqual([])
    expect(started.events.filter(({ type }) => type === 'hailed' || type === 'stopped')).toEqual([])
  })

  it('names itself: four connections in a row, and nobody is hailed there', async () => {
    let endless = true
    await using bootNode = await startScriptedBootNode((socket, { port }) => {
      if (endless) socket.send(formatShortPeer({ host: HOST, port }))
      socket.close()
    })
    await using started = startSession({ bootNodeUrls: [bootNode.url] })
    await until(() => started.reasons().length > 0, 'it had enough')
    endless = false
    expect(started.reasons()[0]).toEqual({ kind: 'redirectsExhausted' })
    expect(started.events.filter(({ type }) => type === 'redirected')).toHaveLength(3)
    expect(bootNode.heard).toEqual([])
  })

  it('leads to a connection that is not encrypted: refused where encryption is required', async () => {
    await using bootNode = await startScriptedBootNode((socket) => {
      socket.send(formatShortPeer({ host: '203.0.113.9', port: 3000 }))
      socket.close()
    })
    await using started = startSession({ bootNodeUrls: [bootNode.url], requireEncryption: true })
    await until(() => started.reasons().length > 0, 'it was left')
    const why = 'the connection would not be encrypted'
    expect(started.events.slice(0, 2)).toMatchObject([
      { type: 'redirectRefused', why },
      { type: 'disconnected', reason: { kind: 'gatewayMisbehaves', why } },
    ])
  })
})

describe('the local network with a boot node', () => {
  const start = (form: 'short' | 'peer') =>
    startLocalNetwork({ seed: 'boot', blockTimeMs: 600, fallbackMiner: false, bootNode: { form } })

  it('is found and mined through it alone', async () => {
    await using network = await start('short')
    const { apiUrl, bootNodeUrl, accounts } = network
    await using node = createMiningNode({
      wallet: walletFromPrivateKey(String(accounts.developers[0]?.privateKey)),
      apiUrl,
      bootNodeUrls: [String(bootNodeUrl)],
      blockTimeMs: 600,
    })
    await node.start()
    await until(() => node.snapshot().lastReward !== null, 'it earned')
  })

  it('is found by a fleet', async () => {
    await using network = await start('peer')
    const keys = network.accounts.developers.map(({ privateKey }) => privateKey)
    const bootNodeUrls = [String(network.bootNodeUrl)]
    await using fleet = createFleet({ keys, signingThreads: 0, bootNodeUrls })
    await fleet.start()
    await until(() => fleet.health().publications.published > 0, 'it publishes')
  })
})
