import type { DevelopmentAccount } from '@hailstone/ledger'
import { addressOf, parsePrivateKey, sha256Hex } from '@hailstone/protocol'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '../src/serve.ts'
import { describePostgres } from './engines.ts'
import { payment, postTransaction } from './payments.ts'
import { queryDatabase } from './postgres-server.ts'
import { until } from './until.ts'

const COIN = 10n ** 10n

const stranger = (name: string): DevelopmentAccount => {
  const privateKey = parsePrivateKey(sha256Hex(name))
  return { name, privateKey, address: addressOf(privateKey) } as DevelopmentAccount
}

async function post(network: LocalNetwork, from: DevelopmentAccount): Promise<{ err: number }> {
  const [, receiver] = network.accounts.developers
  if (receiver === undefined) throw new Error('there are five developers')
  const { transaction } = payment(network, { from, to: receiver.address, amount: COIN })
  const response = await postTransaction(network.apiUrl, transaction)
  return (await response.json()) as { err: number }
}

const pendingCount = async (network: LocalNetwork): Promise<number> => {
  const [{ count }] = (await (await fetch(`${network.apiUrl}/pending_size`)).json()) as [{ count: number }]
  return count
}

describePostgres('the pool of several processes', (server) => {
  const running: LocalNetwork[] = []
  afterEach(async () => {
    for (const network of running.splice(0)) await network.stop()
  })

  async function startTwo(pool: LocalNetworkOptions['pool']) {
    const database = await server().createDatabase()
    const start = async () => {
      const options = { blockTimeMs: 3_600_000, keepAlive: false, seed: 'shared pool', database, pool }
      const network = await startLocalNetwork(options)
      running.push(network)
      return network
    }
    const query = (text: string) => queryDatabase(database, text)
    return { leader: await start(), follower: await start(), query, database }
  }

  test('A-10: a quota holds over all processes together, exactly', async () => {
    const { leader, follower, query } = await startTwo({ maxUncoveredPerSender: 10 })
    const poor = stranger('poor')
    const posts = Array.from({ length: 60 }, (_, at) => post(at % 2 === 0 ? leader : follower, poor))
    const answers = await Promise.all(posts)
    const taken = answers.filter(({ err }) => err === 0).length
    // A database that says nothing for some seconds may take a post nevertheless.
    const unknown = answers.filter((answer) => JSON.stringify(answer).includes('does not answer')).length
    expect(taken).toBeLessThanOrEqual(10)
    expect(taken + unknown).toBeGreaterThanOrEqual(10)
    await until(async () => Number((await query('select waiting from pool_sender'))[0]?.waiting) === 10)
    expect(await query('select sender from pool_sender')).toEqual([{ sender: poor.address }])
    await until(async () => (await pendingCount(leader)) === 10 && (await pendingCount(follower)) === 10)
    await leader.closeNow()
    expect(await query('select sender from pool_sender')).toEqual([])
    await until(async () => (await pendingCount(follower)) === 0)
    expect((await post(follower, poor)).err).toBe(0)
  })

  test('the pool never stays above its cap, whoever fills it', async () => {
    const { leader, follower, query } = await startTwo({ maxTransactions: 20 })
    await Promise.all(
      Array.from({ length: 60 }, (_, at) => post(at % 2 === 0 ? leader : follower, stranger(`sybil ${at}`))),
    )
    const stored = async () => Number((await query('select count(*) from pool_transaction'))[0]?.count)
    await until(async () => (await stored()) <= 20)
    await until(async () => (await pendingCount(leader)) <= 20 && (await pendingCount(follower)) <= 20)
    const [counted] = await query('select sum(waiting) as sum from pool_sender')
    expect(Number(counted?.sum)).toBe(await stored())
  })

  test('a transaction expires for all, also when the process that took it is gone', async () => {
    const { leader, follower, query } = await startTwo({ expiryMs: 1500 })
    await post(follower, stranger('waiting'))
    await until(async () => (await pendingCount(leader)) === 1)
    await follower.stop()
    await until(async () => (await pendingCount(leader)) === 0)
    await until(async () => (await query('select hash from pool_transaction')).length === 0)
  })

  test('posts that the database does not answer hold up nobody else, and are there once it does', async () => {
    const { leader, database } = await startTwo({})
    const holder = new pg.Client({ connectionString: database })
    await holder.connect()
    await holder.query('begin; lock table pool_transaction in exclusive mode')
    const posts = Array.from({ length: 40 }, (_, at) => post(leader, stranger(`held ${at}`)))
    const [first] = await Promise.all(posts)
    expect(first).toMatchObject({ err: 1, message: 'The store does not answer at the moment.' })
    const { origin } = new URL(leader.apiUrl)
    for (const url of [`${origin}/health`, `${leader.apiUrl}/height`]) await (await fetch(url)).arrayBuffer()
    await holder.query('rollback')
    await holder.end()
    await until(async () => (await post(leader, stranger('after'))).err === 0)
    const waiting = await pendingCount(leader)
    expect(waiting).toBeGreaterThan(1)
    expect(waiting).toBeLessThanOrEqual(41)
  })

  test('a pool of an older version is brought up to date', async () => {
    const { leader, follower, query } = await startTwo({})
    const [rich] = leader.accounts.developers
    if (rich !== undefined) for (let count = 0; count < 3; count++) await post(leader, rich)
    await leader.stop()
    await follower.stop()
    await query(`alter table pool_transaction drop column sender, drop column posted_at; drop table pool_sender;
      delete from migration where version = 6`)
    const { migrations } = await import('../src/store/migrations.ts')
    await query(migrations.find(({ version }) => version === 6)?.statements ?? '')
    expect(await query('select sender, waiting from pool_sender')).toEqual([
      { sender: rich?.address, waiting: 3 },
    ])
  })
})
