import { existsSync } from 'node:fs'
import { mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aboutPath, makeFolder, systemCause, systemFaultOf } from './system-fault.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-fault-'))
})
afterAll(() => rm(folder, { recursive: true }))

const errorOf = (task: () => Promise<unknown>): Promise<unknown> =>
  task().then(
    () => null,
    (error: unknown) => error,
  )

it('says path and cause', async () => {
  const path = join(folder, 'none')
  expect(systemFaultOf(await errorOf(() => readdir(path)))).toBe(
    `${path}: there is no such file or folder (ENOENT).`,
  )
  expect(systemFaultOf(new Error('something else'))).toBeNull()
  const withoutFolder = Object.assign(new Error('uv_cwd'), { code: 'ENOENT', syscall: 'uv_cwd' })
  expect(systemFaultOf(withoutFolder)).toBe('The working folder: there is no such file or folder (ENOENT).')
  expect([systemCause('ENOSPC'), systemCause('EXDEV')]).toEqual([
    'the disk is full (ENOSPC)',
    'the system says EXDEV',
  ])
})

it.runIf(existsSync('/dev/full'))('names the path of a write, whose error has none', async () => {
  const file = await open('/dev/full', 'w')
  const write = () => file.writeFile('x')
  expect(systemFaultOf(await errorOf(write))).toBeNull()
  expect(systemFaultOf(await errorOf(() => aboutPath('/dev/full', write)))).toBe(
    '/dev/full: the disk is full (ENOSPC).',
  )
  await file.close().catch(() => undefined)
})

it('makes a folder with those above it, or throws the error of the first that cannot be made', async () => {
  const path = join(folder, 'a', 'b')
  await makeFolder(path)
  await makeFolder(path)
  expect(await readdir(path)).toEqual([])
  const file = join(folder, 'file')
  await writeFile(file, '')
  expect(systemFaultOf(await errorOf(() => makeFolder(file)))).toBe(
    `${file}: a file of this name is there already (EEXIST).`,
  )
  const long = join(dirname(file), 'a'.repeat(300))
  expect(systemFaultOf(await errorOf(() => makeFolder(long)))).toBe(
    `${long}: a name of the path is too long (ENAMETOOLONG).`,
  )
  expect(systemFaultOf(await errorOf(() => makeFolder(join(file, 'a'))))).toBe(
    `${join(file, 'a')}: a part of the path is a file (ENOTDIR).`,
  )
})

it('makes the same folder several times at once', async () => {
  const path = join(folder, 'c', 'd', 'e')
  await Promise.all(Array.from({ length: 8 }, () => makeFolder(path)))
  expect(await readdir(path)).toEqual([])
})

it.runIf(existsSync('/proc/self'))('ends where the system has no such folder and creates none', async () => {
  expect(systemFaultOf(await errorOf(() => makeFolder('/proc/hailstone/chain')))).toBe(
    '/proc/hailstone: there is no such file or folder (ENOENT).',
  )
})
