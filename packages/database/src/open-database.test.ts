import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isNodeError } from '@hailstone/protocol'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Migration } from './migrate.ts'
import { openDatabase as open } from './open-database.ts'

type Schema = { balance: { account: string; token_id: string; amount: bigint } }

const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: 'create table balance (account text, token_id text, amount numeric(20, 0) not null)',
  },
]
const openDatabase = ({ folder }: { readonly folder?: string }) => open<Schema>({ folder, migrations })

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-store-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (isNodeError(error) ? error.code : String(error)),
  )

test('keeps 64-bit units exact and answers them as bigint', async () => {
  const { queries, close } = await openDatabase({})
  const row = { account: 'a', token_id: 't', amount: 18446744073709551615n }
  await queries.insertInto('balance').values(row).execute()
  expect(await queries.selectFrom('balance').selectAll().execute()).toEqual([row])
  await close()
})

test('the log of the engine is cut while it is open', async () => {
  const { queries, close } = await openDatabase({})
  const write = sql`with written as (select pg_logical_emit_message(false, '', repeat('x', 280000))) select from written`
  for (let count = 0; count < 260; count++) await write.execute(queries)
  const { rows } = await sql<{ size: bigint }>`
    select pg_current_wal_lsn() - redo_lsn as size from pg_control_checkpoint()`.execute(queries)
  expect(rows[0]?.size).toBeLessThan(64n * 2n ** 20n)
  await close()
})

test('a transaction that fails leaves nothing, and others wait for its end', async () => {
  const { queries, close } = await openDatabase({})
  const failing = queries.transaction().execute(async (transaction) => {
    await transaction.insertInto('balance').values({ account: 'a', token_id: 't', amount: 1n }).execute()
    await new Promise((resolve) => setTimeout(resolve, 20))
    throw new Error('on purpose')
  })
  const reading = queries.selectFrom('balance').selectAll().execute()
  await expect(failing).rejects.toThrow('on purpose')
  expect(await reading).toEqual([])
  await close()
})

test('a folder keeps its rows and belongs to one opener at a time', async () => {
  const first = await openDatabase({ folder })
  await first.queries.insertInto('balance').values({ account: 'a', token_id: 't', amount: 7n }).execute()
  expect(await codeOf(openDatabase({ folder }))).toBe('STORE_LOCKED')
  await first.close()
  const second = await openDatabase({ folder })
  expect(await second.queries.selectFrom('balance').select('amount').execute()).toEqual([{ amount: 7n }])
  await second.close()
})

test('the lock of a killed process is recovered, that of a living one is not', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  const lock = join(folder, 'lock')
  await writeFile(lock, `${child.pid} `)
  expect(await codeOf(openDatabase({ folder }))).toBe('STORE_LOCKED')
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  const { close } = await openDatabase({ folder })
  await close()
})

const unshare = ['-pf', '--mount-proc', '--kill-child']
const hasNamespaces = spawnSync('unshare', [...unshare, 'true']).status === 0

test.runIf(hasNamespaces)(
  'a folder that another container has is locked until that one ends (unshare)',
  async () => {
    const script = `import { takeFileLock } from '@hailstone/runtime/node'
    await takeFileLock(${JSON.stringify(join(folder, 'lock'))})
    console.log('taken')
    setInterval(() => {}, 1000)`
    const options = [...unshare, process.execPath, '--input-type=module', '-e', script]
    const child = spawn('unshare', options, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    const error = await openDatabase({ folder }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'STORE_LOCKED', facts: { folder, processId: 1, place: 'elsewhere' } })
    child.kill('SIGKILL')
    await once(child, 'close')
    const { close } = await openDatabase({ folder })
    await close()
  },
)

test('a folder that a newer version wrote, or the engine cannot open, is left alone', async () => {
  const first = await openDatabase({ folder })
  await sql`insert into migration (version) values (999)`.execute(first.queries)
  await first.close()
  expect(await codeOf(openDatabase({ folder }))).toBe('STORE_INVALID')
  // The refusal gave the folder back.
  expect(await codeOf(openDatabase({ folder }))).toBe('STORE_INVALID')
  await writeFile(join(folder, 'database', 'PG_VERSION'), '99\n')
  for (const _ of ['refused', 'given back'])
    expect(await codeOf(openDatabase({ folder }))).toBe('STORE_INVALID')
})
