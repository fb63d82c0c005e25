import { createHash } from 'node:crypto'
import { type Hash, parsePrivateKey } from '@hailstone/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { seed } from '../../../scripts/seed.ts'
import { withinMs } from '../../../scripts/strict-times.ts'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { openChainStore } from '../src/store/index.ts'
import { payment, postTransaction } from './payments.ts'
import { type RawMiner, rawMiner } from './raw-miner.ts'
import { expectReplay } from './replay.ts'
import { type DatabaseNode, startThreeNodes, type ThreeNodes, threeNodesMissing } from './three-nodes.ts'
import { until } from './until.ts'

const COIN = 10n ** 10n
const SEED = 'three-nodes'
/** Failovers of the long form, which also runs the troubles that take longest: HAILSTONE_FAILOVERS=200 npx vitest run test/three-nodes.night.test.ts */
const failovers = Number(process.env.HAILSTONE_FAILOVERS ?? 0)
const inLongForm = test.runIf(failovers > 0)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Trouble of a primary, and its end. */
type Trouble = {
  readonly begin: (node: DatabaseNode) => Promise<unknown>
  readonly end: (node: DatabaseNode) => Promise<unknown>
  /** Time that the trouble lasts at least, in ms. */
  readonly lastsMs: number
}
const troubles = {
  kill: { begin: (node) => node.kill(), end: async (node) => node.start(), lastsMs: 0 },
  cut: { begin: (node) => node.cut(), end: (node) => node.join(), lastsMs: 0 },
  freeze: { begin: (node) => node.freeze(), end: (node) => node.thaw(), lastsMs: 40_000 },
} satisfies Readonly<Record<string, Trouble>>

/** Collects what two processes tell of the chain. */
function watchChain(networks: readonly LocalNetwork[]) {
  const keyBlocks = new Map<Hash, number>()
  const rewards = new Map<Hash, bigint>()
  const reorganisations: unknown[] = []
  const heardAtMs: number[] = []
  for (const network of networks) {
    network.on('reorganised', (event) => reorganisations.push(event))
    network.on('macroblockClosed', ({ nextKeyBlock, closed }) => {
      heardAtMs.push(performance.now())
      keyBlocks.set(nextKeyBlock.hash, nextKeyBlock.height)
      for (const { hash, reward } of closed.report.microblockRewards) rewards.set(hash, reward)
    })
  }
  return {
    keyBlocks,
    rewards,
    reorganisations,
    height: () => Math.max(0, ...keyBlocks.values()),
    /** Returns the longest silence after a moment, in ms: its length, and the time from the moment to its end. */
    silenceAfter(beganMs: number) {
      const times = [beganMs, ...heardAtMs.filter((one) => one > beganMs)]
      const gaps = times.slice(1).map((at, before) => at - (times[before] ?? at))
      const lengthMs = Math.max(...gaps)
      return { lengthMs, endMs: (times[gaps.indexOf(lengthMs) + 1] ?? beganMs) - beganMs }
    },
  }
}

/** Pays through each process all the time. What is not answered with success is in doubt, and left at that. */
function payAllTheTime(networks: readonly LocalNetwork[]) {
  const acknowledged: Hash[] = []
  let isOver = false
  const running = networks.map(async (network, number) => {
    const { developers } = network.accounts
    for (let turn = number; !isOver; turn++) {
      const from = developers[turn % developers.length]
      const to = developers[(turn + 1) % developers.length]
      if (from === undefined || to === undefined) throw new Error('there are five developers')
      const { transaction, hash } = payment(network, { from, to: to.address, amount: COIN })
      const answer = (await (await postTransaction(network.apiUrl, transaction)).json()) as { err?: number }
      if (answer.err === 0) acknowledged.push(hash)
      await pause(200)
    }
  })
  return {
    acknowledged,
    async stop() {
      isOver = true
      await Promise.all(running)
    },
  }
}

/** Writes to one server over its own socket, whoever is the primary. Collects the numbers that it acknowledged. */
async function writeAllTheTime(node: DatabaseNode, database: string) {
  await node.query(database, 'create table written_here (number int primary key)')
  const acknowledged: number[] = []
  let isOver = false
  const running = (async () => {
    for (let number = 0; !isOver; number++) {
      const insert = `insert into written_here values (${number})`
      await node.query(database, insert).then(
        () => acknowledged.push(number),
        () => {},
      )
      await pause(100)
    }
  })()
  return {
    acknowledged,
    async stop() {
      isOver = true
      await running
    },
  }
}

