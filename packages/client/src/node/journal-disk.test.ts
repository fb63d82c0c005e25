import { link, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemDisk } from './journal-disk.ts'

let folder: string
const at = (name: string): string => join(folder, name)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-disk-'))
  await writeFile(at('outside'), 'theirs')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it.each([
  ['a symbolic link', symlink],
  ['another name of a file', link],
])('a new journal writes nothing through %s', async (_, connect) => {
  await connect(at('outside'), at('journal.new'))
  const file = await systemDisk.create(at('journal.new'))
  await file.write(Buffer.from('ours'), 0)
  await file.close()
  expect([await readFile(at('outside'), 'utf8'), await readFile(at('journal.new'), 'utf8')]).toEqual([
    'theirs',
    'ours',
  ])
})

it('a copy of a journal takes the place of nothing', async () => {
  await writeFile(at('journal'), 'ours')
  await symlink(at('outside'), at('copy'))
  await expect(systemDisk.copy(at('journal'), at('copy'))).rejects.toMatchObject({ code: 'EEXIST' })
  expect(await readFile(at('outside'), 'utf8')).toBe('theirs')
})
