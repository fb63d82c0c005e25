import { once } from 'node:events'
import { connect } from 'node:net'
import { type Address, parsePrivateKey } from '@hailstone/protocol'
import { afterEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { withinMs } from '../../../scripts/strict-times.ts'
import { silentLogger } from '../src/logger.ts'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '../src/serve.ts'
import { describePostgres } from './engines.ts'
import { queryDatabase } from './postgres-server.ts'
import { openProxy } from './proxy.ts'
import { type RawMiner, rawMiner } from './raw-miner.ts'
import { until } from './until.ts'

const DUPLICATE_KEY = { ver: 4n, err: 'ERR_DUPLICATE_KEY' }
const unsigned = { sign: '00' }

/** Stands before the leader, and cuts each line as soon as the leader has said something on it. */
async function cuttingProxy(port: number) {
  let [cuts, isCutting] = [0, true]
  const proxy = await openProxy(port, (gateway, leader) =>
    leader.on('data', () => {
      if (!isCutting) return
      cuts++
      // After the answer to the upgrade.
      setTimeout(() => gateway.destroy(), 20)
    }),
  )
  return {
    ...proxy,
    cuts: () => cuts,
    stopCutting: () => {
      isCutting = false
    },
  }
}

describePostgres('gateways of several processes', (server) => {
  const ends: (() => Promise<unknown> | unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  async function start(
    database: string,
    gateway: LocalNetworkOptions['gateway'] = {},
    logger = silentLogger,
  ): Promise<LocalNetwork> {
    const network = await startLocalNetwork({
      blockTimeMs: 500,
      seed: 'gateways',
      database,
      logger,
      gateway: { feederIntervalMs: 10, beaconIntervalMs: 10, pendingTimeoutMs: 200, ...gateway },
    })
    ends.push(network.stop)
    return network
  }

  /** The first one leads. */
  async function startMany(count: number, gateway: LocalNetworkOptions['gateway'] = {}) {
    const database = await server().createDatabase()
    const all: LocalNetwork[] = []
    for (let number = 0; number < count; number++) all.push(await start(database, gateway))
    const [leader, follower, third] = all
    if (leader === undefined || follower === undefined) throw new Error('there are two at least')
    return { all, leader, follower, third: third ?? follower, database }
  }

  async function miner(network: LocalNetwork, number = 0): Promise<RawMiner> {
    const account = network.accounts.developers[number]
    if (account === undefined) throw new Error('there are five developers')
    const one = await rawMiner(network.gatewayUrl, { privateKey: parsePrivateKey(account.privateKey) })
    ends.push(() => one.socket.terminate())
    return one
  }

  async function hailed(network: LocalNetwork, number = 0, more = {}): Promise<RawMiner> {
    const one = await miner(network, number)
    one.hail(more)
    return one
  }

  /** A miner that signs every beacon, of which a publication was accepted. */
  async function proven(network: LocalNetwork, number = 0): Promise<RawMiner> {
    let accepted = 0
    const one = await miner(network, number)
    const off = network.on('publicationJudged', ({ verdict, address }) => {
      if (verdict === 'accepted' && address === one.address) accepted++
    })
    one.mine()
    one.hail()
    await until(() => accepted > 0)
    off()
    return one
  }

  const addressesOnline = (network: LocalNetwork): readonly Address[] =>
    network.gateway
      .minersOnline()
      .map(({ address }) => address)
      .sort()

  const leaderOf = (all: readonly LocalNetwork[]): LocalNetwork | undefined =>
    all.find((network) => network.role() === 'leader')

  /** Counts the microblocks of a miner that a leader takes. */
  function countMicroblocks(all: readonly LocalNetwork[], { address }: RawMiner): () => number {
    let count = 0
    for (const network of all)
      network.on('microblockAccepted', ({ publisher }) => {
        if (publisher === address) count++
      })
    return () => count
  }

  test('D-9: miners of every process mine one macroblock, and all processes list the same miners', async () => {
    const { all } = await startMany(3)
    const miners = await Promise.all(all.map((network, number) => proven(network, number)))
    const addresses = miners.map(({ address }) => address).sort()
    await until(() => all.every((network) => addressesOnline(network).length === 3))
    for (const network of all) expect(addressesOnline(network)).toEqual(addresses)
    const counts = miners.map((one) => countMicroblocks(all, one))
    await until(() => counts.every((count) => count() >= 3))
    for (const one of miners)
      expect(one.frames.every(({ method }) => method === 'on_leader_beacon')).toBe(true)
    for (const one of miners) one.close()
    await until(() => all.every((network) => addressesOnline(network).length === 0))
  })

  test('D-4: when the leader stops, miners of the other processes stay, and mine for the next leader', async () => {
    const { all, leader, follower, third } = await startMany(3)
    const miners = [await proven(follower), await proven(third, 1)]
    const counts = miners.map((one) => countMicroblocks(all, one))
    const began = performance.now()
    await leader.stop()
    const others = [follower, third]
    const before = counts.map((count) => count())
    await until(() => counts.every((count, at) => count() > (before[at] ?? 0)))
    expect(performance.now() - began).toBeLessThan(withinMs(4000))
    const height = third.height()
    await until(() => others.every((network) => network.height() > height))
    for (const one of miners) {
      expect(one.isOpen()).toBe(true)
      expect(one.frames.every(({ method }) => method === 'on_leader_beacon')).toBe(true)
    }
    await until(() => others.every((network) => addressesOnline(network).length === 2))
  })

  test('D-4: a leader that loses the lead keeps its own miners, who mine for the next one', async () => {
    const { all, leader, follower, database } = await startMany(2)
    const miners = [await proven(leader), await proven(follower, 1)]
    const roles: string[] = []
    for (const network of all) network.on('roleChanged', (role) => roles.push(role))
    await queryDatabase(database, `update leadership set term = term + 1, holder = 'another machine'`)
    await until(() => roles.includes('follower') && leaderOf(all) !== undefined)
    const counts = miners.map((one) => countMicroblocks(all, one))
    await until(() => counts.every((count) => count() > 0))
    for (const one of miners) {
      expect(one.isOpen()).toBe(true)
      expect(one.frames.every(({ method }) => method === 'on_leader_beacon')).toBe(true)
    }
  })

  test('D-4: a miner that comes while nobody leads stays, and mines as soon as somebody does', async () => {
    const { all, leader, follower, database } = await startMany(2)
    await queryDatabase(database, `update leadership set term = term + 1, holder = 'another machine'`)
    await until(() => leader.role() === 'follower')
    const one = await miner(follower)
    const count = countMicroblocks(all, one)
    one.mine()
    one.hail()
    await until(() => count() > 0)
    expect(one.isOpen()).toBe(true)
  })

  test('D-9: of two connections with one key the newer one stays, whatever processes they are at', async () => {
    const { all, leader, follower, third } = await startMany(3)
    for (const [before, after] of [
      [leader, follower],
      [follower, leader],
      [follower, third],
    ] as const) {
      const older = await hailed(before)
      await until(() => all.every((network) => addressesOnline(network).length === 1))
      const newer = await miner(after)
      const began = performance.now()
      newer.mine()
      newer.hail()
      await older.closed
      expect(performance.now() - began).toBeLessThan(withinMs(100))
      expect(older.frames.at(-1)).toEqual(DUPLICATE_KEY)
      const count = countMicroblocks(all, newer)
      await until(() => count() > 0)
      expect(newer.isOpen()).toBe(true)
      newer.close()
      await newer.closed
      await until(() => all.every((network) => addressesOnline(network).length === 0))
    }
  })

  test('A-9: a hail without a signature at another process does not throw a proven miner out', async () => {
    const { leader, follower } = await startMany(2)
    for (const [at, elsewhere] of [
      [leader, follower],
      [follower, leader],
    ] as const) {
      const honest = await proven(at)
      for (let count = 0; count < 3; count++) {
        const thief = await hailed(elsewhere, 0, unsigned)
        await thief.closed
        expect(thief.frames.at(-1)).toEqual(DUPLICATE_KEY)
      }
      expect(honest.isOpen()).toBe(true)
      expect(honest.frames.every(({ err }) => err === undefined)).toBe(true)
      honest.close()
      await honest.closed
    }
  })

  test('A-9: the owner of the key takes over at another process by a signed hail', async () => {
    const { leader, follower } = await startMany(2)
    const older = await proven(leader)
    const newer = await hailed(follower)
    await older.closed
    expect(older.frames.at(-1)).toEqual(DUPLICATE_KEY)
    expect((await newer.next()).method).toBe('on_leader_beacon')
  })

  test('A-9: a proven miner whose connection is dead gives way to any hail at another process', async () => {
    const { all, leader, follower } = await startMany(2)
    const dead = await proven(leader)
    // Nothing is read from now on, so no pong is written either.
    dead.socket.pause()
    const back = await miner(follower)
    const count = countMicroblocks(all, back)
    back.mine()
    back.hail(unsigned)
    await until(() => leader.gateway.sendProbe(back.address) === false)
    const before = count()
    await until(() => count() > before)
    expect(back.isOpen()).toBe(true)
  })

  test('D-9: one key that two processes served while nobody led is served by one afterwards', async () => {
    const { all, leader, follower, third, database } = await startMany(3)
    await queryDatabase(database, `update leadership set term = term + 1, holder = 'another machine'`)
    await until(() => leader.role() === 'follower')
    const older = await hailed(follower)
    const newer = await hailed(third)
    await until(() => leaderOf(all) !== undefined)
    await until(() => !older.isOpen() || !newer.isOpen())
    expect([older, newer].filter((one) => one.isOpen())).toHaveLength(1)
    const gone = older.isOpen() ? newer : older
    expect(gone.frames.at(-1)).toEqual(DUPLICATE_KEY)
    await until(() => all.every((network) => addressesOnline(network).length === 1))
  })

  test('a line is opened with the secret of the lead alone, and one that talks nonsense is cut', async () => {
    const { leader, follower, database } = await startMany(2)
    await hailed(follower)
    await until(() => addressesOnline(leader).length === 1)
    const [row] = await queryDatabase(database, 'select relay, secret from leadership')
    const url = `ws://${row?.relay}/line`
    const answerTo = async (authorization?: string): Promise<number> => {
      const headers = authorization === undefined ? {} : { authorization }
      const socket = new WebSocket(url, { headers })
      socket.on('error', () => {})
      ends.push(() => socket.terminate())
      return new Promise((resolve) => {
        socket.on('open', () => resolve(101))
        socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0))
      })
    }
    expect(await answerTo()).toBe(403)
    expect(await answerTo('Bearer ')).toBe(403)
    expect(await answerTo(`Bearer ${'x'.repeat(String(row?.secret).length)}`)).toBe(403)
    expect(await answerTo(`Bearer ${row?.secret}`)).toBe(101)
    for (const text of ['', '{', 'null', '{"kind":"seats"}', '{"kind":"stand"}']) {
      const socket = new WebSocket(url, { headers: { authorization: `Bearer ${row?.secret}` } })
      await once(socket, 'open')
      socket.send(text)
      await once(socket, 'close')
    }
    expect(addressesOnline(leader)).toHaveLength(1)
  })

  test('A-7: long hails at a process do not part its miners from the leader', async () => {
    const { all, leader, database } = await startMany(2, { framesPerSecond: 1e6 })
    const long = { sign: 'a'.repeat(60_000), hash: 'b'.repeat(2000), referrer: 'c'.repeat(1500) }
    const strangers = await Promise.all(
      all.flatMap((network) =>
        Array.from({ length: 150 }, async (_, at) => {
          const one = await miner(network)
          const id = `0${network === leader ? 2 : 3}${at.toString(16).padStart(64, '0')}`
          one.hail({ ...long, id })
          return one
        }),
      ),
    )
    await until(() => all.every((network) => network.gateway.minersOnline().length >= 150))
    // Whoever leads next hears of all seats of the other one at once.
    await queryDatabase(database, `update leadership set term = term + 1, holder = 'another machine'`)
    await until(() => leader.role() === 'follower')
    await until(() => leaderOf(all) !== undefined)
    const expected = strangers.length
    await until(() => all.every((network) => addressesOnline(network).length === expected), 20_000)
  })

  test('a stranger who holds connections to the line keeps no gateway away', async () => {
    const database = await server().createDatabase()
    const leader = await start(database)
    const [row] = await queryDatabase(database, 'select relay from leadership')
    const [host = '', port] = String(row?.relay).split(':')
    const sockets = Array.from({ length: 1100 }, () => connect(Number(port), host).on('error', () => {}))
    ends.push(() => {
      for (const socket of sockets) socket.destroy()
    })
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const began = performance.now()
    const follower = await start(database)
    await hailed(follower)
    await until(() => addressesOnline(leader).length === 1)
    // Node ends connections without a request after ten seconds, and a stranger opens others then.
    expect(performance.now() - began).toBeLessThan(withinMs(5000))
  })

  test('of two lines of one gateway the newer one counts at once, and nobody has to leave', async () => {
    const database = await server().createDatabase()
    const leader = await start(database)
    const [row] = await queryDatabase(database, 'select relay, secret from leadership')
    const headers = { authorization: `Bearer ${row?.secret}`, 'x-gateway': 'the same' }
    const line = async (): Promise<WebSocket> => {
      const socket = new WebSocket(`ws://${row?.relay}/line`, { headers })
      ends.push(() => socket.terminate())
      await once(socket, 'open')
      const seat = [`02${'a'.repeat(64)}`, 7, '0'.repeat(64), 1000, ['', null, null, null, null]]
      socket.send(JSON.stringify({ kind: 'seats', changes: [seat] }))
      return socket
    }
    const older = await line()
    await until(() => addressesOnline(leader).length === 1)
    const heard: string[] = []
    const newer = await line()
    newer.on('message', (data) => heard.push(String(data)))
    await until(() => heard.length >= 2)
    expect(older.readyState).toBe(WebSocket.CLOSED)
    expect(addressesOnline(leader)).toHaveLength(1)
    expect(heard.filter((text) => !text.includes('"tip"'))).toEqual([])
  })

  test('a process that cannot reach the leader says so once, and when it can', async () => {
    const database = await server().createDatabase()
    const leader = await start(database)
    const lines: string[] = []
    const note = (message: string): void => void lines.push(message)
    const follower = await start(database, {}, { ...silentLogger, info: note, warn: note })
    await hailed(follower)
    await until(() => addressesOnline(leader).length === 1)
    const [row] = await queryDatabase(database, 'select relay from leadership')
    const said = () => lines.filter((line) => line.includes('the line to the leader'))
    await queryDatabase(database, `update leadership set relay = '127.0.0.1:1'`)
    await until(() => said().length > 0, 20_000)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(said()).toEqual(['the line to the leader cannot be opened, so miners here are offered nothing'])
    await queryDatabase(database, `update leadership set relay = '${row?.relay}'`)
    await until(() => said().length > 1)
    expect(said().slice(1)).toEqual(['the line to the leader is open again'])
    await until(() => addressesOnline(leader).length === 1)
  })

  test('a line that is opened and cut again and again is told of in the log and in health, until one stays', async () => {
    const database = await server().createDatabase()
    const leader = await start(database)
    const lines: string[] = []
    const note = (message: string): void => void lines.push(message)
    const follower = await start(database, {}, { ...silentLogger, info: note, warn: note })
    const said = () => lines.filter((line) => line.includes('the line to the leader'))
    const lineOf = async ({ apiUrl }: LocalNetwork): Promise<unknown> => {
      const response = await fetch(new URL('/health', apiUrl))
      return ((await response.json()) as { readonly leader_line: unknown }).leader_line
    }
    await until(async () => (await lineOf(follower)) === 'open')
    expect(await lineOf(leader)).toBeNull()
    const [row] = await queryDatabase(database, 'select relay from leadership')
    const proxy = await cuttingProxy(Number(String(row?.relay).split(':')[1]))
    ends.push(proxy.close)
    await queryDatabase(database, `update leadership set relay = '127.0.0.1:${proxy.port}'`)
    await until(async () => /^opened and cut \d+ times in a row/.test(String(await lineOf(follower))))
    await until(() => said().length > 0)
    const cuts = proxy.cuts()
    await until(() => proxy.cuts() >= cuts + 4)
    expect(said()).toEqual([
      'the line to the leader is cut again and again, so miners here are offered little',
    ])
    proxy.stopCutting()
    await until(async () => (await lineOf(follower)) === 'open')
    expect(said().slice(1)).toEqual(['the line to the leader is open again'])
  })

  test('A-7: the bounds of one gateway hold at each process', async () => {
    const { leader, follower } = await startMany(2, { framesPerSecond: 0.001, framesAtOnce: 20 })
    for (const network of [leader, follower]) {
      const judged: unknown[] = []
      network.on('publicationJudged', (event) => judged.push(event))
      const one = await hailed(network)
      await until(() => addressesOnline(network).includes(one.address))
      const wrong = { id: one.address, m_hash: 'f'.repeat(64), token: '0'.repeat(64), sign: '00' }
      for (let count = 0; count < 500; count++)
        one.send(JSON.stringify({ ver: 4, method: 'publish', data: wrong }))
      const other = await hailed(network, 1)
      await until(() => addressesOnline(network).includes(other.address))
      expect(judged.length).toBeLessThanOrEqual(20)
    }
  })
})
