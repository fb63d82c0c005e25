import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseJson } from '@hailstone/protocol'
import { referenceGroups } from '@hailstone/protocol/reference'
import { expect, it } from 'vitest'
import { describePostgres } from '../../local-network/test/engines.ts'
import { queryDatabase, startPostgresPair } from '../../local-network/test/postgres-server.ts'
import { checks } from '../src/checks/index.ts'
import { serverExamples } from '../src/examples/server-examples.ts'
import { DATABASE_VARIABLE, READ_DATABASE_VARIABLE } from '../src/offline-api.ts'
import { readFolders } from '../src/read-folders.ts'
import { runChecks } from '../src/run-checks.ts'

const folders = ['vectors', 'recorded'].map((name) => fileURLToPath(new URL(`../${name}`, import.meta.url)))

/** Files whose cases store and read data. The embedded engine runs all of them. */
const STORED = /(http-\d|post_tx|api_responses)\.json$/

/** Endpoints that the web library and the browser wallet of the public network call. */
const CALLED_BY_WALLETS = [
  '/get_tickers_all_unfiltered',
  '/get_pos_total_stake',
  '/get_pos_list',
  '/get_delegators_list',
  '/get_pos_info',
  '/get_top_pos',
  '/get_token_holder_count',
  '/get_delegated_page',
  '/get_undelegated_page',
  '/get_delegators_page',
]

describePostgres('on PostgreSQL', (server) => {
  it('every endpoint answers over a recorded ledger as on the embedded engine', async () => {
    const ledger = parseJson(await readFile(join(folders[1] ?? '', 'ledger-1.json'), 'utf8'), {
      limitBytes: 2 ** 28,
      limitDepth: 512,
    })
    const endpoints = referenceGroups.flatMap((group) => group.endpoints.map(({ endpoint }) => endpoint))
    const answersOf = async () => {
      const answers = await serverExamples(ledger, endpoints)
      return endpoints.map(({ method, path }, at) => ({
        request: `${method} ${path}`,
        answers: answers.get(endpoints[at] as (typeof endpoints)[number]) ?? [],
      }))
    }
    const embedded = await answersOf()
    process.env[DATABASE_VARIABLE] = await server().createDatabase()
    try {
      expect(await answersOf()).toEqual(embedded)
    } finally {
      delete process.env[DATABASE_VARIABLE]
    }
    const said = embedded.filter(({ answers }) => answers.length > 0).map(({ request }) => request)
    for (const path of CALLED_BY_WALLETS) expect(said).toContain(`GET ${path}`)
  })

  it('every case that stores something passes as on the embedded engine', async () => {
    process.env[DATABASE_VARIABLE] = await server().createDatabase()
    try {
      await passStoredCases()
    } finally {
      delete process.env[DATABASE_VARIABLE]
    }
  })

  // Starts two servers.
  it('D-8: every one of these cases passes with reads from a standby', async () => {
    const { database, readDatabase, stop } = await startPostgresPair()
    try {
      // A standby has applied each commit before that is acknowledged, so it is asked nearly always.
      await queryDatabase(database, `alter system set synchronous_standby_names = '*'`)
      await queryDatabase(database, `alter system set synchronous_commit = 'remote_apply'`)
      await queryDatabase(database, 'select pg_reload_conf()')
      process.env[DATABASE_VARIABLE] = database
      process.env[READ_DATABASE_VARIABLE] = readDatabase
      await passStoredCases()
      const [row] = await queryDatabase(
        readDatabase,
        'select xact_commit as count from pg_stat_database where datname = current_database()',
      )
      expect(Number(row?.count)).toBeGreaterThan(100)
    } finally {
      delete process.env[DATABASE_VARIABLE]
      delete process.env[READ_DATABASE_VARIABLE]
      await stop()
    }
  })
})

async function passStoredCases(): Promise<void> {
  const failures: string[] = []
  let passed = 0
  for await (const { path, outcomes } of runChecks(await readFolders(folders), checks)) {
    if (!STORED.test(path)) continue
    expect(outcomes.length).toBeGreaterThan(0)
    for (const outcome of outcomes)
      if (outcome.verdict === 'passed') passed++
      else failures.push(`${path} ${outcome.name}: ${outcome.verdict}`)
  }
  expect(failures).toEqual([])
  expect(passed).toBeGreaterThan(100)
}

it('the command refuses a flag without an address', async () => {
  const command = fileURLToPath(new URL('../dist/command.js', import.meta.url))
  const run = promisify(execFile)(process.execPath, [command, '--database'])
  await expect(run).rejects.toMatchObject({ code: 2 })
})
