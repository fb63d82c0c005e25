import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Address, addressOf, parsePrivateKey, sha256Hex } from '@hailstone/protocol'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
import { buildPackages } from '../../client/test/support/build-packages.ts'
import { openChainStore } from '../src/store/index.ts'
import type { ChainPlace } from '../src/store/open-chain-store.ts'
import { runCommand } from './command-run.ts'
import { describeEngines, describePostgres } from './engines.ts'
import { payment } from './payments.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'
import { rawMiner } from './raw-miner.ts'
import { expectReplay } from './replay.ts'
import { until } from './until.ts'

const COIN = 10n ** 10n
/** Fewer than a macroblock touches. */
const MAX_BALANCES = 10
const STAKE = 30n * COIN
const SEED = 'few balances'

const keyOf = (name: string) => parsePrivateKey(sha256Hex(name))
const strangerOf = (name: string): Address => addressOf(keyOf(name))

async function pay(network: QuickNetwork, to: Address, amount = COIN, from = 0): Promise<void> {
  const account = network.genesis.accounts.developers[from]
  if (account === undefined) throw new Error('there are five developers')
  const { transaction, hash } = payment(network.genesis, { from: account, to, amount })
  expect(await network.pool.add(transaction, hash)).toBe('added')
}

/** Closes macroblocks that a connected miner mines, until nothing waits. */
async function closeAllMined({ mempool, producer }: QuickNetwork): Promise<void> {
  while (mempool.size > 0) {
    await until(() => (producer.openMacroblock()?.microblockCount ?? 0) > 0)
    await producer.closeNow()
  }
}

/** Starts a network at a place of a chain that makes no payments of its own. */
const startAt = (
  { folder: dataDirectory, database }: ChainPlace,
  changes: Parameters<typeof quickNetwork>[0] = {},
): Promise<QuickNetwork> =>
  quickNetwork({
    ...{ dataDirectory, database, seed: SEED, maxBalances: MAX_BALANCES, keepAlive: false },
    ...changes,
  })

/** Pays a number of strangers and closes macroblocks until nothing waits. */
async function payMany(network: QuickNetwork, names: readonly string[], amount = COIN): Promise<void> {
  for (const [at, name] of names.entries()) await pay(network, strangerOf(name), amount, at % 3)
  while (network.mempool.size > 0) await network.producer.closeNow()
}

