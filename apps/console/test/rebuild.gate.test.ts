import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createClient } from '@hailstone/client'
import { type Index, type IndexPlace, openIndex, rebuildIndex } from '@hailstone/indexer'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { buildPackages } from '../../../packages/client/test/support/build-packages.ts'
import { contentOf } from '../../../packages/indexer/test/figures-of-index.ts'
import { kill, linesUntilStop } from '../../../packages/indexer/test/killed-indexer.ts'
import { closeRandom } from '../../../packages/indexer/test/population.ts'
import { type Random, randomOf } from '../../../packages/indexer/test/random.ts'
import { openTestChain, type TestChain } from '../../../packages/indexer/test/test-chain.ts'
import { describeEngines, describePostgresByNight } from '../../../packages/local-network/test/engines.ts'
import { openAlerts } from '../src/alerts/alerts.ts'
import { createWebhookGate } from '../src/alerts/webhook-gate.ts'
import { readSnapshot } from '../src/figures/read-snapshot.ts'
import { openLabelTables } from '../src/labels/label-tables.ts'
import { openFollower } from '../src/open-follower.ts'
import { createApiTokens } from '../src/people/api-tokens.ts'
import { openPeopleTables } from '../src/people/people-tables.ts'
import { createPersonStore } from '../src/people/person-store.ts'
import { createSessions } from '../src/people/sessions.ts'
import { createSignInLimits } from '../src/people/sign-in-limits.ts'
import { PASSWORD } from './console-fixture.ts'

beforeAll(() => buildPackages('runtime', 'protocol', 'database', 'client', 'indexer'))

async function grow(chain: TestChain, random: Random, blocks: number): Promise<void> {
  for (let left = blocks; left > 0; left--) await closeRandom(chain, random)
}

