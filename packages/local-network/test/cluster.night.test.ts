import { type JsonValue, parseJson, stringifyJson } from '@hailstone/protocol'
import { afterEach, expect, test } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '../src/serve.ts'
import { openChainStore } from '../src/store/index.ts'
import { describePostgres } from './engines.ts'
import { payment, postTransaction } from './payments.ts'
import { rawMiner } from './raw-miner.ts'
import { expectReplay } from './replay.ts'
import { until } from './until.ts'

const COIN = 10n ** 10n
const slow: LocalNetworkOptions = {
  blockTimeMs: 3_600_000,
  keepAlive: false,
  gateway: { feederIntervalMs: 10, beaconIntervalMs: 10 },
}

async function get(network: LocalNetwork, path: string): Promise<JsonValue> {
  return parseJson(await (await fetch(network.apiUrl + path)).text())
}

/** Posts a payment of the first developer to the second one. */
async function pay(network: LocalNetwork): Promise<string> {
  const [from, to] = network.accounts.developers
  if (from === undefined || to === undefined) throw new Error('there are five developers')
  const { transaction, hash } = payment(network, { from, to: to.address, amount: COIN })
  const response = await postTransaction(network.apiUrl, transaction)
  expect(await response.json()).toEqual({ err: 0, result: [{ hash, status: 0 }] })
  return hash
}

const statusOf = async (network: LocalNetwork, hash: string): Promise<string> => {
  const text = await (await fetch(`${network.apiUrl}/tx?hash=${hash}`)).text()
  return text === '' ? 'unknown' : String((parseJson(text) as { status: bigint }).status)
}
const CONFIRMED = '3'

const pendingCount = async (network: LocalNetwork): Promise<number> =>
  Number(((await get(network, '/pending_size')) as [{ count: bigint }])[0].count)

