import type { Worker } from 'node:worker_threads'
import { type Address, NodeError, sha256Hex } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { assembleFleet, createFleet } from '../src/fleet/create-fleet.ts'
import type { FleetEvent } from '../src/fleet/fleet-events.ts'
import type { OpenChannel } from '../src/session/channel.ts'
import { numberedSigner, pass, passUntil, virtualClock, virtualGateway } from './fleet-virtual-world.ts'
import { startLoadGateway } from './load-gateway.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { until } from './until.ts'

const keyOf = (number: number): string => sha256Hex(`fleet key ${number}`)

/** A source that can be read again, as a file can. */
const keysUpTo = (count: number) =>
  function* keys() {
    for (let number = 0; number < count; number++) yield keyOf(number)
  }

/** Of this process, which other files of tests have used before. */
const sockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

/** The policy's waits, a twentieth as long. */
const shortPauses = (): number => Math.random() / 20

const MINERS = gateSize('HAILSTONE_FLEET', { change: 300, night: 1_000 })

describe(`${MINERS} miners in one process`, () => {
  it('mine, sign what they are offered, come back after a restart, and leave nothing', async () => {
    const before = sockets()
    await using gateway = await startLoadGateway()
    await using fleet = createFleet({
      keys: keysUpTo(MINERS),
      gatewayUrl: gateway.url,
      signingThreads: 1,
      randomness: shortPauses,
    })
    const types = new Map<FleetEvent['type'], number>()
    fleet.subscribe(({ type }) => types.set(type, (types.get(type) ?? 0) + 1))
    await fleet.start()
    await until(() => types.get('hailed') === MINERS, 'all have hailed')

    const first = await gateway.ask('broadcast', { transactions: 3 })
    expect(first).toMatchObject({ asked: MINERS, answered: MINERS, unexpected: 0 })
    expect(first.good).toBe(first.sampled)
    await until(() => fleet.health().nodes.mining === MINERS, 'all are mining')
    expect(fleet.health()).toMatchObject({
      isReady: true,
      code: 'READY',
      nodes: { total: MINERS, mining: MINERS },
      publications: { published: MINERS, refused: 0 },
      // L4: one list, three transactions, whoever it was offered to.
      beacons: { checked: MINERS, sharedFrames: MINERS - 1, transactionsHashed: 3, signaturesVerified: 3 },
      signing: { threads: 1, waiting: 0 },
      tip: null,
      problems: [],
    })

    await gateway.ask('crash')
    await until(() => fleet.health().nodes.waiting > 0.9 * MINERS, 'most have noticed')
    expect(fleet.health()).toMatchObject({ isReady: false, code: 'TOO_FEW_SESSIONS' })
    expect(fleet.health().problems[0]?.nodes).toBeGreaterThan(MINERS / 10)
    await gateway.ask('reopen')
    await until(() => types.get('hailed') === 2 * MINERS, 'all have hailed again')
    const second = await gateway.ask('broadcast', { transactions: 3 })
    expect(second).toMatchObject({ asked: MINERS, answered: MINERS, unexpected: 0 })

    await fleet.stop()
    // It is another process, which hears of the last of them a little later.
    await expect.poll(() => gateway.ask('online')).toEqual({ miners: 0 })
    expect(fleet.health().nodes).toMatchObject({ total: MINERS, stopped: MINERS })
    expect(sockets()).toBeLessThanOrEqual(before)
  })
})

