import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Transport } from '@hailstone/client'
import { connectPostgres } from '@hailstone/database'
import type { Address } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPackages } from '../../client/test/support/build-packages.ts'
import { describePostgres } from '../../local-network/test/engines.ts'
import { type IndexPlace, openIndex } from '../src/open-index.ts'
import { keyedTables } from '../src/row-set.ts'
import { openWriter } from '../src/run-indexer.ts'
import type { Schema } from '../src/schema.ts'
import { contentOf } from './figures-of-index.ts'
import { kill, linesUntilStop, type StopAt, startIndexer } from './killed-indexer.ts'
import { addressNamed, closeRandom, peopleOf } from './population.ts'
import { type Random, randomOf } from './random.ts'
import { openTestChain, type TestChain, transfer } from './test-chain.ts'

/** Blocks that both branches share, and blocks that are undone. */
const SHARED = 25
const UNDONE = 30

/** Tables whose rows belong to one height. */
const ofHeight = [
  ...['block', 'microblock', 'reward', 'transfer', 'unexplained', 'agent_change', 'stake_change'],
  ...['account', 'undo'],
] as readonly (keyof Schema)[]

beforeAll(() => buildPackages('runtime', 'protocol', 'database', 'client', 'indexer'))

/** True for each statement of the whole transaction on both engines. */
const isWhole = process.env.HAILSTONE_EVERY_STATEMENT !== undefined

const removals: (() => Promise<unknown>)[] = []

async function grow(chain: TestChain, random: Random, blocks: number): Promise<void> {
  for (let left = blocks; left > 0; left--) await closeRandom(chain, random)
}

/** Closes a block in which somebody mines, is paid and is an agent; the next one comes in the same hour. */
async function closeOf(chain: TestChain, person: Address): Promise<void> {
  const [first] = peopleOf(chain)
  if (first === undefined) throw new Error('there are people')
  const tokenId = chain.token.id
  const payment = transfer({ from: first, to: person, amount: 10n ** 9n, tokenId })
  await chain.close([{ publisher: person, agent: person, tokenId, transactions: [payment] }], 15)
}

/** Reads every table that there is, the cursor without the name and the beat of the process that writes. */
async function everythingOf(place: IndexPlace): Promise<Readonly<Record<string, readonly string[]>>> {
  await using index = await openIndex(place)
  const { rows: tables } = await sql<{
    name: string
  }>`select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name not like '%\_p_'
      and table_name <> 'migration' order by 1`.execute(index.queries)
  const ofProcess = ['holder', 'beat', 'seen_at', 'api_url']
  const content: Record<string, readonly string[]> = {}
  for (const { name } of tables) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(index.queries)
    content[name] = rows
      .map((row) =>
        JSON.stringify(row, (column, value: unknown) =>
          ofProcess.includes(column) ? undefined : typeof value === 'bigint' ? `${value}` : value,
        ),
      )
      .sort()
  }
  return content
}

/** Brings the index up to the API in this process; the answers pass through `change`. */
async function step(
  chain: TestChain,
  place: IndexPlace,
  change: (path: string, text: string) => string = (_, text) => text,
): Promise<void> {
  await using client = createClient({ apiUrl: chain.apiUrl })
  const transport: Transport = {
    async request(request) {
      const answer = await client.transport.request(request)
      return { ...answer, text: change(request.path, answer.text) }
    },
  }
  await using changed = createClient({ apiUrl: chain.apiUrl, transport })
  await using index = await openIndex(place)
  await using writer = await openWriter({ index, client: changed, tokenIds: [chain.token.id], leaseMs: 0 })
  expect(await writer.step()).toMatchObject({ status: 'current', height: chain.blocks.length - 1 })
}

