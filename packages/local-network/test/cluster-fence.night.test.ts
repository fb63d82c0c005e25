import type { Hash } from '@hailstone/protocol'
import { afterEach, expect, test } from 'vitest'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '../src/serve.ts'
import { openChainStore } from '../src/store/index.ts'
import { describePostgres } from './engines.ts'
import { payment, postTransaction } from './payments.ts'
import { queryDatabase } from './postgres-server.ts'
import { expectReplay } from './replay.ts'
import { until } from './until.ts'

const COIN = 10n ** 10n

describePostgres('the lease and the fence', (server) => {
  const running: LocalNetwork[] = []
  afterEach(async () => {
    for (const network of running.splice(0)) await network.stop()
  })

  async function startTwo(options: LocalNetworkOptions = {}) {
    const database = await server().createDatabase()
    const start = async (): Promise<LocalNetwork> => {
      const network = await startLocalNetwork({
        blockTimeMs: 3_600_000,
        keepAlive: false,
        seed: 'fence',
        database,
        ...options,
      })
      running.push(network)
      return network
    }
    const query = (text: string) => queryDatabase(database, text)
    return { both: [await start(), await start()] as const, query, database }
  }

  const leadersOf = (both: readonly LocalNetwork[]) => both.filter((network) => network.role() === 'leader')

  async function pay(network: LocalNetwork): Promise<void> {
    const [from, to] = network.accounts.developers
    if (from === undefined || to === undefined) throw new Error('there are five developers')
    const { transaction } = payment(network, { from, to: to.address, amount: COIN })
    const response = await postTransaction(network.apiUrl, transaction)
    expect(await response.json()).toMatchObject({ err: 0 })
  }

  /** Lets everybody who believes it leads close a macroblock. Returns the key blocks that were acknowledged. */
  async function closeAtAll(both: readonly LocalNetwork[]): Promise<readonly Hash[]> {
    const closed = await Promise.all(both.map((network) => network.closeNow().catch(() => null)))
    return closed.flatMap((one) => (one === null ? [] : [one.nextKeyBlock.hash]))
  }

  async function closeSome(both: readonly LocalNetwork[], count: number): Promise<readonly Hash[]> {
    const acknowledged: Hash[] = []
    await until(async () => {
      const [first] = both
      if (first !== undefined) await pay(first)
      acknowledged.push(...(await closeAtAll(both)))
      return acknowledged.length >= count
    })
    return acknowledged
  }

  const health = async (network: LocalNetwork) => {
    const response = await fetch(`${new URL(network.apiUrl).origin}/health`)
    return { status: response.status, body: (await response.json()) as { reason: string | null } }
  }

  /** Puts every table aside, as a standby has it that lags from now on. */
  const keepStandby = `
    create schema standby;
    do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('create table standby.%I as select * from public.%I', name, name);
      end loop;
    end $$`
  /** The standby takes over: whatever came later is lost. */
  const failOver = `
    do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'standby' loop
        execute format('delete from public.%I', name);
        execute format('insert into public.%I select * from standby.%I', name, name);
      end loop;
    end $$`

  test('A-17: a lead with the same term and another holder is no lead of ours: nothing is stored', async () => {
    const { both, query, database } = await startTwo()
    const [leader] = both
    await pay(leader)
    await leader.closeNow()
    // As after a failover that lost one claim, where another process was given the same term.
    await query(`update leadership set holder = 'another machine'`)
    await pay(leader)
    await expect(leader.closeNow()).rejects.toMatchObject({
      code: expect.stringMatching(/LEADERSHIP_LOST|CONTROL_REFUSED/),
    })
    await using store = await openChainStore({ database })
    expect(await store.tail()).toMatchObject({ height: 1 })
    await until(() => leadersOf(both).length === 1)
    expect(await closeSome(both, 1)).toHaveLength(1)
    expect((await query('select term from leadership'))[0]?.term).toBe('2')
  })

  test('A-17, D-3: an older row of the lease that comes back never makes two that store', async () => {
    const { both, query, database } = await startTwo()
    const [row] = await query('select term, holder, relay, beat from leadership')
    const acknowledged: Hash[] = []
    for (let round = 0; round < 3; round++) {
      // Somebody else leads, then dies; one of the two follows it.
      await query(`update leadership set term = term + 1, holder = 'gone ${round}'`)
      acknowledged.push(...(await closeSome(both, 2)))
      // The standby, which has not seen any of that, takes over with its row.
      await query(
        `update leadership set term = ${row?.term}, holder = '${row?.holder}', relay = null, beat = ${row?.beat}`,
      )
      acknowledged.push(...(await closeSome(both, 2)))
      await until(() => leadersOf(both).length === 1)
    }
    const stored = await query('select hash from key_block order by height')
    expect(stored.slice(1).map(({ hash }) => hash)).toEqual(acknowledged)
    await until(() => new Set(both.map((network) => network.height())).size === 1)
    for (const network of running.splice(0)) await network.stop()
    await using store = await openChainStore({ database })
    expect(await expectReplay(store, 'fence')).toBe(acknowledged.length)
  })

  test('A-17, D-3: macroblocks that a failover lost are a reorganisation, and the chain goes on from there', async () => {
    const { both, query, database } = await startTwo()
    const [leader, follower] = both
    await closeSome(both, 2)
    await query(keepStandby)
    await closeSome(both, 2)
    await until(() => follower.height() === 4)
    const heard: unknown[] = []
    for (const network of both) network.on('reorganised', (event) => heard.push(event))
    await query(failOver)
    await until(() => both.every((network) => network.height() === 2))
    expect(heard).toEqual([
      { fromHeight: 4, toHeight: 2 },
      { fromHeight: 4, toHeight: 2 },
    ])
    await until(() => leadersOf(both).length === 1)
    const after = await closeSome(both, 2)
    await until(() => both.every((network) => network.height() === 4))
    const stored = await query('select hash from key_block order by height')
    expect(stored.slice(-2).map(({ hash }) => hash)).toEqual(after)
    for (const { address } of leader.accounts.developers)
      expect(follower.balance(address)).toBe(leader.balance(address))
    expect((await health(leader)).status).toBe(200)
    for (const network of running.splice(0)) await network.stop()
    await using store = await openChainStore({ database })
    expect(await expectReplay(store, 'fence')).toBe(4)
  })

  const refuseAppends = (code: string, condition = 'true') => `
    create function refuse() returns trigger language plpgsql as $$ begin
      if ${condition} then raise exception 'refused by the test' using errcode = '${code}'; end if;
      return new;
    end $$;
    create trigger refuse before insert on key_block for each row execute function refuse()`
  const allowAppends = 'drop trigger refuse on key_block; drop function refuse()'

  test.each(['53100', '23514', 'P0001'])(
    'A-17: appends that fail with %s are told by /health, and macroblocks close again afterwards',
    async (code) => {
      const { both, query } = await startTwo({ blockTimeMs: 300, keepAlive: true })
      const [leader] = both
      await until(() => leader.height() >= 1)
      await query(refuseAppends(code))
      await until(async () => (await health(leader)).status === 503)
      // That of a full disk would name files of the server.
      const said = code === '53100' ? 'disk of the database is full' : 'refused by the test'
      expect((await health(leader)).body.reason).toContain(said)
      // Long enough for the chain to have been loaded again.
      await new Promise((resolve) => setTimeout(resolve, 3000))
      const stored = Number((await query('select max(height) as height from key_block'))[0]?.height)
      await query(allowAppends)
      await until(() => both.every((network) => network.height() >= stored + 3))
      await until(async () => (await health(leader)).status === 200)
    },
  )

  test('A-17: a leader that alone cannot store gives the lead to another one', async () => {
    const { both, query } = await startTwo({ blockTimeMs: 300, keepAlive: true })
    const [leader, follower] = both
    await until(() => leader.height() >= 1)
    const [row] = await query('select holder from leadership')
    await query(refuseAppends('P0001', `exists (select from leadership where holder = '${row?.holder}')`))
    const stored = Number((await query('select max(height) as height from key_block'))[0]?.height)
    await until(() => follower.role() === 'leader')
    await until(() => both.every((network) => network.height() >= stored + 3))
    expect(leader.role()).toBe('follower')
  })

  test('A-17: a database that becomes read-only stops the chain and nothing else', async () => {
    const { both, query, database } = await startTwo({ blockTimeMs: 300, keepAlive: true })
    const [leader] = both
    await until(() => leader.height() >= 1)
    const name = new URL(database).pathname.slice(1)
    const others =
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    await query(`alter database ${name} set default_transaction_read_only = on`)
    await query(others)
    await until(async () => (await health(leader)).status === 503)
    expect((await fetch(`${leader.apiUrl}/height`)).status).toBe(200)
    await query(`set transaction read write; alter database ${name} reset default_transaction_read_only`)
    await query(others)
    const stored = Number((await query('select max(height) as height from key_block'))[0]?.height)
    await until(() => both.every((network) => network.height() >= stored + 3))
    await until(async () => (await health(leader)).status === 200)
  })
})