const names = (word: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${word} ${at}`)

describeEngines('a network that holds few balances in memory', (engine) => {
  test('D-7: comes to the same balances as one that holds all, also after a restart', async () => {
    const place = await engine.newPlace()
    {
      await using network = await startAt(place)
      expect(() => network.ledger.balances()).toThrow('not all balances are in memory')
      for (let round = 0; round < 4; round++) await payMany(network, names('stranger', 12))
    }
    {
      await using network = await startAt(place)
      await payMany(network, names('another', 12))
      await payMany(network, names('stranger', 12))
      expect(await network.store.balance(strangerOf('stranger 3'), network.genesis.tokens.native.id)).toBe(
        5n * (COIN - network.genesis.tokens.native.feeValue),
      )
    }
    await using store = await openChainStore(place)
    expect(await expectReplay(store, SEED)).toBeGreaterThan(5)
  })

  test('D-7: offers a miner whose balance it has to read, and refuses one that has too little', async () => {
    await using network = await startAt(await engine.newPlace(), { fallbackMiner: false })
    const { faucet } = network.genesis.accounts
    for (const [name, amount] of [
      ['rich', STAKE],
      ['poor', COIN],
    ] as const) {
      const { transaction, hash } = payment(network.genesis, { from: faucet, to: strangerOf(name), amount })
      await network.pool.add(transaction, hash)
    }
    const [developer] = network.genesis.accounts.developers
    if (developer === undefined) throw new Error('there are five developers')
    const helper = await rawMiner(network.url, { privateKey: parsePrivateKey(developer.privateKey) })
    helper.mine()
    helper.hail()
    await closeAllMined(network)
    for (let block = 0; block < 3; block++) {
      for (const name of names(`filler ${block}`, 8)) await pay(network, strangerOf(name))
      await closeAllMined(network)
    }
    const tokenId = network.genesis.tokens.native.id
    for (const name of ['rich', 'poor'])
      expect(network.ledger.holdsBalance({ account: strangerOf(name), tokenId })).toBe(false)
    helper.close()
    await helper.closed
    // No text of a database holds the first of these, and nobody has a balance in either.
    const junk = await Promise.all(
      ['\0', 'no token'].map(async (token) => {
        const miner = await rawMiner(network.url, { privateKey: keyOf(`junk ${token}`), token })
        miner.hail()
        return miner
      }),
    )
    const rich = await rawMiner(network.url, { privateKey: keyOf('rich') })
    rich.mine()
    rich.hail()
    await pay(network, strangerOf('last'))
    await until(() =>
      (network.producer.openMacroblock()?.microblocks ?? []).some(
        ({ publisher }) => publisher === rich.address,
      ),
    )
    await network.producer.closeNow()
    for (const miner of [rich, ...junk]) {
      miner.close()
      await miner.closed
    }
    // Without anybody who has a stake, those without one are offered microblocks, and refused (PROTOCOL 5.8).
    const poor = await rawMiner(network.url, { privateKey: keyOf('poor') })
    const judged = new Promise((resolve) => network.on('publicationJudged', ({ reason }) => resolve(reason)))
    poor.mine()
    poor.hail()
    await pay(network, strangerOf('last'))
    expect(await judged).toBe('stakeTooLow')
    await poor.closed
  })

  test('D-7: refuses no payment for balances of receivers that have not been read', async () => {
    await using network = await startAt(await engine.newPlace())
    const [from] = network.genesis.accounts.developers
    if (from === undefined) throw new Error('there are five developers')
    // More than somebody may have waiting whose balance covers nothing.
    for (const name of names('employee', 100)) {
      const { transaction, hash } = payment(network.genesis, { from, to: strangerOf(name), amount: COIN })
      expect(network.pool.refusal?.(transaction, hash) ?? null).toBeNull()
      expect(await network.pool.add(transaction, hash)).toBe('added')
    }
  })

  test('D-7: counts what a sender without money posts behind what is covered', async () => {
    await using network = await startAt(await engine.newPlace())
    const penniless = { address: strangerOf('penniless'), privateKey: keyOf('penniless') }
    const developers = network.genesis.accounts.developers
    const unpaid = payment(network.genesis, {
      from: { ...developers[0], ...penniless } as never,
      to: strangerOf('nobody'),
      amount: COIN,
    })
    await network.pool.add(unpaid.transaction, unpaid.hash)
    await pay(network, strangerOf('somebody'))
    const [first] = network.mempool.take({ limit: 1, nowMs: Date.now(), pendingTimeoutMs: 0 })
    expect(first?.hash).not.toBe(unpaid.hash)
    while (network.mempool.size > 0) await network.producer.closeNow()
    expect((await network.store.transaction(unpaid.hash))?.status).toBe('rejected')
  })
})

describePostgres('processes that hold few balances in memory', (server) => {
  test('D-7: one that follows hears of each macroblock, leads next, and comes to the same balances', async () => {
    const database = await server().createDatabase()
    const options = { database, seed: 'few at two', maxBalances: MAX_BALANCES, keepAlive: false }
    {
      await using follower = await (async () => {
        await using leader = await quickNetwork(options)
        const second = await quickNetwork(options)
        const heard: number[] = []
        second.on('macroblockClosed', ({ macroblock }) => void heard.push(macroblock.keyBlock.height))
        for (let round = 0; round < 4; round++) {
          await payMany(leader, names('stranger', 12))
          await until(() => second.producer.openKeyBlock().height === leader.producer.openKeyBlock().height)
        }
        expect(heard).toEqual(Array.from({ length: leader.producer.openKeyBlock().height }, (_, at) => at))
        return second
      })()
      await until(() => follower.cluster.role() === 'leader')
      await payMany(follower, names('stranger', 12))
    }
    await using store = await openChainStore({ database })
    expect(await expectReplay(store, 'few at two')).toBeGreaterThan(4)
  })

  test('D-7: one that is so far behind that a balance is not known any more goes on from the newest', async () => {
    const database = await server().createDatabase()
    const options = { database, seed: 'far behind', maxBalances: MAX_BALANCES, keepAlive: false }
    await using leader = await quickNetwork(options)
    await using follower = await quickNetwork(options)
    await using store = await openChainStore({ database, maxBalances: MAX_BALANCES })
    await payMany(leader, names('stranger', 12))
    await until(() => follower.producer.openKeyBlock().height === leader.producer.openKeyBlock().height)
    const stranger = { account: strangerOf('stranger 1'), tokenId: leader.genesis.tokens.native.id }
    const { height } = leader.producer.openKeyBlock()
    const net = COIN - leader.genesis.tokens.native.feeValue
    for (let round = 1; round <= 2; round++) {
      await payMany(leader, ['stranger 1'])
      if (round === 1) {
        const known = await store.balancesAt(height, [stranger, { ...stranger, account: strangerOf('none') }])
        expect(known.map(({ amount }) => amount)).toEqual([net, undefined])
      }
    }
    await expect(store.balancesAt(height, [stranger])).rejects.toMatchObject({ code: 'CHAIN_INCONSISTENT' })
    // All that the leader has stored comes to the follower at once, as after a pause.
    await until(() => follower.producer.openKeyBlock().hash === leader.producer.openKeyBlock().hash)
    await payMany(leader, names('stranger', 12))
    await until(() => follower.producer.openKeyBlock().hash === leader.producer.openKeyBlock().hash)
    expect(await follower.store.balance(stranger.account, stranger.tokenId)).toBe(4n * net)
  })
})

describePostgres('a process that holds few balances in memory, whose database is away', (server) => {
  test('D-7: offers a miner that came while a macroblock could not be stored', async () => {
    const database = await server().createDatabase()
    const changes = { fallbackMiner: false, keepAlive: false, maxBalances: MAX_BALANCES }
    await using network = await quickNetwork({ database, seed: 'database away', ...changes })
    const { developers, faucet } = network.genesis.accounts
    const [developer] = developers
    if (developer === undefined) throw new Error('there are five developers')
    const helper = await rawMiner(network.url, { privateKey: parsePrivateKey(developer.privateKey) })
    helper.mine()
    helper.hail()
    // As much as the helper has, so that each of them is chosen about as often.
    const account = strangerOf('rich')
    const amount = 100_000n * COIN
    const { transaction, hash } = payment(network.genesis, { from: faucet, to: account, amount })
    await network.pool.add(transaction, hash)
    await closeAllMined(network)
    for (let block = 0; block < 3; block++) {
      for (const name of names(`filler ${block}`, 8)) await pay(network, strangerOf(name))
      await closeAllMined(network)
    }
    const tokenId = network.genesis.tokens.native.id
    expect(network.ledger.holdsBalance({ account, tokenId })).toBe(false)
    await pay(network, strangerOf('last'))
    await until(() => (network.producer.openMacroblock()?.microblockCount ?? 0) > 0)
    const { height } = network.producer.openKeyBlock()
    await server().crash()
    await network.producer.closeNow().catch(() => {})
    const rich = await rawMiner(network.url, { privateKey: keyOf('rich') })
    rich.mine()
    rich.hail()
    const leaving = await Promise.all(
      names('leaving', 8).map(async (name) => {
        const miner = await rawMiner(network.url, { privateKey: keyOf(name) })
        miner.hail()
        return miner
      }),
    )
    // Longer than anybody waits for a balance. Some leave before that, and some while it is about to be asked for again.
    await new Promise((resolve) => setTimeout(resolve, 4600))
    for (const miner of leaving) {
      miner.close()
      await miner.closed
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    await server().start()
    await until(() => network.producer.openKeyBlock().height > height)
    let published = 0
    network.on('publicationJudged', ({ address }) => {
      if (address === account) published++
    })
    await until(async () => {
      await pay(network, strangerOf('last'))
      await closeAllMined(network)
      return published > 0
    })
    for (const miner of [helper, rich]) {
      miner.close()
      await miner.closed
    }
  })
})

const ACCOUNTS = Number(process.env.HAILSTONE_ACCOUNTS ?? 500_000)

describePostgres('a process over a chain with many accounts', (server) => {
  beforeAll(() =>
    buildPackages('runtime', 'protocol', 'database', 'ledger', 'fault-injection', 'local-network'),
  )

  test.runIf(existsSync('/proc/self/status'))(
    `D-7: has 300 MB at most with ${ACCOUNTS} of them, and starts without reading them`,
    async () => {
      const database = await server().createDatabase()
      const network = await quickNetwork({ database })
      const { id } = network.genesis.tokens.native
      await network[Symbol.asyncDispose]()
      const client = new pg.Client({ connectionString: database })
      await client.connect()
      await client.query(
        `insert into balance (account, token_id, amount)
           select '02' || md5(number::text) || md5('more ' || number), $1, 10000000000 from generate_series(1, $2) as number`,
        [id, ACCOUNTS],
      )
      await client.query('analyze')
      await client.end()
      const child = fileURLToPath(new URL('./many-accounts-child.mjs', import.meta.url))
      const { stdout } = await promisify(execFile)(process.execPath, [
        child,
        JSON.stringify({ database, id }),
      ])
      const { startMs, closeMs, answerMs, residentMb } = JSON.parse(stdout)
      console.info(
        `${ACCOUNTS} accounts: start ${startMs} ms, a payment ${closeMs} ms, a balance ${answerMs} ms, ${residentMb} MB`,
      )
      expect(residentMb).toBeLessThan(300)
      expect(startMs).toBeLessThan(withinMs(2000))

      // The command lists what the funded accounts have before it serves.
      const run = runCommand('--database', database)
      expect(await run.accounts).toContain('developer 1: 100000 DEV')
      run.child.kill('SIGINT')
      expect(await run.ended).toBe(0)
      expect(run.errors()).toBe('')
    },
  )
})