describe('one bad key among many (L5)', () => {
  it.each([0, 1])('is refused without ending the others, with %i signing threads', async (signingThreads) => {
    const refused: FleetEvent[] = []
    await using gateway = await startLoadGateway()
    await using fleet = createFleet({
      keys: [keyOf(1), 'no key', keyOf(2), keyOf(1), '0'.repeat(64), keyOf(3)],
      gatewayUrl: gateway.url,
      signingThreads,
    })
    fleet.subscribe((event) => event.type === 'keyRefused' && refused.push(event))
    await fleet.start()
    await until(() => fleet.health().nodes.waitingForBeacon === 3, 'the good ones have hailed')
    const codes = refused.map((event) => event.type === 'keyRefused' && [event.index, event.error.code])
    expect(codes.sort()).toEqual([
      [1, 'PRIVATE_KEY_MALFORMED'],
      [3, 'CONFIGURATION_INVALID'],
      [4, 'PRIVATE_KEY_MALFORMED'],
    ])
    expect(fleet.health().nodes).toMatchObject({ total: 3, refused: 3 })
    expect(JSON.stringify(refused)).not.toContain(keyOf(1))
    const round = await gateway.ask('broadcast', { transactions: 1 })
    expect(round).toMatchObject({ asked: 3, answered: 3 })
  })

  it('that is taken over elsewhere waits for its turn, and no other does', async () => {
    await using gateway = await startScriptedGateway()
    await using fleet = createFleet({ keys: keysUpTo(4), gatewayUrl: gateway.url, signingThreads: 0 })
    await fleet.start()
    const socket = await gateway.hailed(4)
    socket.send('{"ver":4,"err":"ERR_DUPLICATE_KEY"}')
    await until(() => fleet.health().nodes.waiting === 1, 'one waits')
    expect(fleet.health().nodes).toMatchObject({ total: 4, waiting: 1, waitingForBeacon: 3, stopped: 0 })
  })

  it('that is taken over elsewhere stops its node and no other, if that is what the owner wants', async () => {
    const clock = virtualClock()
    const gateway = virtualGateway(clock)
    const wallets = [1, 2, 3, 4].map(numberedSigner)
    const openChannel: OpenChannel = (given) => {
      const channel = gateway.openChannel(given)
      const send = (text: string): void => {
        channel.send(text)
        const isTaken = text.includes(String(wallets[3]?.address))
        if (isTaken) clock.after(1, () => given.handlers.received('{"ver":4,"err":"ERR_DUPLICATE_KEY"}'))
      }
      return { ...channel, send }
    }
    const fleet = assembleFleet(
      { wallets, gatewayUrl: gateway.url, openChannel, onDuplicateKey: 'stop', randomness: () => 0.5 },
      clock,
    )
    await passUntil(clock, fleet.start())
    await pass(clock, 100_000, 500)
    expect(fleet.health().nodes).toMatchObject({ total: 4, stopped: 0, waiting: 1, waitingForBeacon: 3 })
    await pass(clock, 200_000, 500)
    expect(fleet.health().nodes).toMatchObject({ total: 4, stopped: 1, waitingForBeacon: 3 })
    const [stopped] = [...fleet.nodes()].filter(({ status }) => status === 'stopped')
    expect(stopped?.nextStep).not.toBe('')
    expect(fleet.node(stopped?.address as Address)).toEqual(stopped)
    await passUntil(clock, fleet.stop())
  })
})