/** Every row of every table of the console, the steps of their schemas among them. */
async function ownRowsOf({ queries }: Index): Promise<Readonly<Record<string, readonly string[]>>> {
  const { rows: tables } = await sql<{
    name: string
  }>`select table_name as name from information_schema.tables
    where table_schema = 'hailstone_console' order by 1`.execute(queries)
  const found: Record<string, readonly string[]> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(`hailstone_console.${name}`)} t`.execute(queries)
    found[name] = rows.map(({ row }) => row).sort()
  }
  return found
}

/** Gives an index everything that belongs to the partner: each table of the console has rows. */
async function useConsole(index: Index, chain: TestChain): Promise<void> {
  await using client = createClient({ apiUrl: chain.apiUrl })
  await using follower = await openFollower({ index, client, tokenId: chain.token.id })
  await follower.catchUp()
  await openLabelTables(index)
  await sql`insert into hailstone_console.label values (${chain.token.owner}, 'Owner', 'own')`.execute(
    index.queries,
  )
  const queries = await openPeopleTables(index)
  const people = createPersonStore({ queries, cost: { log2N: 4, r: 8, p: 1 } })
  const { id, name } = await people.add({ name: 'ada', role: 'owner', password: PASSWORD }, null)
  await people.setTotp(id, null)
  await createApiTokens(people).add({ label: 'Grafana', role: 'viewer', days: 30 }, { id, name })
  const judged = await queries.selectFrom('person').selectAll().executeTakeFirstOrThrow()
  await createSessions(people).open(judged)
  await createSignInLimits(people).take({ name, address: '203.0.113.5', isLocal: false })
  await people.noteSignIn({ person: name, action: 'signed in', subject: null })
  const alerts = await openAlerts({ follower, gate: createWebhookGate({ allowsLoopback: true }) })
  await alerts.addReceiver('http://127.0.0.1:1/')
  const [rule] = await alerts.queries.selectFrom('alert').select('id').execute()
  await alerts.test(rule?.id ?? '')
  await alerts.removeRule((await alerts.queries.selectFrom('alert').select('id').execute()).at(-1)?.id ?? '')
  await alerts.evaluate()
}

type Contents = { readonly own: Awaited<ReturnType<typeof ownRowsOf>>; readonly chain: unknown }

async function read(place: IndexPlace): Promise<Contents> {
  await using index = await openIndex(place)
  return { own: await ownRowsOf(index), chain: await contentOf(index.queries) }
}

/** An index that has a console and has met a fork that is too deep for it. */
async function beginForked(place: IndexPlace, chain: TestChain, random: Random): Promise<Contents> {
  await grow(chain, random, 6)
  {
    await using index = await openIndex(place)
    await useConsole(index, chain)
    await index.queries.updateTable('cursor').set({ undo_from: 5 }).execute()
    await chain.rewind(3)
    await grow(chain, random, 4)
    await using client = createClient({ apiUrl: chain.apiUrl })
    await using follower = await openFollower({ index, client, tokenId: chain.token.id })
    await follower.catchUp()
    expect(follower.status().state).toBe('forked')
  }
  const before = await read(place)
  for (const [table, rows] of Object.entries(before.own))
    expect([table, rows.length > 0]).toEqual([table, true])
  return before
}

async function rowsAnew(chain: TestChain): Promise<unknown> {
  await using client = createClient({ apiUrl: chain.apiUrl })
  await using index = await openIndex()
  await using follower = await openFollower({ index, client, tokenId: chain.token.id })
  await follower.catchUp()
  return await contentOf(index.queries)
}

/** Places of a rebuild; only the last one is after the switch. */
const stops = [
  { words: 'create table cursor', nth: 1, when: 'before' },
  { words: 'insert into "block"', nth: 1, when: 'after' },
  { words: 'drop schema', nth: 1, when: 'after' },
  { words: 'alter schema', nth: 1, when: 'after' },
  { words: 'alter schema', nth: 1, when: 'commit' },
] as const

describeEngines('C-2: what belongs to the partner', (engine) => {
  it('is the same to the row after a rebuild that a deep fork asked for', async () => {
    const random = randomOf(31)
    await using chain = await openTestChain('rebuilt console')
    const place = await engine.newPlace()
    const before = await beginForked(place, chain, random)
    await using client = createClient({ apiUrl: chain.apiUrl })
    expect(await rebuildIndex({ place, client, tokenIds: [chain.token.id] })).toBe(6)
    const after = await read(place)
    expect(after.own).toEqual(before.own)
    expect(after.chain).not.toEqual(before.chain)
    expect(after.chain).toEqual(await rowsAnew(chain))
    // The console goes on, and makes no second set of rules.
    await using index = await openIndex(place)
    await using follower = await openFollower({ index, client, tokenId: chain.token.id })
    await follower.catchUp()
    expect(follower.status()).toMatchObject({ state: 'following', height: 6 })
    const alerts = await openAlerts({ follower, gate: createWebhookGate({ allowsLoopback: true }) })
    const rules = await alerts.queries.selectFrom('alert').select('id').execute()
    expect(rules.length).toBe(before.own.alert?.length)
  })

  it('and the figures are whole when a rebuild is ended by kill -9 at any place', async () => {
    const random = randomOf(32)
    await using chain = await openTestChain('killed rebuild')
    const place = await engine.newPlace()
    const before = await beginForked(place, chain, random)
    const anew = await rowsAnew(chain)
    for (const stop of stops) {
      const parameters = { apiUrl: chain.apiUrl, tokenId: chain.token.id, place, stop }
      const path = fileURLToPath(new URL('./rebuild-child.mjs', import.meta.url))
      const child = spawn(process.execPath, [path, JSON.stringify(parameters)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      expect([stop, await linesUntilStop(child)]).toEqual([stop, ['stopped']])
      await kill(child)
      const isSwitched = stop.when === 'commit'
      expect([stop, await read(place)]).toEqual([
        stop,
        { own: before.own, chain: isSwitched ? anew : before.chain },
      ])
    }
    await using client = createClient({ apiUrl: chain.apiUrl })
    await rebuildIndex({ place, client, tokenIds: [chain.token.id] })
    expect(await read(place)).toEqual({ own: before.own, chain: anew })
  })
})

describePostgresByNight('A console that runs', (server) => {
  it('goes on in the tables of a rebuild, whatever number its token has there', async () => {
    const random = randomOf(33)
    await using chain = await openTestChain('rebuild below a console')
    await grow(chain, random, 4)
    const place = { database: await server().createDatabase() }
    await using client = createClient({ apiUrl: chain.apiUrl })
    await using index = await openIndex(place)
    await using follower = await openFollower({ index, client, tokenId: chain.token.id })
    await follower.catchUp()
    const { token } = follower
    expect(token.number).toBe(1)
    const tokenIds = [chain.genesis.tokens.fixed.id, chain.token.id]
    const supplyOf = async () =>
      (
        await readSnapshot({ follower, nowMs: 0 }, async ({ supply, token: { number } }) => ({
          supply,
          number,
        }))
      ).data
    const { supply } = await supplyOf()
    expect(await rebuildIndex({ place, client, tokenIds })).toBe(3)
    // Before the next look.
    expect(await supplyOf()).toEqual({ supply, number: 2 })
    await grow(chain, random, 2)
    expect(await follower.catchUp()).toBe(2)
    expect(follower.status()).toMatchObject({ state: 'following', height: 5, failure: null })
    expect(follower.token).toEqual({ ...token, number: 2 })
  })
})
