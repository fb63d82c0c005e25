import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Index, openIndex } from '@hailstone/indexer'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePostgres } from '../../../packages/local-network/test/engines.ts'
import { exportFigure } from '../src/exports/export-figure.ts'
import { exportKinds } from '../src/exports/export-kinds.ts'
import type { PagesSource } from '../src/exports/read-pages.ts'
import { readToken } from '../src/open-follower.ts'
import { openPeopleTables } from '../src/people/people-tables.ts'
import { createPersonStore } from '../src/people/person-store.ts'
import { routes } from '../src/routes.ts'
import { serveConsole } from '../src/serve-console.ts'
import { openConsole } from './console-fixture.ts'
import { addressOf, openSeeded, TOKEN_ID } from './seed-index.ts'

const PAGE = 50

let index: Index
let count = 0
beforeAll(async () => {
  index = await openSeeded({}, { miners: 300 })
  count = (await index.queries.selectFrom('miner').select('account').execute()).length
})
afterAll(() => index.close())

type Between = (page: number) => unknown

/** Exports a list in pages of 50; `between` is called while a page is read. */
async function exported(
  path: string,
  query: object,
  between: Between,
  { signal, index: of = index }: { readonly signal?: AbortSignal; readonly index?: Index } = {},
) {
  const route = routes.find((found) => found.path === path)
  const kind = exportKinds.csv
  if (route === undefined || kind === undefined) throw new Error('no such list')
  let pages = 0
  const pageOf: PagesSource['pageOf'] = async (context, after) => {
    const meanwhile = between(++pages)
    // The embedded database has one connection, which this page has.
    if (!of.isExclusive) await meanwhile
    return (await route.compute(context, { ...query, after, limit: PAGE } as never)) as never
  }
  const follower = { index: of, token: await readToken(of.queries, TOKEN_ID as never, 0n) }
  const source = { follower, nowMs: 0, kind, pageOf, isOfRecords: route.isOfRecords === true }
  let file: Promise<string> | undefined
  let givenAt = 0
  let length: number | null = null
  await exportFigure({ ...source, signal: signal ?? new AbortController().signal }, (given) => {
    givenAt = pages
    length = given.length
    file = text(given.stream)
    file.catch(() => {})
  })
  const rows = (await file)?.trimEnd().split('\r\n').slice(1) ?? []
  return { rows, pages, givenAt, length }
}

const miners = (between: Between = () => {}, of: Parameters<typeof exported>[3] = {}) =>
  exported('/v1/miners', { sort: 'earned' }, between, of)
const rewards = (between: Between = () => {}) =>
  exported('/v1/miner-rewards', { address: addressOf(1) }, between)

/** The chain goes on by a macroblock, with which the last of the list earns most. */
async function moveOn({ queries: all } = index): Promise<void> {
  await all.transaction().execute(async (queries) => {
    await sql`insert into block select height + 1, next_hash, md5('hash' || height + 2), time + 60, day, hour, 0, 0, true
      from block order by height desc limit 1`.execute(queries)
    await sql`update miner set earned = (select max(earned) + 1 from miner)
      where account = (select account from miner order by earned, account desc limit 1)`.execute(queries)
  })
}

const distinct = (rows: readonly string[]) => new Set(rows.map((row) => row.split(',')[0])).size

it('lets others ask between two pages', async () => {
  const answered: number[] = []
  let asked = 0
  const { rows, pages, length } = await miners((page) => {
    asked = page
    void sql`select 1`.execute(index.queries).then(() => answered.push(asked))
  })
  expect([rows.length, pages, answered[0]]).toEqual([count, Math.ceil(count / PAGE), 1])
  expect(length).toBeGreaterThan(1000)
})

it('begins a list again that the chain changed, so that no row is doubled or missing', async () => {
  const moves: Promise<void>[] = []
  const { rows, pages } = await miners((page) => page === 2 && moves.push(moveOn()))
  await Promise.all(moves)
  expect([rows.length, distinct(rows)]).toEqual([count, count])
  expect(pages).toBe(3 + Math.ceil(count / PAGE))
})

it('refuses a list that the chain changes each time', async () => {
  const moves: Promise<void>[] = []
  const refused = expect(miners(() => moves.push(moveOn()))).rejects.toMatchObject({ status: 503 })
  await refused
  await Promise.all(moves)
  expect(moves.length).toBe(10)
})

it('sends records from their first page on, whatever the chain adds', async () => {
  const before = await rewards()
  const moves: Promise<void>[] = []
  const { rows, givenAt, length, pages } = await rewards(() => moves.push(moveOn()))
  await Promise.all(moves)
  expect([givenAt, length, pages > 1]).toEqual([1, null, true])
  expect(rows).toEqual(before.rows)
})

it('ends records whose branch was left', async () => {
  const leave = () =>
    sql`update block set next_hash = 'other' where height = (select max(height) from block)`.execute(
      index.queries,
    )
  await expect(rewards((page) => page === 1 && leave())).rejects.toThrow(/moved on/)
})

it('ends when nobody waits for the file', async () => {
  const gone = new AbortController()
  let last = 0
  const between: Between = (page) => {
    last = page
    if (page === 2) gone.abort()
  }
  await expect(miners(between, { signal: gone.signal })).rejects.toThrow(/abort/)
  expect(last).toBe(2)
})

describePostgres('an index on a server', (server) => {
  it('sends every list from its first page on, as it is when that is read', async () => {
    await using large = await openSeeded({ database: await server().createDatabase() }, { miners: 300 })
    const before = await miners(() => {}, { index: large })
    const { rows, givenAt, length, pages } = await miners(() => moveOn(large), { index: large })
    expect([givenAt, length, pages]).toEqual([1, null, Math.ceil(count / PAGE)])
    expect(rows).toEqual(before.rows)
  })
})

it('closes no silent connection while a file is made, and makes none for those who left', async () => {
  await using fixture = await openConsole()
  // People stand in tables of their own, so that everybody is let in while those of the chain are busy.
  await using other = await openIndex()
  const people = createPersonStore({ queries: await openPeopleTables(other), now: Date.now })
  const { follower } = fixture
  await using server = await serveConsole({ follower, people })
  const { cookie } = await fixture.openLink(server)
  const sockets: Socket[] = []
  const note = (message: unknown): void => {
    sockets.push((message as { readonly request: IncomingMessage }).request.socket)
  }
  const ask = (path: string) =>
    request(server.url + path, { headers: { cookie }, agent: false })
      .on('error', () => {})
      .end()
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const holding = follower.index.queries.transaction().execute(() => held)
  subscribe('http.server.request.start', note)
  try {
    const [first, second, third] = [ask('/v1/miners.csv'), ask('/v1/miners.csv'), ask('/v1/agents.parquet')]
    await expect.poll(() => sockets.map(({ timeout }) => timeout)).toEqual([0, 0, 0])
    first.destroy()
    third.destroy()
    const answered = once(second, 'response')
    await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBe(2)
    release()
    const [answer] = await answered
    expect([answer.statusCode, (await text(answer)).startsWith('Miner,')]).toEqual([200, true])
  } finally {
    unsubscribe('http.server.request.start', note)
    release()
    await holding
  }
})
