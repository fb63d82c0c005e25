import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { describePostgres } from '../../local-network/test/engines.ts'
import { checks } from '../src/checks/index.ts'
import { DATABASE_VARIABLE } from '../src/offline-api.ts'
import { readFolders } from '../src/read-folders.ts'
import { runChecks } from '../src/run-checks.ts'

const folders = ['vectors', 'recorded'].map((name) => fileURLToPath(new URL(`../${name}`, import.meta.url)))

/** Files whose cases store and read data. The embedded engine runs all of them. */
const STORED = /(http-\d|post_tx|api_responses)\.json$/

describePostgres('on PostgreSQL', (server) => {
  it('every case that stores something passes as on the embedded engine', async () => {
    process.env[DATABASE_VARIABLE] = await server().createDatabase()
    try {
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
    } finally {
      delete process.env[DATABASE_VARIABLE]
    }
  })
})

it('the command refuses a flag without an address', async () => {
  const command = fileURLToPath(new URL('../dist/command.js', import.meta.url))
  const run = promisify(execFile)(process.execPath, [command, '--database'])
  await expect(run).rejects.toMatchObject({ code: 2 })
})