const reason = threeNodesMissing === null ? '' : ` – left out: ${threeNodesMissing}`

describe.skipIf(threeNodesMissing !== null)(`three nodes of PostgreSQL, Patroni and etcd${reason}`, () => {
  let cluster: ThreeNodes
  const open: (() => Promise<unknown> | unknown)[] = []
  beforeAll(async () => {
    cluster = await startThreeNodes({ ttl: 10, loopWait: 2, retryTimeout: 3 })
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') process.stdout.write(cluster.logs())
    for (const end of open.splice(0).reverse()) await end()
  })
  afterAll(() => cluster?.stop())

  /** Two processes over a new database of all three nodes, with three miners, and payments through both. */
  async function startNetworks(requireReplica = true) {
    const database = await cluster.createDatabase()
    const networks: LocalNetwork[] = []
    for (const _ of ['leader', 'follower']) {
      const network = await startLocalNetwork({
        blockTimeMs: 500,
        keepAlive: false,
        seed: SEED,
        database: database.url,
        requireReplica,
      })
      open.push(network.stop)
      networks.push(network)
    }
    const chain = watchChain(networks)
    const miners: RawMiner[] = []
    for (const [number, account] of networks[0]?.accounts.developers.slice(0, 3).entries() ?? []) {
      const privateKey = parsePrivateKey(account.privateKey)
      const miner = await rawMiner(networks[number % 2]?.gatewayUrl ?? '', { privateKey })
      open.push(() => miner.socket.terminate())
      miner.mine()
      miner.hail()
      miners.push(miner)
    }
    const payments = payAllTheTime(networks)
    open.push(payments.stop)
    await until(() => chain.height() >= 3 && chain.rewards.size > 0)
    return { database, networks, chain, miners, payments }
  }
  type Networks = Awaited<ReturnType<typeof startNetworks>>

  /** Waits until macroblocks that were begun after this call are heard. */
  async function goesOn({ chain }: Networks): Promise<void> {
    const height = chain.height()
    await until(() => chain.height() >= height + 4)
  }

  /**
   * Makes trouble for the primary until macroblocks close again, and then until all nodes are whole.
   *
   * @returns the time to the next macroblock in ms
   */
  async function makeTrouble(networks: Networks, name: keyof typeof troubles): Promise<number> {
    const { begin, end, lastsMs }: Trouble = troubles[name]
    const before = await cluster.whole()
    const beganMs = performance.now()
    await begin(before)
    await goesOn(networks)
    const againMs = networks.chain.silenceAfter(beganMs).endMs
    await pause(Math.max(0, beganMs + lastsMs - performance.now()))
    await end(before)
    expect((await cluster.whole()).name).not.toBe(before.name)
    await goesOn(networks)
    expect(againMs).toBeLessThan(withinMs((cluster.ttl + 15) * 1000))
    return againMs
  }

  /** Everything that was acknowledged and heard is on the chain of the primary, every miner was left in peace. */
  async function expectNothingLost({ database, networks, chain, miners, payments }: Networks): Promise<void> {
    await payments.stop()
    const query = async (text: string) => (await cluster.whole()).query(database.name, text)
    const settled = async () =>
      new Set((await query('select hash from block_transaction where status = 3')).map(({ hash }) => hash))
    await until(async () => {
      const confirmed = await settled()
      return payments.acknowledged.every((hash) => confirmed.has(hash))
    })
    for (const miner of miners) {
      expect(miner.isOpen()).toBe(true)
      expect(miner.frames.every(({ method }) => method === 'on_leader_beacon')).toBe(true)
    }
    for (const network of networks) await network.stop()
    const keyBlocks = await query('select hash, height from key_block')
    const stored = new Map(keyBlocks.map(({ hash, height }) => [hash, height]))
    expect([...chain.keyBlocks].filter(([hash, height]) => stored.get(hash) !== height)).toEqual([])
    const microblocks = await query('select hash, reward::text from microblock')
    const rewards = new Map(microblocks.map(({ hash, reward }) => [hash, reward]))
    expect([...chain.rewards].filter(([hash, reward]) => rewards.get(hash) !== String(reward))).toEqual([])
    expect(chain.reorganisations).toEqual([])
    await using store = await openChainStore({ database: database.url })
    expect(await expectReplay(store, SEED)).toBeGreaterThanOrEqual(chain.height())
  }

  function tell(name: string, { chain, payments }: Networks, more: object): void {
    if (process.env.HAILSTONE_TELL !== '1') return
    const counts = { macroblocks: chain.keyBlocks.size, payments: payments.acknowledged.length }
    process.stdout.write(`${JSON.stringify({ name, ...counts, rewards: chain.rewards.size, ...more })}\n`)
  }

  test('D-2: kill -9 of Patroni and PostgreSQL of the primary loses no macroblock, payment or reward that was acknowledged', async () => {
    const networks = await startNetworks()
    const againMs = await makeTrouble(networks, 'kill')
    await expectNothingLost(networks)
    tell('kill', networks, { againMs })
  })

  test('D-2: a primary that is cut off and comes back acknowledges nothing that does not stay, and nothing is lost', async () => {
    const networks = await startNetworks()
    const old = await cluster.whole()
    const { name } = await cluster.createDatabase()
    const writer = await writeAllTheTime(old, name)
    open.push(writer.stop)
    await until(() => writer.acknowledged.length >= 10)
    const againMs = await makeTrouble(networks, 'cut')
    await writer.stop()
    const rows = await (await cluster.whole()).query(name, 'select number from written_here')
    const stayed = new Set(rows.map(({ number }) => number))
    expect(writer.acknowledged.filter((number) => !stayed.has(number))).toEqual([])
    await expectNothingLost(networks)
    tell('cut', networks, { againMs, written: writer.acknowledged.length })
  })

  inLongForm(
    'D-2: any number of kills, cuts and freezes of 40 s of the primary lose nothing that was acknowledged',
    async () => {
      const networks = await startNetworks()
      const names = Object.keys(troubles) as (keyof typeof troubles)[]
      for (let round = 0; round < failovers; round++) {
        const drawn = createHash('sha256').update(`${seed} ${round}`).digest().readUInt32BE()
        const name = names[drawn % names.length] ?? 'kill'
        const againMs = await makeTrouble(networks, name)
        tell(`${round + 1}: ${name}`, networks, { againMs })
      }
      await expectNothingLost(networks)
    },
    failovers * 240_000 + 300_000,
  )

  inLongForm('D-2: an etcd without a majority changes nothing while the nodes reach each other', async () => {
    const networks = await startNetworks()
    const primary = await cluster.whole()
    const others = cluster.nodes.filter((node) => node !== primary)
    const beganMs = performance.now()
    for (const node of others) node.freezeEtcd()
    open.push(() => {
      for (const node of others) node.thawEtcd()
    })
    while (performance.now() < beganMs + 35_000) await goesOn(networks)
    const [row] = await primary.query('postgres', 'select pg_is_in_recovery() as standby')
    expect(row).toEqual({ standby: false })
    const longestMs = networks.chain.silenceAfter(beganMs).lengthMs
    for (const node of others) node.thawEtcd()
    expect((await cluster.whole()).name).toBe(primary.name)
    await expectNothingLost(networks)
    tell('etcd without a majority', networks, { longestMs })
  })

  inLongForm(
    'D-2: without synchronous mode, a standby that lags is promoted, and what was lost is told as a reorganisation',
    async () => {
      await cluster.setSynchronous(false)
      open.push(() => cluster.setSynchronous(true))
      const networks = await startNetworks(false)
      const { chain, database } = networks
      const primary = await cluster.whole()
      const others = cluster.nodes.filter((node) => node !== primary)
      for (const node of others) await node.cut()
      await goesOn(networks)
      await primary.cut()
      await primary.kill()
      const beganMs = performance.now()
      for (const node of others) await node.join()
      await until(() => chain.reorganisations.length >= 2)
      const reorganisedMs = performance.now() - beganMs
      await goesOn(networks)
      await primary.join()
      primary.start()
      await networks.payments.stop()
      for (const network of networks.networks) await network.stop()
      const rows = await (await cluster.whole()).query(database.name, 'select hash from key_block')
      const stored = new Set(rows.map(({ hash }) => hash))
      const lost = [...chain.keyBlocks.keys()].filter((hash) => !stored.has(hash)).length
      expect(lost).toBeGreaterThan(0)
      expect(chain.reorganisations).toHaveLength(2)
      await using store = await openChainStore({ database: database.url })
      expect(await expectReplay(store, SEED)).toBeGreaterThanOrEqual(chain.height())
      tell('asynchronous', networks, { reorganisedMs, lost })
    },
  )
})
