import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openFileCursors } from './file-cursors.ts'

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'cursors-'))
})
afterEach(() => rm(parent, { recursive: true }))

it('gives back what was written, in this run and in the next, and null before', async () => {
  const folder = join(parent, 'deep', 'folder')
  const cursors = openFileCursors({ folder })
  expect(await cursors.read('rewards:pulse:02ab')).toBeNull()
  await cursors.write('rewards:pulse:02ab', 'one')
  await cursors.write('rewards:pulse:02AB', 'other')
  expect(await cursors.read('rewards:pulse:02ab')).toBe('one')
  expect(await openFileCursors({ folder }).read('rewards:pulse:02AB')).toBe('other')
})

it('keeps the last of many writings at once, and leaves nothing else in the folder', async () => {
  const cursors = openFileCursors({ folder: parent })
  await Promise.all(Array.from({ length: 50 }, (_, at) => cursors.write('name', `text ${at}`)))
  expect(await cursors.read('name')).toBe('text 49')
  expect(await readdir(parent)).toEqual(['name.json'])
})

it('keeps names inside its folder, whatever they hold', async () => {
  const folder = join(parent, 'inner')
  const cursors = openFileCursors({ folder })
  await cursors.write('../../escape', 'text')
  expect(await readdir(parent)).toEqual(['inner'])
  expect(await cursors.read('../../escape')).toBe('text')
})

it('T9: lets nobody else read its files', async () => {
  const cursors = openFileCursors({ folder: parent })
  await cursors.write('name', 'text')
  expect((await stat(join(parent, 'name.json'))).mode & 0o777).toBe(0o600)
})

it('T2: a writing that fails leaves the old text', async () => {
  const folder = join(parent, 'file')
  await writeFile(folder, 'in the way')
  const cursors = openFileCursors({ folder })
  await expect(cursors.write('name', 'text')).rejects.toThrow()
  await rm(folder)
  await cursors.write('name', 'text')
  expect(await cursors.read('name')).toBe('text')
})
