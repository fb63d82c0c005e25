import { afterEach, expect, test } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { withinMs } from '../../../scripts/strict-times.ts'
import type { Logger } from '../src/logger.ts'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { openChainStore } from '../src/store/open-chain-store.ts'
import { describePostgres } from './engines.ts'
import { payment, postTransaction } from './payments.ts'
import { queryDatabase, startPostgresPair } from './postgres-server.ts'
import { until } from './until.ts'

const COIN = 10n ** 10n
/** Macroblocks during which is read. Larger size: HAILSTONE_READ_BLOCKS=1000 npx vitest run test/read-replica.night.test.ts */
const MACROBLOCKS = gateSize('HAILSTONE_READ_BLOCKS', 30)

describePostgres('reads from a replica', (server) => {
  const open: { readonly stop: () => Promise<void> }[] = []
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.stop()
  })

  async function startPair() {
    const pair = await startPostgresPair()
    open.push(pair)
    return pair
  }

  type Addresses = { readonly database: string; readonly readDatabase: string }

  async function start(addresses: Addresses, logger?: Logger): Promise<LocalNetwork> {
    const quiet = { blockTimeMs: 3_600_000, keepAlive: false, seed: 'replica' }
    const network = await startLocalNetwork({ ...quiet, ...addresses, logger })
    open.push(network)
    return network
  }

  /** One process that leads and two that follow, over a primary and a standby that answers reads. */
  async function startThree() {
    const pair = await startPair()
    return { ...pair, networks: [await start(pair), await start(pair), await start(pair)] as const }
  }

  /** A process that follows, with what it says of the copy. */
  async function startWatched() {
    const pair = await startPair()
    const leader = await start(pair)
    const lines: string[] = []
    const note = (message: string): void => {
      if (message.includes('copy for reads')) lines.push(message)
    }
    const follower = await start(pair, { debug: note, info: note, warn: note, error: note })
    return { ...pair, leader, follower, lines }
  }

  /** A standby applies what it gets later, or at once again. */
  async function setDelay(url: string, delay: string): Promise<void> {
    await queryDatabase(url, `alter system set recovery_min_apply_delay = '${delay}'`)
    await queryDatabase(url, 'select pg_reload_conf()')
  }

  async function payOnce(network: LocalNetwork): Promise<void> {
    const [from, to] = network.accounts.developers
    if (from === undefined || to === undefined) throw new Error('there are five developers')
    const { transaction } = payment(network, { from, to: to.address, amount: COIN })
    expect((await postTransaction(network.apiUrl, transaction)).status).toBe(200)
    await network.closeNow()
  }

  const receiverOf = (network: LocalNetwork) => {
    const [, receiver] = network.accounts.developers
    if (receiver === undefined) throw new Error('there are five developers')
    return receiver.address
  }

  /** Null where the process says that it cannot answer. */
  async function tryBalance(network: LocalNetwork): Promise<bigint | null> {
    const response = await fetch(`${network.apiUrl}/balance?id=${receiverOf(network)}`)
    const text = await response.text()
    if (response.status === 503) return null
    expect(response.status).toBe(200)
    return BigInt(/"amount":"?(\d+)/.exec(text)?.[1] ?? -1)
  }

  async function readBalance(network: LocalNetwork): Promise<bigint> {
    const balance = await tryBalance(network)
    if (balance === null) throw new Error('the balance was not answered')
    return balance
  }

  async function copyState(network: LocalNetwork): Promise<unknown> {
    const response = await fetch(`${new URL(network.apiUrl).origin}/health`)
    return ((await response.json()) as { readonly read_copy: unknown }).read_copy
  }

  /** Reads all the time until it is stopped, and returns what was wrong: an answer below one that was due. */
  function readAllTheTime(network: LocalNetwork) {
    const wrong: string[] = []
    let isOver = false
    let count = 0
    let before = 0n
    let reorganisations = 0
    network.on('reorganised', () => {
      before = 0n
      reorganisations++
    })
    const ended = (async () => {
      while (!isOver) {
        const announced = network.balance(receiverOf(network))
        const begun = reorganisations
        const answer = await tryBalance(network)
        // What a reorganisation took away in the meantime is not due.
        if (answer === null || reorganisations !== begun) continue
        for (const due of [announced, before])
          if (answer < due) wrong.push(`${due} was due, ${answer} was answered`)
        before = answer
        count++
      }
    })()
    return {
      count: () => count,
      async stop() {
        isOver = true
        await ended
        return wrong
      },
    }
  }

  test('D-8: no answer is older than what the process announced, or than its answers before', async () => {
    const { networks, readDatabase } = await startThree()
    const [leader] = networks
    let isOver = false
    const wrong: string[] = []
    const reads = networks.map(async (network, at) => {
      let before = 0n
      let count = 0
      while (!isOver) {
        const announced = network.balance(receiverOf(network))
        const answer = await readBalance(network)
        if (answer < announced) wrong.push(`process ${at} announced ${announced} and answered ${answer}`)
        if (answer < before) wrong.push(`process ${at} answered ${before} and then ${answer}`)
        before = answer
        count++
      }
      return count
    })
    for (let block = 0; block < MACROBLOCKS; block++) {
      // The standby stops applying what it gets, and goes on later.
      if (block % 4 === 1) await queryDatabase(readDatabase, 'select pg_wal_replay_pause()')
      if (block % 4 === 3) await queryDatabase(readDatabase, 'select pg_wal_replay_resume()')
      await payOnce(leader)
    }
    isOver = true
    for (const count of await Promise.all(reads)) expect(count).toBeGreaterThan(0)
    expect(wrong).toEqual([])
  })

  test('D-8: a copy that lags answers nothing, and one that is there again does', async () => {
    const { readDatabase, leader, follower, lines } = await startWatched()
    await until(async () => (await copyState(leader)) === 'in use')
    await setDelay(readDatabase, '1h')
    await payOnce(leader)
    await until(() => follower.height() === leader.height())
    expect(await readBalance(follower)).toBe(leader.balance(receiverOf(leader)))
    await until(async () => {
      await readBalance(follower)
      return (await copyState(follower)) === 'it is behind'
    })
    await setDelay(readDatabase, '0')
    await until(async () => (await copyState(follower)) === 'in use')
    expect(await readBalance(follower)).toBe(leader.balance(receiverOf(leader)))
    expect(lines).toEqual(['the copy for reads is not in use', 'the copy for reads is in use again'])
  })

  test('D-8: a copy that is frozen holds up nobody, and is said to be of no use once', async () => {
    const { standby, leader, follower, lines } = await startWatched()
    await payOnce(leader)
    await until(() => follower.height() === leader.height())
    const balance = leader.balance(receiverOf(leader))
    expect(await readBalance(follower)).toBe(balance)
    await standby.freeze()
    const slowest: number[] = []
    while ((await copyState(follower)) !== 'it does not answer') {
      const since = performance.now()
      const answers = await Promise.all(Array.from({ length: 20 }, () => readBalance(follower)))
      slowest.push(performance.now() - since)
      expect(new Set(answers)).toEqual(new Set([balance]))
    }
    expect(Math.max(...slowest)).toBeLessThan(withinMs(600))
    // All further probes fail, and nobody reads of them a second time.
    expect(lines).toEqual(['the copy for reads is not in use'])
    await standby.thaw()
    await until(async () => (await copyState(follower)) === 'in use')
    expect(lines).toEqual(['the copy for reads is not in use', 'the copy for reads is in use again'])
  })

  test('D-8: a copy that somebody promotes answers nothing of its own', async () => {
    const { standby, leader, follower } = await startWatched()
    const reading = readAllTheTime(follower)
    await payOnce(leader)
    await standby.promote()
    await payOnce(leader)
    await until(() => follower.height() === leader.height())
    await until(async () => (await copyState(follower)) === 'it is behind')
    expect(await readBalance(follower)).toBe(leader.balance(receiverOf(leader)))
    expect(await reading.stop()).toEqual([])
  })

  test('D-8: after a failover that loses macroblocks nothing older is answered before that is told', async () => {
    const { primary, standby, database, readDatabase } = await startPair()
    const hosts = database.replace('127.0.0.1:', `127.0.0.1:${standby.port},127.0.0.1:`)
    const pair = { database: hosts, readDatabase }
    const leader = await start(pair)
    const follower = await start(pair)
    await payOnce(leader)
    await until(async () => (await readBalance(follower)) === leader.balance(receiverOf(leader)))
    const kept = leader.height()
    await until(
      async () =>
        (await queryDatabase(readDatabase, `select 1 from key_block where height = ${kept}`)).length === 1,
    )
    // From here on the standby gets nothing.
    await queryDatabase(readDatabase, `alter system set primary_conninfo = ''`)
    await queryDatabase(readDatabase, 'select pg_reload_conf()')
    await until(
      async () => (await queryDatabase(readDatabase, 'select 1 from pg_stat_wal_receiver')).length === 0,
    )
    await payOnce(leader)
    await until(() => follower.height() === kept + 1)
    let isReported = false
    follower.on('reorganised', () => {
      isReported = true
    })
    // So many that some are answered between the promotion and its discovery.
    const readers = Array.from({ length: 30 }, () => readAllTheTime(follower))
    const count = () => readers.reduce((sum, reader) => sum + reader.count(), 0)
    await until(() => count() > 100)
    await primary.crash()
    await standby.promote()
    await until(() => isReported)
    const before = count()
    await until(() => count() > before + 100)
    for (const reader of readers) expect(await reader.stop()).toEqual([])
    expect(follower.height()).toBe(kept)
  })

  test('D-8: a macroblock that was shown before it was announced, and is lost, is told', async () => {
    const pair = await startPair()
    const leader = await start(pair)
    await payOnce(leader)
    // A process that does not get to look at the chain meanwhile.
    const store = await openChainStore(pair)
    open.push({ stop: store.close })
    const tail = await store.tail()
    const lost: number[] = []
    const clients = store.forClients({ announced: () => tail, wentBack: (height) => void lost.push(height) })
    const readTail = () => clients.store.tail().then(({ height }) => height)
    await payOnce(leader)
    await until(async () => (await readTail()) === tail.height + 1)
    expect(clients.height()).toBe(tail.height + 1)
    await leader.control.reorganise(1)
    // The copy may have it for a moment still.
    const refusal = async (): Promise<unknown> => {
      for (;;)
        try {
          await readTail()
        } catch (error) {
          return error
        }
    }
    expect(await refusal()).toMatchObject({ code: 'STORE_UNREACHABLE' })
    expect(lost).toEqual([tail.height + 1])
    expect([await readTail(), clients.height()]).toEqual([tail.height, tail.height])
    expect(lost).toHaveLength(1)
  })

  test('D-8: reads go on from the replica while the primary is away', async () => {
    const { primary, networks } = await startThree()
    const [leader, follower] = networks
    await payOnce(leader)
    await until(() => follower.height() === leader.height())
    const balance = follower.balance(receiverOf(follower))
    await until(async () => (await readBalance(follower)) === balance)
    await primary.crash()
    await until(async () => (await tryBalance(follower)) === balance)
    await until(async () => (await fetch(`${follower.apiUrl}/height`)).status === 200)
    const health = await fetch(`${new URL(follower.apiUrl).origin}/health`)
    expect(health.status).toBe(503)
  })

  test('D-8: an address that can never be right ends the start, one that is away does not', async () => {
    const { standby, database, readDatabase } = await startPair()
    const other = server()
    const name = new URL(database).pathname
    await queryDatabase(
      `postgres://hailstone@127.0.0.1:${other.port}/postgres`,
      `create database ${name.slice(1)}`,
    )
    const elsewhere = new URL(await other.createDatabase())
    const wrong = {
      'role "nobody"': readDatabase.replace('hailstone@', 'nobody@'),
      "database 'missing'": readDatabase.replace(name, '/missing'),
      'the database postgres': readDatabase.replace(name, '/postgres'),
      'a server that is no copy of it': Object.assign(elsewhere, { pathname: name }).href,
    }
    for (const [found, url] of Object.entries(wrong))
      await expect(start({ database, readDatabase: url }), found).rejects.toMatchObject({
        code: 'CONFIGURATION_INVALID',
        facts: { path: 'readDatabase', found: expect.stringContaining(found.replaceAll('"', "'")) },
      })
    await standby.crash()
    const network = await start({ database, readDatabase })
    expect(await readBalance(network)).toBe(network.balance(receiverOf(network)))
    await until(async () => (await copyState(network)) === 'it does not answer')
    await standby.start()
    await until(async () => (await copyState(network)) === 'in use')
  })
})
