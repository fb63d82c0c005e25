import { afterEach, expect, test } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
import type { Logger } from '../src/logger.ts'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { describePostgres } from './engines.ts'
import { payment, postTransaction } from './payments.ts'
import { type PostgresServer, queryDatabase, startPostgresPair } from './postgres-server.ts'
import { until } from './until.ts'

const COIN = 10n ** 10n

describePostgres('a network that requires a replica', (server) => {
  const open: { readonly stop: () => Promise<void> }[] = []
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.stop()
  })

  const start = async (database: string, logger?: Logger): Promise<LocalNetwork> => {
    const options = { blockTimeMs: 300, seed: 'replica', database, logger, requireReplica: true }
    const network = await startLocalNetwork(options)
    open.push(network)
    return network
  }

  async function setStandbys(url: string, names: string): Promise<void> {
    await queryDatabase(url, `alter system set synchronous_standby_names = '${names}'`)
    await queryDatabase(url, 'select pg_reload_conf()')
    // Every process of the server reads the file in its own time.
    await until(
      async () =>
        (await queryDatabase(url, 'show synchronous_standby_names'))[0]?.synchronous_standby_names === names,
    )
  }

  async function startPair() {
    const pair = await startPostgresPair()
    open.push(pair)
    const { primary, standby, database: url } = pair
    await setStandbys(url, '*')
    return { primary, standby, url }
  }

  const health = async (network: LocalNetwork) => {
    const response = await fetch(`${new URL(network.apiUrl).origin}/health`)
    const { reason } = (await response.json()) as { readonly reason: string | null }
    return { status: response.status, reason }
  }

  async function post(network: LocalNetwork): Promise<number> {
    const [from, to] = network.accounts.developers
    if (from === undefined || to === undefined) throw new Error('there are five developers')
    const { transaction } = payment(network, { from, to: to.address, amount: COIN })
    return (await postTransaction(network.apiUrl, transaction)).status
  }

  const storedHeight = async (url: string): Promise<number> =>
    Number((await queryDatabase(url, 'select max(height) as height from key_block'))[0]?.height)

  test('A-17: does not start on a server without one, and says what to do', async () => {
    const database = await server().createDatabase()
    const refused = await start(database).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 'STORE_NOT_REPLICATED',
      facts: { reason: 'synchronous_standby_names is empty' },
      message: expect.stringContaining('Start a standby'),
    })
    // Nothing of the chain was begun.
    expect(await queryDatabase(database, 'select from key_block')).toEqual([])
  })

  test('A-17: does not start where a commit waits for less than the disk of a standby', async () => {
    const { url } = await startPair()
    const name = new URL(url).pathname.slice(1)
    for (const waitsFor of ['off', 'local', 'remote_write']) {
      await queryDatabase(url, `alter database ${name} set synchronous_commit = ${waitsFor}`)
      await expect(start(url)).rejects.toMatchObject({
        code: 'STORE_NOT_REPLICATED',
        facts: { reason: `synchronous_commit is ${waitsFor}` },
      })
    }
    for (const waitsFor of ['on', 'remote_apply']) {
      await queryDatabase(url, `alter database ${name} set synchronous_commit = ${waitsFor}`)
      await (await start(url)).stop()
    }
  })

  test('A-17: closes and takes nothing while commits wait for no standby', async () => {
    const { url } = await startPair()
    const warnings: Parameters<Logger['warn']>[] = []
    const logger: Logger = {
      debug: () => {},
      info: () => {},
      warn: (...line) => void warnings.push(line),
      error: () => {},
    }
    const leader = await start(url, logger)
    const both = [leader, await start(url)] as const
    await until(() => both.every((network) => network.height() >= 2))
    expect(await post(leader)).toBe(200)

    await setStandbys(url, '')
    await until(async () => (await health(both[0])).status === 503 && (await health(both[1])).status === 503)
    for (const network of both) expect((await health(network)).reason).toContain('synchronous_standby_names')
    expect(warnings).toContainEqual([
      'no macroblocks are closed: the database has no synchronous standby',
      expect.objectContaining({ advice: expect.stringContaining('start a standby') }),
    ])
    const before = await storedHeight(url)
    const waiting = await queryDatabase(url, 'select hash from pool_transaction order by number')
    for (let round = 0; round < 5; round++) {
      for (const network of both) {
        expect(await post(network)).toBe(503)
        await expect(network.closeNow()).rejects.toThrow()
      }
    }
    expect(await storedHeight(url)).toBe(before)
    expect(await queryDatabase(url, 'select hash from pool_transaction order by number')).toEqual(waiting)
    expect((await fetch(`${leader.apiUrl}/height`)).status).toBe(200)

    await setStandbys(url, '*')
    await until(() => both.every((network) => network.height() >= before + 2))
    await until(async () => (await health(leader)).status === 200)
    expect(await post(both[1])).toBe(200)
  })

  /** Commits that wait for their standby. */
  const waitingCommits = (url: string) =>
    queryDatabase(
      url,
      `select query from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'hailstone-network'`,
    )

  /** Takes the standby away at the moment at which the commit of a macroblock waits for it, and not that of a lease. */
  async function crashAtMacroblock(standby: PostgresServer, url: string): Promise<void> {
    for (;;) {
      await standby.crash()
      await until(async () => (await waitingCommits(url)).length > 0)
      if ((await waitingCommits(url))[0]?.query === 'commit') return
      await standby.start()
      await until(async () => (await waitingCommits(url)).length === 0)
    }
  }

  /** Ends every wait for a standby, and returns what waited. */
  const endWaits = (url: string, by: 'pg_cancel_backend' | 'pg_terminate_backend') =>
    queryDatabase(
      url,
      `select query, ${by}(pid) from pg_stat_activity
        where wait_event = 'SyncRep' and application_name = 'hailstone-network'`,
    )

  test.each(['pg_cancel_backend', 'pg_terminate_backend'] as const)(
    'A-17: a commit whose wait for its standby somebody ends by %s does not count',
    async (end) => {
      const { standby, url } = await startPair()
      const network = await start(url)
      const announced: number[] = []
      network.on('macroblockClosed', ({ nextKeyBlock }) => announced.push(nextKeyBlock.height))
      await until(() => network.height() >= 2)
      await crashAtMacroblock(standby, url)
      const height = network.height()
      // The attempt to store the macroblock again waits in its turn, behind a lease that is being renewed perhaps.
      for (let ended = 0; ended < 2; ) {
        await until(async () => (await waitingCommits(url)).length > 0)
        ended += (await endWaits(url, end)).filter((one) => one.query === 'commit').length
      }
      await until(async () => (await waitingCommits(url)).length > 0)
      // It is there for whoever reads the database, and nobody was told so.
      expect([await storedHeight(url), network.height()]).toEqual([height + 1, height])
      expect(announced.at(-1)).toBe(height)

      await standby.start()
      await until(() => network.height() >= height + 2)
      expect(announced).toEqual(announced.map((_, at) => (announced[0] ?? 0) + at))
    },
  )

  test('A-17: a process that follows tells no macroblock before a standby has it', async () => {
    const { standby, url } = await startPair()
    const leader = await start(url)
    const follower = await start(url)
    const announced: number[] = []
    follower.on('macroblockClosed', ({ nextKeyBlock }) => announced.push(nextKeyBlock.height))
    await until(() => leader.height() >= 2 && follower.height() >= 2)
    await crashAtMacroblock(standby, url)
    // The server gives the standby up, and asks for it again before it is back.
    await setStandbys(url, '')
    await until(async () => (await waitingCommits(url)).length === 0)
    const stored = await storedHeight(url)
    await until(async () => ((await health(leader)).reason ?? '').includes('without a standby'))
    await setStandbys(url, '*')
    const isFollowerWaiting = async () =>
      (await waitingCommits(url)).some((one) => String(one.query).includes('pg_logical_emit_message'))
    await until(async () => follower.height() >= stored || (await isFollowerWaiting()))
    expect([leader.height(), follower.height(), announced.at(-1)]).toEqual([
      stored - 1,
      stored - 1,
      stored - 1,
    ])

    await standby.start()
    await until(() => leader.height() >= stored + 2 && follower.height() >= stored + 2)
    expect(announced).toEqual(announced.map((_, at) => (announced[0] ?? 0) + at))
  })

  test('A-17: a post whose wait somebody cancels is taken by no process, nor the second time', async () => {
    const { standby, url } = await startPair()
    const network = await start(url)
    const other = await start(url)
    await until(() => network.height() >= 2 && other.height() >= 2)
    await standby.crash()
    const [from, to] = network.accounts.developers
    if (from === undefined || to === undefined) throw new Error('there are five developers')
    const { transaction } = payment(network, { from, to: to.address, amount: COIN })
    async function statusOfPost({ apiUrl }: LocalNetwork): Promise<number> {
      let status: number | null = null
      const posted = postTransaction(apiUrl, transaction).then((answer) => {
        status = answer.status
        return answer.status
      })
      await until(async () => {
        if (status === null) await endWaits(url, 'pg_cancel_backend')
        return status !== null
      })
      return posted
    }
    expect(await statusOfPost(network)).toBe(503)
    // Its row is there, and alone proves nothing: neither to the same process nor to another one.
    expect(await statusOfPost(network)).toBe(503)
    expect(await statusOfPost(other)).toBe(503)
    await standby.start()
    for (const one of [network, other])
      await until(async () => (await postTransaction(one.apiUrl, transaction)).status === 200)
  })

  test('A-17: stops although a commit waits for a standby that never comes back', async () => {
    const { standby, url } = await startPair()
    const network = await start(url)
    await until(() => network.height() >= 2)
    await crashAtMacroblock(standby, url)
    const beganMs = performance.now()
    await network.stop()
    // Three seconds for the database, and one for its connections.
    const tookMs = performance.now() - beganMs
    expect(tookMs).toBeLessThan(withinMs(5000))
    expect(await waitingCommits(url)).not.toEqual([])
  })
})
