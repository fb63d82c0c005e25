import { afterEach, expect, test } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { describePostgres } from './engines.ts'
import { payment, postTransaction } from './payments.ts'
import { type PostgresServer, queryDatabase, startPostgres, startPostgresPair } from './postgres-server.ts'
import { until } from './until.ts'

const COIN = 10n ** 10n

describePostgres('an address with several hosts', () => {
  const open: { readonly stop: () => Promise<void> }[] = []
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.stop()
  })

  /** A primary whose standby has every commit before it is acknowledged, and a network that is told of the standby first. */
  async function startPair() {
    const pair = await startPostgresPair()
    open.push(pair)
    const { primary, standby, database: url } = pair
    await queryDatabase(url, `alter system set synchronous_standby_names = '*'`)
    await queryDatabase(url, 'select pg_reload_conf()')
    const { pathname } = new URL(url)
    const hostOf = ({ port }: PostgresServer) => `127.0.0.1:${port}`
    const database = `postgres://hailstone@${hostOf(standby)},${hostOf(primary)}${pathname}`
    const network = await startLocalNetwork({
      blockTimeMs: 300,
      keepAlive: true,
      seed: 'hosts',
      database,
    })
    open.push(network)
    const urlOf = (server: PostgresServer) => `postgres://hailstone@${hostOf(server)}${pathname}`
    await until(() => network.height() >= 2)
    return { primary, standby, network, urlOf, url }
  }

  /** A server with a database, and another one that has none of its name, as a standby that is behind. */
  async function startPairOfStrangers() {
    const [primary, behind] = await Promise.all([startPostgres(), startPostgres()])
    open.push(primary, behind)
    const { pathname } = new URL(await primary.createDatabase())
    return { primary, behind, pathname }
  }

  async function pay(network: LocalNetwork) {
    const [from, to] = network.accounts.developers
    if (from === undefined || to === undefined) throw new Error('there are five developers')
    const { transaction } = payment(network, { from, to: to.address, amount: COIN })
    // The same bytes until they are taken, as clients do while nobody says what became of them.
    await until(async () => {
      const response = await postTransaction(network.apiUrl, transaction)
      return ((await response.json()) as { err: number }).err === 0
    })
  }

  /** Pays, and waits until a macroblock that was closed afterwards stands on the server that is meant. */
  async function goesOn(network: LocalNetwork, stored: string): Promise<void> {
    const [, to] = network.accounts.developers
    if (to === undefined) throw new Error('there are five developers')
    const before = network.balance(to.address)
    await pay(network)
    await until(() => network.balance(to.address) > before)
    const height = network.height() + 1
    await until(() => network.height() > height)
    await until(
      async () =>
        (await queryDatabase(stored, `select 1 from key_block where height = ${height}`)).length === 1,
    )
  }

  test('A-17, D-2: the host that takes writes is found behind a standby, and one that was promoted after a crash', async () => {
    const { primary, standby, network, urlOf, url } = await startPair()
    await goesOn(network, url)
    const acknowledged = await network.closeNow()
    if (acknowledged === null) throw new Error('nothing was closed')
    await primary.crash()
    await standby.promote()
    await queryDatabase(urlOf(standby), 'alter system reset synchronous_standby_names')
    await queryDatabase(urlOf(standby), 'select pg_reload_conf()')
    await goesOn(network, urlOf(standby))
    // Synchronous replication loses nothing that was acknowledged.
    const { hash, height } = acknowledged.nextKeyBlock
    expect(
      await queryDatabase(urlOf(standby), `select hash from key_block where height = ${height}`),
    ).toEqual([{ hash }])
  })

  test('A-17: a server that becomes read-only is left for the one that was promoted', async () => {
    const { standby, network, urlOf, url } = await startPair()
    await queryDatabase(url, `alter system set synchronous_standby_names = ''`)
    await queryDatabase(url, 'select pg_reload_conf()')
    await standby.promote()
    await queryDatabase(url, 'alter system set default_transaction_read_only = on')
    await queryDatabase(url, 'select pg_reload_conf()')
    await goesOn(network, urlOf(standby))
  })

  test('A-17, D-2: a server that is frozen is left for the one that was promoted', async () => {
    const { primary, standby, network, urlOf } = await startPair()
    await primary.freeze()
    await standby.promote()
    await queryDatabase(urlOf(standby), 'alter system reset synchronous_standby_names')
    await queryDatabase(urlOf(standby), 'select pg_reload_conf()')
    await goesOn(network, urlOf(standby))
  })

  test('A-17: a host that does not have the database yet is left for one that does', async () => {
    const { primary, behind, pathname } = await startPairOfStrangers()
    const database = `postgres://hailstone@127.0.0.1:${behind.port},127.0.0.1:${primary.port}${pathname}`
    const network = await startLocalNetwork({ blockTimeMs: 300, keepAlive: true, seed: 'hosts', database })
    open.push(network)
    await until(() => network.height() >= 2)
  })

  test('says that a database has to be created where no host has it', async () => {
    const { primary, behind } = await startPairOfStrangers()
    const database = `postgres://hailstone@127.0.0.1:${behind.port},127.0.0.1:${primary.port}/missing`
    await expect(startLocalNetwork({ seed: 'hosts', database })).rejects.toThrow(
      /database 'missing' does not exist; it has to be created first/,
    )
  })
})
