import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Client, createClient, type Transport } from '@hailstone/client'
import { connectPostgres } from '@hailstone/database'
import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isNight } from '../../../scripts/gate-size.ts'
import { describeBothEngines, describePostgres } from '../../local-network/test/engines.ts'
import { type Index, openIndex } from '../src/open-index.ts'
import { openWriter, type RunIndexerParameters, runIndexer } from '../src/run-indexer.ts'
import { type Content, contentOf } from './figures-of-index.ts'
import { closeRandom } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain, type TestChain } from './test-chain.ts'

let chain: TestChain
let honest: Client
let expected: Content

beforeAll(async () => {
  const random = randomOf(31)
  chain = await openTestChain('survives')
  for (let left = 6; left > 0; left--) await closeRandom(chain, random)
  honest = createClient({ apiUrl: chain.apiUrl })
  await using index = await openIndex()
  await using writer = await openWriter({ index, client: honest, tokenIds: [chain.token.id] })
  await writer.step()
  expected = await contentOf(index.queries)
})

afterAll(async () => {
  await honest.close()
  await chain[Symbol.asyncDispose]()
})

const failure = (code: string): Error => Object.assign(new Error(`failed with ${code}`), { code })

/** Returns an index whose statement with this number fails, and counts its statements. */
function failingAt(index: Index, number: number, error: Error) {
  let statements = 0
  const plugin: KyselyPlugin = {
    transformQuery({ node }): RootOperationNode {
      statements++
      if (statements === number) throw error
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    index: { ...index, queries: index.queries.withPlugin(plugin) },
    statements: () => statements,
  }
}

/** Runs an indexer until it is current, and returns what it told besides. */
async function runUntilCurrent(parameters: Omit<RunIndexerParameters, 'tokenIds' | 'signal'>) {
  const stopping = new AbortController()
  const told: string[] = []
  await runIndexer({
    ...{ ...parameters, tokenIds: [chain.token.id], signal: stopping.signal },
    onProgress({ status, note }) {
      if (status === 'current') stopping.abort()
      else told.push(`${status}: ${note}`)
    },
    onStoreLost: (error) => void told.push(String(error)),
  })
  return told
}

const patient = (transport: Transport = honest.transport): Client => {
  const clock = { ...honest.clock, sleep: async () => undefined }
  return createClient({ apiUrl: chain.apiUrl, transport, clock, retry: { maxAttempts: 1 } })
}

const states = ['57014', '53100', '55P03', '40003', '08006', '57P01', '22003', '25006', '42501', 'XX000']

it('C-11: a statement that fails ends nobody, whichever it is and whatever the database says', async () => {
  await using counted = await openIndex()
  const all = failingAt(counted, -1, failure('00000'))
  await runUntilCurrent({ index: all.index, client: patient() })
  // Each state at its own statements, so that all statements have one.
  for (let number = 1; number <= all.statements(); number += isNight ? 1 : 11) {
    const state = states[number % states.length] as string
    await using opened = await openIndex()
    const { index } = failingAt(opened, number, failure(state))
    const told = await runUntilCurrent({ index, client: patient() })
    // What noted owners fail with comes when the index is current already.
    expect([number, told.length <= 1, told.every((text) => text.includes(state))]).toEqual([
      number,
      true,
      true,
    ])
    expect([number, await contentOf(opened.queries)]).toEqual([number, expected])
  }
})

const answers: Readonly<Record<string, { readonly status?: number; readonly text: string }>> = {
  'a gateway that is away': { status: 502, text: '' },
  'a gateway that says so in HTML': { status: 200, text: '<!doctype html><title>busy</title>' },
  'an edge that is overloaded': { status: 529, text: '{}' },
  'too many requests': { status: 429, text: '{"message":"slow down"}' },
  nothing: { text: '' },
  null: { text: 'null' },
  'an empty list': { text: '[]' },
  'an empty object': { text: '{}' },
  'a negative number': { text: '{"height":-5}' },
  'a height beyond all bounds': { text: '{"height":99999999999}' },
  'a number beyond all bounds': { text: `{"height":1${'0'.repeat(400)}}` },
}

it.each(Object.entries(answers))(
  'C-11: an answer with %s ends nobody, whatever was asked',
  async (_, answer) => {
    const paths = new Set<string>()
    let lied: string | undefined
    const transport: Transport = {
      async request(request) {
        const given = await honest.transport.request(request)
        if (lied !== undefined || paths.has(request.path)) return given
        lied = request.path
        paths.add(request.path)
        return { ...given, status: 200, ...answer }
      },
    }
    // One path after another, each at the first look that asks it.
    await using index = await openIndex()
    await using client = patient(transport)
    const stopping = new AbortController()
    let honestLooks = 0
    await runIndexer({
      ...{ index, client, tokenIds: [chain.token.id], signal: stopping.signal },
      onProgress({ status }) {
        honestLooks = lied === undefined && status === 'current' ? honestLooks + 1 : 0
        lied = undefined
        if (honestLooks === 1) stopping.abort()
      },
      onStoreLost: () => {
        lied = undefined
      },
    })
    expect(paths.size).toBeGreaterThan(5)
    expect(await contentOf(index.queries)).toEqual(expected)
  },
)

it('C-11: a program that throws what it is told ends nobody', async () => {
  await using index = await openIndex()
  const stopping = new AbortController()
  let calls = 0
  await runIndexer({
    ...{ index, client: patient(), tokenIds: [chain.token.id], signal: stopping.signal },
    onProgress() {
      if (++calls === 3) stopping.abort()
      throw new Error('on purpose')
    },
    onCommit() {
      throw new Error('on purpose')
    },
  })
  expect(await contentOf(index.queries)).toEqual(expected)
})

it('a token that is given twice is refused in words', async () => {
  await using index = await openIndex()
  const tokenIds = [chain.token.id, chain.token.id]
  await expect(runIndexer({ index, client: honest, tokenIds })).rejects.toMatchObject({
    code: 'CONFIGURATION_INVALID',
    message: expect.stringContaining('twice'),
  })
})

describeBothEngines('C-11: a database that is restored', (engine) => {
  it('is waited for while its tables are gone or empty, and followed from the copy', async () => {
    const place = await engine.newPlace()
    await using index = await openIndex(place)
    const lost: string[] = []
    const stopping = new AbortController()
    const steps = [
      // The copy: what was there before any block came.
      async () => {
        for (const name of ['network', 'token', 'account', 'holding', 'stake_band', 'cursor'])
          await sql`create table copied.${sql.id(name)} as select * from ${sql.table(name)}`.execute(
            index.queries,
          )
      },
      async () => sql`alter table cursor rename to gone`.execute(index.queries),
      async () => sql`alter table gone rename to cursor`.execute(index.queries),
      async () => sql`truncate cursor`.execute(index.queries),
      async () => sql`insert into cursor select * from copied.cursor`.execute(index.queries),
    ]
    await sql`create schema copied`.execute(index.queries)
    let at = 0
    // Between two looks, one step after another.
    const clock = { ...honest.clock, sleep: async () => void (await steps[at++]?.()) }
    await using client = createClient({ apiUrl: chain.apiUrl, clock })
    await runIndexer({
      ...{ index, client, tokenIds: [chain.token.id], leaseMs: 20, signal: stopping.signal },
      onProgress({ status }) {
        if (status === 'current' && at > steps.length) stopping.abort()
      },
      onStoreLost: (error) => void lost.push(String(error)),
    })
    expect(lost.some((text) => text.includes('does not exist'))).toBe(true)
    expect(lost.some((text) => text.includes('empty'))).toBe(true)
    expect(await contentOf(index.queries)).toEqual(expected)
  })
})

describePostgres('C-11: hailstone-indexer at a database that refuses its opening', (server) => {
  it('says so, tries again and follows the chain', async () => {
    const database = await server().createDatabase()
    const name = new URL(database).pathname.slice(1)
    await (await openIndex({ database })).close()
    const locking = connectPostgres<object>({ url: database, applicationName: 'test' })
    await sql`alter database ${sql.id(name)} set lock_timeout = '50ms'`.execute(locking.queries)
    const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
    const words = ['--api', chain.apiUrl, '--token', chain.token.id, '--database', database, '--poll', '20']
    const child = spawn(process.execPath, [bin, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = once(child, 'exit')
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)))
    const says = (text: string) =>
      expect
        .poll(() => [child.exitCode, said], { timeout: 60_000 })
        .toEqual([null, expect.stringContaining(text)])
    try {
      await locking.queries.transaction().execute(async (transaction) => {
        await sql`lock table hailstone_index.migration in access exclusive mode`.execute(transaction)
        await says('SQLSTATE 55P03')
      })
      await says('current at height')
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
      await locking.close()
    }
  })
})
