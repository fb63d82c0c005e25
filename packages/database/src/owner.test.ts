import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, removeDatabase } from './open-database.ts'
import type { Owner } from './owner.ts'

const migrations = [{ version: 1, statements: 'create table balance (account text)' }]
const ours: Owner = { program: 'ours', tables: ['balance'] }
const theirs: Owner = { program: 'theirs', tables: ['other'] }
const refused = { code: 'STORE_INVALID', message: expect.stringContaining('it belongs to') }

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-owner-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

async function open(owner?: Owner, statement?: string): Promise<void> {
  const { queries, close } = await openDatabase({ folder, migrations, owner })
  try {
    if (statement !== undefined) await sql.raw(statement).execute(queries)
  } finally {
    await close()
  }
}

test('a database opens for its program alone, also without the file that names it', async () => {
  await open(ours)
  await expect(open(theirs)).rejects.toMatchObject(refused)
  await rm(join(folder, 'database.owner'))
  await expect(open(theirs)).rejects.toMatchObject(refused)
  await expect(removeDatabase(folder, theirs)).rejects.toMatchObject(refused)
  await open(ours)
})

test('one without a mark is recognised by its tables, and marked', async () => {
  await open()
  await expect(open(theirs)).rejects.toMatchObject(refused)
  await open(ours, 'alter table balance rename to renamed')
  await open(ours)
  await removeDatabase(folder, ours)
  await open(theirs)
})

test('one of nobody we know is not removed', async () => {
  const { queries, close } = await openDatabase({ folder, migrations: [] })
  await sql`create table notes (text text)`.execute(queries)
  await close()
  await expect(removeDatabase(folder, ours)).rejects.toMatchObject({
    code: 'STORE_INVALID',
    message: expect.stringContaining('notes'),
  })
})
