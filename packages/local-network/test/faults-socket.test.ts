import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { checkBeacon, parseServerMessage, stringifyJson } from '@hailstone/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { FaultScript } from '../src/faults/fault-script.ts'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { ask, exchangeBytes } from './plain-http.ts'
import { type Frame, type RawMiner, rawMiner } from './raw-miner.ts'

type SocketRule = Extract<FaultScript['rules'][number], { on: 'socket' }>

let network: LocalNetwork
const miners: RawMiner[] = []
beforeAll(async () => {
  network = await startLocalNetwork({
    blockTimeMs: 3_600_000,
    seed: 'faults on sockets',
    gateway: { feederIntervalMs: 10, beaconIntervalMs: 20, pendingTimeoutMs: 20, pingIntervalMs: 400 },
  })
})
afterEach(async () => {
  network.faults.clear()
  for (const miner of miners.splice(0)) miner.socket.terminate()
  await expect.poll(() => network.gateway.minersOnline().length).toBe(0)
  // An open macroblock takes so many microblocks and no more.
  await network.control.mine()
})
afterAll(() => network.stop())

const fault = (one: SocketRule['fault'], match: SocketRule['match'] = {}): void =>
  network.faults.set({ seed: 'a seed', rules: [{ on: 'socket', match, fault: one }] })

const developer = (number = 0) => {
  const account = network.accounts.developers[number]
  if (account === undefined) throw new Error('there are five developers')
  return account
}

async function connected(number = 0): Promise<RawMiner> {
  const miner = await rawMiner(network.gatewayUrl, { privateKey: developer(number).privateKey })
  miners.push(miner)
  return miner
}

async function hailed(number = 0): Promise<RawMiner> {
  const miner = await connected(number)
  miner.hail()
  return miner
}

const BEACON = { message: 'on_leader_beacon' } as const

const isBeacon = ({ method }: Frame): boolean => method === 'on_leader_beacon'
const beaconsOf = ({ frames }: RawMiner): readonly Frame[] => frames.filter(isBeacon)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** What an honest miner makes of a frame. */
function opinion(frame: Frame): string {
  const message = parseServerMessage(stringifyJson(frame))
  if (message.kind !== 'beacon') return message.kind
  const check = checkBeacon(message.beacon, { address: developer().address })
  return check.ok ? 'signed' : check.refusal
}

/** The judgements of publications from now on. */
function judgements(): { readonly verdicts: string[] } & Disposable {
  const verdicts: string[] = []
  const off = network.on('publicationJudged', ({ verdict, reason }) => verdicts.push(reason ?? verdict))
  return { verdicts, [Symbol.dispose]: off }
}

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
    expect(await exchangeBytes(network.gatewayUrl, handshake, { waitMs: 200 })).toEqual(silence)
  })

  test.each(['connect', 'upgrade'] as const)('a connection is reset at the %s', async (message) => {
    fault({ reset: {} }, { message })
    expect((await exchangeBytes(network.gatewayUrl, handshake)).ended).toBe('reset')
  })

  test.each(['connect', 'upgrade'] as const)('a connection waits at the %s', async (message) => {
    fault({ delay: { ms: 150 } }, { message })
    const began = performance.now()
    const { bytes } = await exchangeBytes(network.gatewayUrl, handshake, { until: '101 Switching Protocols' })
    expect(bytes.toString()).toContain('101 Switching Protocols')
    expect(performance.now() - began).toBeGreaterThan(140)
  })

  test.each([401, 403, 404, 429, 503])('the upgrade is answered with %i', async (code) => {
    fault({ status: { code, retryAfter: 3 } }, { message: 'upgrade' })
    const socket = new WebSocket(network.gatewayUrl)
    socket.on('error', () => {})
    const [, answer] = await once(socket, 'unexpected-response')
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([code, '3'])
  })

  test('the upgrade is redirected', async () => {
    fault({ redirect: { location: 'ws://10.0.0.1:1/' } }, { message: 'upgrade' })
    const { bytes } = await exchangeBytes(network.gatewayUrl, handshake)
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 302 Found\r\nlocation: ws:\/\/10\.0\.0\.1:1\/\r\n/)
  })
})

