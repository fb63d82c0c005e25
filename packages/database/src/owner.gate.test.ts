import { watch } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { openDatabase, removeDatabase } from './open-database.ts'
import { assertOwner, type Owner } from './owner.ts'

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

test.each(['database', 'database.new'])(
  'files of a stranger in a folder %s are left as they are',
  async (name) => {
    const place = join(folder, name)
    await mkdir(join(place, 'more'), { recursive: true })
    await writeFile(join(place, 'schema.sql'), 'create table diary (text text)')
    await writeFile(join(place, 'more', 'notes.txt'), 'notes')
    const named = { code: 'STORE_INVALID', message: expect.stringContaining(place) }
    await expect(removeDatabase(folder, ours)).rejects.toMatchObject(named)
    await expect(open(ours)).rejects.toMatchObject(named)
    await expect(open()).rejects.toMatchObject(named)
    await writeFile(join(folder, 'database.owner'), 'ours\n')
    await expect(removeDatabase(folder, ours)).rejects.toMatchObject(named)
    expect(await readdir(place, { recursive: true })).toHaveLength(3)
  },
)

test('nothing is written into a folder with files of a stranger and without a database', async () => {
  await writeFile(join(folder, 'thesis.txt'), 'notes')
  const named = { code: 'STORE_INVALID', message: expect.stringContaining('thesis.txt') }
  const watched = watch(folder)
  const seen: string[] = []
  watched.on('change', (_, name) => seen.push(String(name)))
  await expect(open(ours)).rejects.toMatchObject(named)
  await expect(open()).rejects.toMatchObject(named)
  await expect(removeDatabase(folder, ours)).rejects.toMatchObject(named)
  await rm(join(folder, 'thesis.txt'))
  await expect.poll(() => seen).toContain('thesis.txt')
  expect(seen.filter((name) => name !== 'thesis.txt')).toEqual([])
  watched.close()
  for (const name of ['.hidden', 'lost+found', 'running']) await mkdir(join(folder, name))
  await open(ours)
  // Whatever comes beside a database later is in nobody's way.
  await writeFile(join(folder, 'thesis.txt'), 'notes')
  await open(ours)
})

test.each(['create table diary (text text)', 'create function half(given int) returns int return given / 2'])(
  'a database of nobody we know stays, also beside an old file that names us (%s)',
  async (statement) => {
    const { queries, close } = await openDatabase({ folder, migrations: [] })
    await sql.raw(statement).execute(queries)
    await close()
    const refusal = { code: 'STORE_INVALID', message: expect.stringContaining(join(folder, 'database')) }
    await expect(removeDatabase(folder, ours)).rejects.toMatchObject(refusal)
    await writeFile(join(folder, 'database.owner'), 'ours\n')
    await expect(removeDatabase(folder, ours)).rejects.toMatchObject(refusal)
    if (statement.includes('diary')) await expect(open(ours)).rejects.toMatchObject(refused)
  },
)

test('an empty folder in the place of a database is used, and a damaged database of ours removed', async () => {
  await mkdir(join(folder, 'database'))
  await removeDatabase(folder, ours)
  await mkdir(join(folder, 'database'))
  await open(ours)
  await rm(join(folder, 'database', 'global'), { recursive: true })
  await removeDatabase(folder, ours)
  expect(await readdir(folder)).toEqual([])
})

test('a first start that fails leaves no mark, and no table, among those of a stranger', async () => {
  const { queries, close } = await openDatabase({ folder, migrations: [] })
  await sql`create table balance (text text)`.execute(queries)
  await expect(migrate(queries, migrations, undefined, ours)).rejects.toMatchObject({
    code: 'STORE_INVALID',
    message: expect.stringContaining('in the way'),
  })
  expect(await assertOwner(queries, ours)).toBe(false)
  await sql`create table migration (name text)`.execute(queries)
  await expect(assertOwner(queries, ours)).rejects.toMatchObject(refused)
  await sql`drop table balance`.execute(queries)
  await expect(assertOwner(queries, ours)).rejects.toMatchObject(refused)
  await close()
})

test('of two programs that begin at once, one has the tables and the other is refused', async () => {
  const { queries, close } = await openDatabase({ folder, migrations: [] })
  const others = [{ version: 1, statements: 'create table other (account text)' }]
  const outcomes = await Promise.allSettled([
    migrate(queries, migrations, undefined, ours),
    migrate(queries, others, undefined, theirs),
  ])
  expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: refused }])
  expect(await assertOwner(queries, ours)).toBe(true)
  const { rows } = await sql`select version from migration`.execute(queries)
  expect(rows).toHaveLength(1)
  await close()
})