describePostgres('several processes over one database', (server) => {
  const running: LocalNetwork[] = []
  afterEach(async () => {
    for (const network of running.splice(0)) await network.stop()
  })

  async function start(database: string, options: LocalNetworkOptions = {}): Promise<LocalNetwork> {
    const network = await startLocalNetwork({ ...slow, database, ...options })
    running.push(network)
    return network
  }
  async function startTwo(): Promise<
    readonly [leader: LocalNetwork, follower: LocalNetwork, database: string]
  > {
    const database = await server().createDatabase()
    return [await start(database, { seed: 'cluster' }), await start(database), database]
  }

  test('the first one leads, the second one follows and knows the same chain', async () => {
    const [leader, follower] = await startTwo()
    expect([leader.role(), follower.role()]).toEqual(['leader', 'follower'])
    expect(follower.seed).toBe('cluster')
    const hash = await pay(leader)
    await leader.closeNow()
    expect(leader.height()).toBe(1)
    await until(() => follower.height() === 1)
    expect(await statusOf(follower, hash)).toBe(CONFIRMED)
    for (const { address } of leader.accounts.developers)
      expect(follower.balance(address)).toBe(leader.balance(address))
  })

  test('two that begin at once begin one chain', async () => {
    const database = await server().createDatabase()
    const both = await Promise.all([start(database), start(database)])
    expect(both.map((network) => network.role()).sort()).toEqual(['follower', 'leader'])
    const origins = await Promise.all(both.map((network) => get(network, '/height')))
    expect(origins[0]).toEqual(origins[1])
  })

  test('what is posted at one waits at all, and is confirmed by the one that leads', async () => {
    const [leader, follower] = await startTwo()
    const hash = await pay(follower)
    await until(async () => (await pendingCount(leader)) === 1)
    expect(await pendingCount(follower)).toBe(1)
    const calculated = new Promise<void>((resolve) => {
      follower.on('macroblockClosed', () => resolve())
    })
    await leader.closeNow()
    await calculated
    expect(await statusOf(follower, hash)).toBe(CONFIRMED)
    await until(async () => (await pendingCount(follower)) === 0 && (await pendingCount(leader)) === 0)
  })

  test('a miner of one that follows is offered what the one that leads has, which takes what it publishes', async () => {
    const [leader, follower] = await startTwo()
    const [account] = follower.accounts.developers
    if (account === undefined) throw new Error('there are five developers')
    const miner = await rawMiner(follower.gatewayUrl, { privateKey: account.privateKey })
    miner.mine()
    miner.hail()
    await until(() => leader.gateway.minersOnline().length === 1)
    await until(() => follower.gateway.minersOnline().length === 1)
    expect(follower.gateway.minersOnline()[0]?.address).toBe(account.address)
    const published = new Promise<string>((resolve) => {
      leader.on('microblockAccepted', ({ publisher }) => resolve(publisher))
    })
    await pay(follower)
    expect(await published).toBe(account.address)
    miner.close()
    await until(() => follower.gateway.minersOnline().length === 0)
  })

  test('a follower makes no macroblocks and moves no chain', async () => {
    const [leader, follower] = await startTwo()
    const refused = { code: 'CONTROL_REFUSED' }
    await pay(follower)
    await expect(follower.closeNow()).rejects.toMatchObject(refused)
    await expect(follower.control.mine()).rejects.toMatchObject(refused)
    await expect(follower.control.reorganise(1)).rejects.toMatchObject(refused)
    follower.control.resume()
    expect(leader.height()).toBe(0)
  })

  test('when the leader stops, another one leads at once, with everything that waits', async () => {
    const [leader, follower, database] = await startTwo()
    await pay(leader)
    await leader.closeNow()
    const hash = await pay(leader)
    const began = performance.now()
    await leader.stop()
    await until(() => follower.role() === 'leader')
    expect(performance.now() - began).toBeLessThan(withinMs(5000))
    expect(await pendingCount(follower)).toBe(1)
    await follower.closeNow()
    expect(await statusOf(follower, hash)).toBe(CONFIRMED)
    await follower.stop()
    await using store = await openChainStore({ database })
    expect(await expectReplay(store, 'cluster')).toBe(2)
  })

  test('a leader that is not heard of is followed by another one, and stores nothing any more', async () => {
    const database = await server().createDatabase()
    const leader = await start(database)
    await pay(leader)
    await using store = await openChainStore({ database })
    const claim = async () => {
      const seen = (await store.shared?.state()) ?? null
      return async () => store.shared?.claim({ holder: 'another machine', line: null, seen })
    }
    const late = await claim()
    const { beat } = (await store.shared?.state()) ?? {}
    await until(async () => (await store.shared?.state())?.beat !== beat)
    expect(await late()).toBeNull()
    // As if it had been cut off from the network for longer than its lease.
    const roles: string[] = []
    leader.on('roleChanged', (role) => roles.push(role))
    await leader.control.pause()
    let term: number | null | undefined = null
    await until(async () => {
      term = await (await claim())()
      return term !== null
    })
    expect(term).toBe(2)
    await expect(leader.closeNow()).rejects.toMatchObject({
      code: expect.stringMatching(/LEADERSHIP_LOST|CONTROL_REFUSED/),
    })
    expect(await store.tail()).toMatchObject({ height: 0 })
    // Nobody renews that lease, so the first one leads again when it is over.
    await until(() => roles.includes('follower') && leader.role() === 'leader')
    await leader.closeNow()
    expect(leader.height()).toBe(1)
  })

  test('a leader that could not renew its lease in time closes a macroblock once it has', async () => {
    const network = await start(await server().createDatabase(), { seed: 'late lease' })
    await pay(network)
    const height = network.height()
    // Nothing of this process runs meanwhile, as on a machine that has no time for it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500)
    await network.closeNow()
    expect(network.height()).toBe(height + 1)
  })

  test('a chain that goes back goes back everywhere', async () => {
    const [leader, follower] = await startTwo()
    for (let block = 0; block < 3; block++) {
      await pay(leader)
      await leader.closeNow()
    }
    await until(() => follower.height() === 3)
    await leader.control.reorganise(2, { keepTransactions: false })
    await until(() => follower.height() === 1)
    for (const { address } of leader.accounts.developers)
      expect(follower.balance(address)).toBe(leader.balance(address))
    await pay(follower)
    await until(async () => (await pendingCount(leader)) === 1)
    await leader.closeNow()
    await until(() => follower.height() === 2)
    expect(stringifyJson(await get(follower, '/height'))).toBe(stringifyJson(await get(leader, '/height')))
  })

  test('the faucet and orders work at every process', async () => {
    const [leader, follower] = await startTwo()
    const [, , third] = follower.accounts.developers
    if (third === undefined) throw new Error('there are five developers')
    const created = follower.tokens.create({ symbol: 'RIME', supply: 1000n, decimals: 2 })
    await until(async () => (await pendingCount(leader)) === 1)
    await leader.closeNow()
    const token = await created
    await until(() => follower.balance(token.owner, token.id) === 1000n)
    expect(leader.balance(token.owner, token.id)).toBe(1000n)
  })

  test('D3: the database goes away and comes back: nothing is lost, and /health says so meanwhile', async () => {
    const [leader, follower, database] = await startTwo()
    const before = await pay(leader)
    await leader.closeNow()
    await server().crash()
    const health = async (network: LocalNetwork) => {
      const response = await fetch(`${new URL(network.apiUrl).origin}/health`)
      return { status: response.status, body: (await response.json()) as { store: boolean } }
    }
    for (const network of [leader, follower])
      expect(await health(network)).toMatchObject({ status: 503, body: { status: 'stuck', store: false } })
    const read = await fetch(`${leader.apiUrl}/tx?hash=${before}`)
    expect(read.status).toBe(503)
    expect(await read.json()).toMatchObject({ err: 1, message: expect.stringContaining('store') })
    await expect(leader.control.mine()).rejects.toThrow()
    await server().start()
    await until(
      async () => (await health(leader)).status === 200 && (await health(follower)).status === 200,
    ).catch(async (error: unknown) => {
      throw new Error(JSON.stringify([await health(leader), await health(follower)]), { cause: error })
    })
    const after = await pay(follower)
    await until(async () => {
      // Whoever leads closes; the lead may change hands between the question and the call.
      const leading = [leader, follower].find((network) => network.role() === 'leader')
      await leading?.closeNow().catch(() => undefined)
      return (await statusOf(follower, after)) === CONFIRMED
    })
    expect(await statusOf(leader, before)).toBe(CONFIRMED)
    for (const network of running.splice(0)) await network.stop()
    await using store = await openChainStore({ database })
    await expectReplay(store, 'cluster')
  })

  test('is begun anew when nobody works with it, and not before', async () => {
    const [leader, follower, database] = await startTwo()
    await pay(leader)
    await leader.closeNow()
    const reset = { database, reset: true, seed: 'another' }
    await expect(startLocalNetwork({ ...slow, ...reset })).rejects.toMatchObject({ code: 'CONTROL_REFUSED' })
    await follower.stop()
    await leader.stop()
    const next = await start(database, reset)
    expect([next.height(), next.seed, next.role()]).toEqual([0, 'another', 'leader'])
    expect(await pendingCount(next)).toBe(0)
  })

  test('a database that is not there is said in one sentence, without its password', async () => {
    const away = startLocalNetwork({ ...slow, database: 'postgres://user:secret@127.0.0.1:1/none' })
    const error: unknown = await away.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'STORE_UNREACHABLE' })
    expect(String(error)).not.toContain('secret')
  })

  test('stops within two seconds, also while the database is away', async () => {
    const [leader, follower] = await startTwo()
    await server().crash()
    try {
      for (const network of [follower, leader]) {
        const began = performance.now()
        await network.stop()
        expect(performance.now() - began).toBeLessThan(withinMs(2000))
      }
    } finally {
      await server().start()
    }
  })
})
