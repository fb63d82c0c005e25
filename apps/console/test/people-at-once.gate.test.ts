import { setTimeout } from 'node:timers/promises'
import { connectPostgres } from '@hailstone/database'
import { openIndex } from '@hailstone/indexer'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEngines, describePostgresByNight } from '../../../packages/local-network/test/engines.ts'
import { createApiTokens } from '../src/people/api-tokens.ts'
import { openPeopleTables } from '../src/people/people-tables.ts'
import { RefusedError } from '../src/people/refused-error.ts'
import { createSessions } from '../src/people/sessions.ts'
import { createSignInLimits, type SignInLimits } from '../src/people/sign-in-limits.ts'
import { type ConsoleFixture, openConsole, PASSWORD, send } from './console-fixture.ts'

const changed = { status: 401, message: 'This person was changed meanwhile. Sign in again.' }

/** Two owners, of whom the second is changed by the test. */
async function addOwners({ people }: ConsoleFixture) {
  await people.add({ name: 'ada', role: 'owner', password: PASSWORD }, null)
  const { id } = await people.add({ name: 'Bea', role: 'owner', password: PASSWORD }, null)
  const bea = await people.queries
    .selectFrom('person')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...bea, id }
}

const token = { label: 'Grafana', role: 'viewer', days: 3 } as const

/** Steps of an owner whose role was taken away after the request had been let in. */
const steps: Readonly<Record<string, (fixture: ConsoleFixture, id: number) => Promise<unknown>>> = {
  'makes no token': ({ people }, id) => createApiTokens(people).add(token, { id, name: 'Bea' }),
  'adds nobody': ({ people }) => people.add({ name: 'Eve', role: 'owner', password: PASSWORD }, 'Bea'),
  'changes nobody': ({ people }, id) => people.change(id, { role: 'owner' }, 'Bea'),
  'removes nobody': ({ people }, id) => people.remove(id, 'Bea'),
}

describeEngines('an owner whose role is taken away meanwhile', (engine) => {
  it.each(Object.keys(steps))('%s', async (name) => {
    await using fixture = await openConsole(await engine.newPlace())
    const { people } = fixture
    const { id } = await addOwners(fixture)
    await people.change(id, { role: 'analyst' }, 'ada')
    const before = [await people.list(), await createApiTokens(people).list(), await people.audit()]
    await expect(steps[name]?.(fixture, id)).rejects.toMatchObject(changed)
    expect([await people.list(), await createApiTokens(people).list(), await people.audit()]).toEqual(before)
  })
})

/** Steps that look at the row of a person and then add a row of their own. */
const additions = {
  session: ({ people }: ConsoleFixture, bea: Awaited<ReturnType<typeof addOwners>>) =>
    createSessions(people).open(bea),
  api_token: ({ people }: ConsoleFixture, { id }: { readonly id: number }) =>
    createApiTokens(people).add({ ...token, role: 'analyst' }, { id, name: 'Bea' }),
} as const

const LOCK = 4460