/** Asserts that a change of branch has rows to undo in every table: some to put back, some to remove. */
async function expectWorkInEveryTable(queries: Kysely<Schema>, ancestor: number): Promise<void> {
  for (const name of ofHeight) {
    const above = queries.selectFrom(name).where('height' as never, '>', ancestor as never)
    expect([name, (await above.selectAll().limit(1).execute()).length]).toEqual([name, 1])
  }
  const changes = await queries.selectFrom('undo').selectAll().where('height', '>', ancestor).execute()
  const first = new Map(changes.toReversed().map((change) => [`${change.name} ${change.key}`, change]))
  const named = (isThere: boolean): readonly string[] =>
    keyedTables.filter((name) =>
      [...first.values()].some((change) => change.name === name && (change.before !== null) === isThere),
    )
  expect(named(true)).toEqual(keyedTables)
  // The token of an index was there before its first block, and so were the bands of those that held it.
  expect(named(false)).toEqual(keyedTables.filter((name) => name !== 'token'))
}

/** Index on a branch that the API has left, with a chain that shows the other one. */
async function leaveBranch(place: IndexPlace, random: Random): Promise<TestChain> {
  const chain = await openTestChain('undo')
  removals.push(async () => chain[Symbol.asyncDispose]())
  const known = addressNamed('known')
  await grow(chain, random, SHARED - 1)
  await closeOf(chain, known)
  await step(chain, place)
  await closeOf(chain, known)
  await grow(chain, random, UNDONE - 2)
  await closeOf(chain, addressNamed('of the first branch'))
  let changed: string | undefined
  // One amount that the rules do not explain, in each answer that names it, so that this table has a row above the common
  // ancestor too.
  await step(chain, place, (path, text) => {
    if (path === '/eindex_by_hash' && text.includes('"im"')) changed ??= text
    if (text !== changed) return text
    return text.replace(/"value":"?(\d{4,})"?/, (_, units: string) => `"value":${BigInt(units) + 5n}`)
  })
  {
    await using index = await openIndex(place)
    await expectWorkInEveryTable(index.queries, SHARED - 1)
  }
  await chain.rewind(SHARED)
  await grow(chain, random, UNDONE + 1)
  await closeOf(chain, addressNamed('of the second branch'))
  return chain
}

type Copy = { readonly place: IndexPlace; readonly remove: () => Promise<unknown> }
type Stop = { readonly at: StopAt; readonly name: string }

/** An index that is about to change its branch, and what a process that nobody kills makes of it. */
type World = {
  readonly chain: TestChain
  readonly before: unknown
  readonly after: unknown
  readonly stops: readonly Stop[]
}

async function prepare(place: IndexPlace, copy: () => Promise<Copy>): Promise<World> {
  const chain = await leaveBranch(place, randomOf(31))
  const before = await everythingOf(place)
  const undisturbed = await copy()
  const lines = await linesUntilStop(startIndexer(chain, undisturbed.place))
  expect(lines.at(-1)).toBe('done')
  const after = await everythingOf(undisturbed.place)
  await expectNewBranch(chain, undisturbed.place)
  await undisturbed.remove()
  return { chain, before, after, stops: stopsOf(lines.filter((line) => line.startsWith('statement '))) }
}

/** Returns each statement of the undo, or of the whole transaction, and the moment before the commit. */
function stopsOf(statements: readonly string[]): readonly Stop[] {
  const first = statements.findIndex((line) => line.startsWith('statement UpdateQueryNode cursor height'))
  const undone = statements.findIndex((line) => line.startsWith('statement DeleteQueryNode undo'))
  // Old undo rows go last; what is above the height of the index is a transaction of its own.
  const isLast = (line: string, at: number) =>
    at > undone && line.startsWith('statement DeleteQueryNode undo')
  const last = statements.findIndex(isLast) + 1
  // The statement after the undo is the first of the other branch.
  const end = isWhole ? last : undone + 2
  const before = statements
    .slice(first, end)
    .map((line, at): Stop => ({ at: { before: first + at + 1 }, name: `before ${line}` }))
  return [...before, { at: { after: last }, name: 'before the commit' }]
}