describe('a fleet', () => {
  it('signs with the wallets it is given, also with ones that answer later', async () => {
    const { walletFromPrivateKey } = await import('@hailstone/client')
    const wallet = walletFromPrivateKey(keyOf(1))
    const slow = walletFromPrivateKey(keyOf(2))
    const later = {
      address: slow.address,
      signHail: async (given: Parameters<typeof slow.signHail>[0]) => slow.signHail(given),
      signPublication: async (given: Parameters<typeof slow.signPublication>[0]) =>
        slow.signPublication(given),
    }
    await using gateway = await startLoadGateway()
    await using fleet = createFleet({ wallets: [wallet, later], gatewayUrl: gateway.url })
    await fleet.start()
    await until(() => fleet.health().nodes.waitingForBeacon === 2, 'both have hailed')
    const round = await gateway.ask('broadcast', { transactions: 2 })
    expect(round).toMatchObject({ asked: 2, answered: 2, good: 2 })
  })

  it('answers a beacon that is sent again and again once', async () => {
    const { makeBeacon } = await import('./beacons.ts')
    await using gateway = await startScriptedGateway()
    await using fleet = createFleet({ keys: [keyOf(1)], gatewayUrl: gateway.url, signingThreads: 0 })
    await fleet.start()
    const socket = await gateway.hailed()
    const [node] = fleet.nodes()
    if (node === undefined) throw new Error('no node')
    const { text } = makeBeacon({ publisher: node.address, nonce: 1 })
    for (let time = 0; time < 200; time++) {
      socket.send(text)
      if (time % 50 === 0) await until(() => gateway.publications().length === 1, 'it is signed')
    }
    socket.send(makeBeacon({ publisher: node.address, nonce: 2 }).text)
    await until(() => gateway.publications().length === 2, 'the next one is signed')
    expect(new Set(gateway.publications().map(({ data }) => data.microblockHash)).size).toBe(2)
  })

  it('goes on when a listener throws, and tells the others', async () => {
    await using gateway = await startScriptedGateway()
    await using fleet = createFleet({ keys: [keyOf(1)], gatewayUrl: gateway.url, signingThreads: 0 })
    const failures: NodeError[] = []
    fleet.subscribe((event) => event.type === 'failed' && failures.push(event.error))
    fleet.subscribe(() => {
      throw new Error('a careless listener')
    })
    await fleet.start()
    await gateway.hailed()
    await until(() => fleet.health().nodes.waitingForBeacon === 1, 'it has hailed')
    expect(failures[0]).toBeInstanceOf(NodeError)
    expect(failures[0]?.code).toBe('LISTENER_FAILED')
  })

  it('does not start when the keys cannot be read, and leaves nothing', async () => {
    const keys = function* (): Generator<string> {
      yield keyOf(1)
      throw new Error('the disk is gone')
    }
    const fleet = createFleet({ keys: keys(), gatewayUrl: 'ws://127.0.0.1:1', signingThreads: 1 })
    await expect(fleet.start()).rejects.toThrow('the disk is gone')
    await expect(fleet.start()).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' })
    await fleet.stop()
  })

  it.each([
    ['neither keys nor wallets', { gatewayUrl: 'ws://127.0.0.1:1' }],
    ['both', { gatewayUrl: 'ws://127.0.0.1:1', keys: [], wallets: [] }],
    ['no gateway', { keys: [] }],
    ['an empty list of gateways', { keys: [], gatewayUrl: [] }],
    [
      'a gateway address that is not ws:// or wss://',
      { keys: [], gatewayUrl: ['ws://127.0.0.1:1', 'http://127.0.0.1:1'] },
    ],
    ['half a thread', { keys: [], gatewayUrl: 'ws://127.0.0.1:1', signingThreads: 0.5 }],
    ['threads for wallets', { wallets: [], gatewayUrl: 'ws://127.0.0.1:1', signingThreads: 1 }],
  ])('is not made of %s', (_name, parameters) => {
    expect(() => createFleet(parameters)).toThrow(expect.objectContaining({ code: 'CONFIGURATION_INVALID' }))
  })
})

describe('a signing thread that dies', () => {
  it('is replaced, and its nodes come back', async () => {
    await using gateway = await startLoadGateway()
    await using fleet = createFleet({
      keys: keysUpTo(20),
      gatewayUrl: gateway.url,
      signingThreads: 2,
      randomness: shortPauses,
    })
    const threads: Worker[] = []
    const note = (thread: Worker): void => void threads.push(thread)
    process.on('worker', note)
    await fleet.start()
    process.off('worker', note)
    await until(() => fleet.health().nodes.waitingForBeacon === 20, 'all have hailed')
    expect(threads).toHaveLength(2)
    await threads[0]?.terminate()
    await until(() => fleet.health().signing.threads === 1, 'one thread is gone')
    await until(() => fleet.health().signing.threads === 2, 'it was replaced')
    let round = await gateway.ask('broadcast', { transactions: 1, timeoutMs: 10_000 })
    for (let attempt = 0; attempt < 5 && round.answered !== 20; attempt++) {
      await until(() => fleet.health().nodes.waiting === 0, 'all are back')
      round = await gateway.ask('broadcast', { transactions: 1, timeoutMs: 10_000 })
    }
    expect(round).toMatchObject({ asked: 20, answered: 20 })
  })
})