describePostgresByNight('a change of a person', (server) => {
  it.each(Object.keys(additions) as (keyof typeof additions)[])(
    'waits for a row of %s that is being added, and ends it',
    async (table) => {
      const database = await server().createDatabase()
      await using fixture = await openConsole({ database })
      const { people } = fixture
      const bea = await addOwners(fixture)
      const other = connectPostgres<object>({ url: database, applicationName: 'test' })
      const isLocked = async (count: number): Promise<boolean> => {
        const { rows } = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(other.queries)
        return rows.length >= count
      }
      try {
        // The new row waits in the middle of its transaction until the test lets it go on.
        await sql`create function hailstone_console.pause() returns trigger language plpgsql
          as ${sql.lit(`begin perform pg_advisory_xact_lock(${LOCK}); return new; end`)}`.execute(
          other.queries,
        )
        await sql`create trigger pause before insert on ${sql.table(`hailstone_console.${table}`)}
          for each row execute function hailstone_console.pause()`.execute(other.queries)
        const { added, taken, isOver } = await other.queries.transaction().execute(async (transaction) => {
          await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction)
          const adding = additions[table](fixture, bea)
          while (!(await isLocked(1))) await Promise.race([setTimeout(20), adding])
          let isOver = false
          const taking = people.change(bea.id, { role: 'viewer' }, 'ada').finally(() => {
            isOver = true
          })
          while (!isOver && !(await isLocked(2))) await setTimeout(20)
          return { added: adding, taken: taking, isOver }
        })
        await Promise.all([added, taken])
        const left = await people.queries.selectFrom(table).select('id').execute()
        expect([isOver, left]).toEqual([false, []])
      } finally {
        await other.close()
      }
    },
  )

  it('that comes first lets no session be opened by what was judged before', async () => {
    const database = await server().createDatabase()
    await using fixture = await openConsole({ database })
    const { people } = fixture
    const bea = await addOwners(fixture)
    await people.change(bea.id, { password: 'another horse battery' }, null)
    await expect(createSessions(people).open(bea)).rejects.toMatchObject(changed)
    expect(await people.queries.selectFrom('session').select('id').execute()).toEqual([])
  })
})

describePostgresByNight('tries at once', (server) => {
  it('of several consoles are counted together, and leave connections to the others', async () => {
    const database = await server().createDatabase()
    const indexes = await Promise.all([1, 2, 3].map(() => openIndex({ database })))
    try {
      const limits: SignInLimits[] = []
      for (const index of indexes)
        limits.push(createSignInLimits({ queries: await openPeopleTables(index), now: () => 0 }))
      const takeAll = (count: number, placeOf: (number: number) => Parameters<SignInLimits['take']>[0]) =>
        Promise.allSettled(
          Array.from({ length: count }, (_, number) => limits[number % 3]?.take(placeOf(number))),
        )
      const one = await takeAll(40, () => ({ name: 'ada', address: '203.0.113.5', isLocal: false }))
      expect(one.filter(({ status }) => status === 'fulfilled').length).toBe(5)
      const many = await takeAll(300, (number) => ({
        ...{
          name: `name ${number % 11}`,
          address: `2001:db8:1:${number % 17}::1`,
          isLocal: number % 19 === 0,
        },
      }))
      const failures = many.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
      expect(failures.filter((failure) => !(failure instanceof RefusedError))).toEqual([])
    } finally {
      for (const index of indexes) await index.close()
    }
  })
})

describePostgresByNight('a console whose tables are away', (server) => {
  it('answers 503 with the reason, and goes on when they are back', async () => {
    const database = await server().createDatabase()
    await using fixture = await openConsole({ database })
    const { url } = await fixture.serve()
    const ask = async (path: string) => {
      const { status, body, headers } = await send(`${url}${path}`)
      return [status, body.error, headers['retry-after']]
    }
    const { queries } = fixture.people
    await sql`alter schema hailstone_console rename to elsewhere`.execute(queries)
    const gone =
      'The tables of the console are not in its database. The console goes on when they are restored.'
    expect(await ask('/v1/session')).toStrictEqual([503, gone, '5'])
    await sql`alter schema elsewhere rename to hailstone_console`.execute(queries)
    expect((await ask('/v1/session'))[0]).toBe(401)
    await sql`alter role current_user set lock_timeout = '20ms'`.execute(queries)
    await server().crash()
    const away = 'The database of the console does not answer. The console goes on when it does.'
    expect(await ask('/v1/session')).toStrictEqual([503, away, '5'])
    await server().start()
    await expect.poll(async () => (await ask('/v1/session'))[0], { timeout: 60_000 }).toBe(401)
    const refused = 'The database of the console refuses what it is asked for now.'
    await queries.transaction().execute(async (transaction) => {
      await sql`lock table hailstone_console.person`.execute(transaction)
      expect(await ask('/v1/session')).toStrictEqual([503, refused, '5'])
    })
  })
})