async function expectKilled({ chain, before, after }: World, { at, name }: Stop, copy: Copy): Promise<void> {
  const child = startIndexer(chain, copy.place, at)
  try {
    expect([name, (await linesUntilStop(child)).at(-1)]).toEqual([name, 'stopped'])
  } finally {
    await kill(child)
  }
  expect([name, await everythingOf(copy.place)]).toEqual([name, before])
  await step(chain, copy.place)
  expect([name, await everythingOf(copy.place)]).toEqual([name, after])
  await copy.remove()
}

/** Asserts that an index holds what one holds that saw the new branch alone. */
async function expectNewBranch(chain: TestChain, place: IndexPlace): Promise<void> {
  await using client = createClient({ apiUrl: chain.apiUrl })
  await using anew = await openIndex()
  await using writer = await openWriter({ index: anew, client, tokenIds: [chain.token.id] })
  await writer.step()
  await using index = await openIndex(place)
  expect(await contentOf(index.queries)).toEqual(await contentOf(anew.queries))
}

/**
 * Tests at each statement, or at every so many of them.
 *
 * @param open creates a place, and copies of what is there
 * @param size.parts of the statements, so that no test is so long that it seems to hang
 */
function testKills(
  open: () => Promise<{ readonly place: IndexPlace; readonly copy: () => Promise<Copy> }>,
  { every, parts }: { readonly every: number; readonly parts: number },
): void {
  let world: World
  let copy: () => Promise<Copy>
  beforeAll(async () => {
    const opened = await open()
    copy = opened.copy
    world = await prepare(opened.place, copy)
  })
  afterAll(async () => {
    for (const remove of removals.splice(0).reverse()) await remove()
  })

  it('has rows to undo in every table, and statements for each', () => {
    expect(world.stops.length).toBeGreaterThan(ofHeight.length + 2 * keyedTables.length)
  })

  it.each(Array.from({ length: parts }, (_, part) => part + 1))(
    `keeps the branch before it, and the next process ends as one that was never killed (part %i of ${parts})`,
    async (part) => {
      const chosen = world.stops.filter((_, at) => at % every === 0 || at === world.stops.length - 1)
      const own = chosen.filter((_, at) => at % parts === part - 1)
      expect(own).not.toEqual([])
      for (const stop of own) await expectKilled(world, stop, await copy())
    },
  )
}

describe('C-2: kill -9 at each statement of an undo', () => {
  describePostgres('on PostgreSQL', (server) =>
    testKills(
      async () => {
        const database = await server().createDatabase()
        const name = new URL(database).pathname.slice(1)
        const url = database.replace(name, 'postgres')
        const { queries, close } = connectPostgres<object>({ url, applicationName: 'copies' })
        removals.push(close)
        let copies = 0
        const copy = async (): Promise<Copy> => {
          const other = `${name}_${++copies}`
          await sql`create database ${sql.id(other)} template ${sql.id(name)}`.execute(queries)
          const remove = () => sql`drop database ${sql.id(other)} with (force)`.execute(queries)
          return { place: { database: database.replace(name, other) }, remove }
        }
        return { place: { database }, copy }
      },
      { every: 1, parts: 8 },
    ),
  )

  // The statements are the same; the embedded engine takes twice as long for each.
  describe('in a folder', () =>
    testKills(
      async () => {
        const root = await mkdtemp(join(tmpdir(), 'hailstone-undo-'))
        removals.push(() => rm(root, { recursive: true, force: true }))
        const folder = join(root, 'index')
        let copies = 0
        const copy = async (): Promise<Copy> => {
          const other = join(root, `copy-${++copies}`)
          await cp(folder, other, { recursive: true })
          return { place: { folder: other }, remove: () => rm(other, { recursive: true, force: true }) }
        }
        return { place: { folder }, copy }
      },
      isWhole ? { every: 1, parts: 8 } : { every: 5, parts: 4 },
    ))
})