describe('messages on their way', () => {
  test('a mute gateway takes the hail and sends no beacons', async () => {
    fault({ drop: true }, BEACON)
    const miner = await hailed()
    await expect.poll(() => network.faults.fired().length).toBeGreaterThan(2)
    expect(miner.frames).toEqual([])
    expect(network.gateway.minersOnline()).toHaveLength(1)
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
    await expect.poll(() => network.faults.fired().length).toBeGreaterThan(1)
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
    expect(network.gateway.minersOnline()).toEqual([])
  })

  test('a half-open link answers no ping and is never closed', async () => {
    fault({ halfOpen: true }, { ...BEACON, nth: 2 })
    const miner = await hailed()
    await expect.poll(() => network.faults.fired().length).toBe(1)
    let pongs = 0
    miner.socket.on('pong', () => pongs++)
    miner.socket.ping()
    // The gateway itself gives up after two pings; the link must not show it.
    await expect.poll(() => network.gateway.minersOnline()).toEqual([])
    expect([pongs, miner.isOpen(), miner.frames.length]).toEqual([0, true, 1])
  })

  test('a beacon comes late, and comes twice', async () => {
    network.faults.set({
      rules: [
        { on: 'socket', match: { ...BEACON, nth: 1 }, fault: { delay: { ms: 200 } } },
        { on: 'socket', match: { ...BEACON, nth: 1 }, fault: { duplicate: { times: 2 } } },
        { on: 'socket', match: { ...BEACON, from: 2 }, fault: { drop: true } },
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
    const off = network.on('beaconOffered', ({ microblockHash }) => offered.push(microblockHash))
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
      const socket = new WebSocket(network.gatewayUrl)
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
    const socket = new WebSocket(network.gatewayUrl)
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

/** A hail as text, for sockets without a miner. */
const hailText = (number: number): string =>
  JSON.stringify({ ver: 4, method: 'hail', data: { id: developer(number).address, hash: '', sign: '' } })

describe('endings', () => {
  test.each([1001, 1012, 1013, 4000])('a gateway says goodbye with %i', async (code) => {
    fault({ close: { code, reason: 'away' } }, { ...BEACON, nth: 1 })
    expect(await (await hailed()).closed).toBe(code)
  })

  test.each([
    ['in the middle of a beacon', { cut: { afterBytes: 100 } }, 0],
    ['in the middle of a beacon, with a reset', { cut: { afterBytes: 100, how: 'reset' } }, 0],
    ['before a beacon', { reset: {} }, 0],
    ['after a beacon', { reset: { when: 'after' } }, 1],
  ] as const)('a connection ends %s', async (_, one, beacons) => {
    fault(one, { ...BEACON, nth: 1 })
    const miner = await hailed()
    expect(await miner.closed).toBe(1006)
    expect(miner.frames).toHaveLength(beacons)
  })

  test.each([
    ['before', []],
    ['after', ['accepted']],
  ] as const)('a connection is reset %s a publication is judged', async (when, verdicts) => {
    using heard = judgements()
    fault({ reset: { when } }, { message: 'publish' })
    const miner = await hailed()
    miner.mine()
    expect(await miner.closed).toBe(1006)
    expect(heard.verdicts).toEqual(verdicts)
  })

  test('a publication that is cut off is never judged', async () => {
    using heard = judgements()
    fault({ cut: {} }, { message: 'publish' })
    const miner = await hailed()
    miner.mine()
    expect(await miner.closed).toBe(1006)
    expect(heard.verdicts).toEqual([])
  })
})

describe('forgeries', () => {
  test.each([
    ['amount', 'transaction signature is not valid', 'not the outstanding beacon'],
    // It keeps the hash of the genuine one: what a careless miner signs is what was offered.
    ['statedHash', 'stated transaction hash differs', 'accepted'],
    ['signature', 'transaction signature is not valid', 'not the outstanding beacon'],
    ['microblockHash', 'microblock hash differs', 'not the outstanding beacon'],
    ['publisher', 'addressed to another publisher', 'not the outstanding beacon'],
    ['empty', 'no transactions', 'not the outstanding beacon'],
  ] as const)(
    '%s: an honest miner sees that %s; of a careless one it is %s',
    async (what, refusal, verdict) => {
      using heard = judgements()
      fault({ forge: { what } }, { ...BEACON, nth: 1 })
      const miner = await hailed()
      const beacon = await miner.next()
      expect(opinion(beacon)).toBe(refusal)
      miner.publish(beacon)
      await expect.poll(() => heard.verdicts).toEqual([verdict])
    },
  )

  test.each(['futureKeyBlock', 'pastKeyBlock', 'twin', 'leaderSignature'] as const)(
    '%s: the content is in order, and not what was offered',
    async (what) => {
      const offered: string[] = []
      const off = network.on('beaconOffered', ({ microblockHash }) => offered.push(microblockHash))
      fault({ forge: { what, instead: false } }, { ...BEACON, nth: 1 })
      const miner = await hailed()
      const [forged, genuine] = [await miner.next(), await miner.next()]
      off()
      expect([opinion(forged), opinion(genuine)]).toEqual(['signed', 'signed'])
      expect(genuine.data?.m_hash).toBe(offered[0])
      expect(forged.data?.m_hash === offered[0]).toBe(what === 'leaderSignature')
      const keyBlock = ({ data }: Frame) =>
        (data?.mblock_data as { readonly kblocks_hash: string } | undefined)?.kblocks_hash
      expect(keyBlock(forged) === keyBlock(genuine)).toBe(what === 'twin' || what === 'leaderSignature')
      expect(forged.data?.leader_sign !== undefined).toBe(what === 'leaderSignature')
    },
  )

  test('old beacons come again and again', async () => {
    fault({ replay: { which: 'first', times: 1000 } }, { ...BEACON, nth: 2 })
    const miner = await hailed()
    await expect.poll(() => beaconsOf(miner).length).toBeGreaterThan(1001)
    const [first] = beaconsOf(miner)
    const again = beaconsOf(miner).filter(({ data }) => data?.m_hash === first?.data?.m_hash)
    // The network itself may offer the same content again, too.
    expect(again.length).toBeGreaterThanOrEqual(1001)
    expect(network.faults.fired()).toMatchObject([{ occurrence: 2, detail: { sent: 1000 } }])
  })

  test('beacons flood in, each of them another one', async () => {
    fault({ flood: { beacons: 2000 } }, { ...BEACON, nth: 1 })
    const miner = await hailed()
    await expect.poll(() => beaconsOf(miner).length).toBeGreaterThan(2000)
    expect(new Set(beaconsOf(miner).map(({ data }) => data?.m_hash)).size).toBeGreaterThan(2000)
    expect(miner.isOpen()).toBe(true)
  })

  test('a frame is far too large, or holds far too many transactions', async () => {
    const firstText = async (): Promise<string> => {
      const socket = new WebSocket(network.gatewayUrl)
      socket.on('open', () => socket.send(hailText(0)))
      const [data] = await once(socket, 'message')
      socket.terminate()
      // Its next beacon would be the first one of the next script.
      await expect.poll(() => network.gateway.minersOnline()).toEqual([])
      return String(data)
    }
    // The first beacon alone, and less than the gateway leaves unread before it cuts the connection: with 5 MB every
    // 20 ms a busy machine never comes to the end of one.
    fault({ oversized: { bytes: 900_000 } }, { ...BEACON, nth: 1 })
    expect(await firstText()).toHaveLength(900_000)
    fault({ oversized: { transactions: 1500 } }, { ...BEACON, nth: 1 })
    const { data } = JSON.parse(await firstText())
    expect(data.mblock_data.txs).toHaveLength(1500)
  })

  test('a peer message leads elsewhere', async () => {
    fault({ peer: { host: '192.168.1.1', port: 80 } }, { ...BEACON, nth: 1 })
    const miner = await hailed()
    expect(await miner.next()).toEqual({ ver: 4n, method: 'peer', data: { ip: '192.168.1.1', port: 80n } })
    expect(isBeacon(await miner.next())).toBe(true)
  })

  test.each(['ERR_DUPLICATE_KEY', 'ERR_WRONG_PROTOCOL_VERSION', 'ERR_ELSE'])(
    'the gateway says %s',
    async (err) => {
      fault({ say: { json: { ver: 4, err }, instead: true } }, BEACON)
      expect(await (await hailed()).next()).toEqual({ ver: 4n, err })
    },
  )
})

describe('runs', () => {
  test('one seed gives one run, frame by frame', async () => {
    const rules: FaultScript['rules'] = [
      { on: 'socket', match: { ...BEACON, probability: 0.5 }, fault: { forge: { what: 'publisher' } } },
      { on: 'socket', match: { ...BEACON, every: 3 }, fault: { delay: { ms: [0, 5] } } },
      { on: 'socket', match: { ...BEACON, nth: 5 }, fault: { cut: { afterBytes: [1, 500] } } },
    ]
    const run = async (seed: string) => {
      network.faults.set({ seed, rules })
      const miner = await hailed()
      expect(await miner.closed).toBe(1006)
      return { fired: network.faults.fired(), opinions: beaconsOf(miner).map(opinion) }
    }
    const first = await run('one')
    expect(await run('one')).toEqual(first)
    expect((await run('three')).fired).not.toEqual(first.fired)
  })

  test('a script that has ended leaves new connections alone', async () => {
    fault({ drop: true })
    await hailed()
    await expect.poll(() => network.faults.fired().length).toBe(1)
    network.faults.clear()
    expect(network.faults.fired()).toEqual([])
    expect(opinion(await (await hailed()).next())).toBe('signed')
  })
})

describe('outages', () => {
  test('a gateway goes away with a closing handshake, refuses everybody, and comes back', async () => {
    const miner = await hailed()
    const outage = await network.control.outage({ of: 'gateway', durationMs: 1500, closeCode: 1012 })
    expect(await miner.closed).toBe(1012)
    expect((await exchangeBytes(network.gatewayUrl, 'x')).ended).toBe('reset')
    await expect(network.control.outage({ of: 'gateway', durationMs: 1 })).rejects.toMatchObject({
      code: 'CONTROL_REFUSED',
    })
    await outage.over
    expect(opinion(await (await hailed()).next())).toBe('signed')
  })

  test('the interface goes away and comes back, unless its port is taken meanwhile', async () => {
    const url = `${network.apiUrl}/height`
    await (await network.control.outage({ of: 'api', durationMs: 50 })).over
    expect((await ask(url)).status).toBe(200)
    const outage = await network.control.outage({ of: 'api', durationMs: 1500 })
    expect((await ask(url)).error).toBe('ECONNREFUSED')
    const squatter: Server = createServer().listen(Number(new URL(url).port), '127.0.0.1')
    await once(squatter, 'listening')
    await expect(outage.over).rejects.toMatchObject({ code: 'PORT_IN_USE' })
    squatter.close()
  })
})
