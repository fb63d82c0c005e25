import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checks } from './checks/index.ts'
import { readFolders } from './read-folders.ts'
import { type FileReport, runChecks } from './run-checks.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-folders-'))
})
afterAll(() => rm(folder, { recursive: true }))

const referral = JSON.stringify({
  cases: [{ name: 'bad', op: 'decode', code: 'ref_', valid: false, reason: 'length' }],
})

async function place(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const path = join(folder, name)
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(path, file, '..'), { recursive: true })
    await writeFile(join(path, file), text)
  }
  return path
}

async function reports(path: string): Promise<Readonly<Record<string, FileReport>>> {
  const found: Record<string, FileReport> = {}
  for await (const report of runChecks(await readFolders([path]), checks))
    found[relative(path, report.path)] = report
  return found
}

it('finds files by what they hold: whatever their name, in folders of folders, behind links', async () => {
  const elsewhere = await place('elsewhere', { 'inside/deep.json': referral, 'alone.json': referral })
  const path = await place('given', {
    'a.json': referral,
    'B.JSON': referral,
    'c.Json': referral,
    'no-name': referral,
    'one/two/three/d.json': referral,
    'with-a-mark.json': `\uFEFF${referral}`,
  })
  await symlink(join(elsewhere, 'inside'), join(path, 'linked-folder'))
  await symlink(join(elsewhere, 'alone.json'), join(path, 'linked-file'))
  const found = await reports(path)
  expect(Object.keys(found).sort()).toEqual([
    'B.JSON',
    'a.json',
    'c.Json',
    'linked-file',
    'linked-folder/deep.json',
    'no-name',
    'one/two/three/d.json',
    'with-a-mark.json',
  ])
  for (const { kind, outcomes } of Object.values(found)) {
    expect(kind).toBe('referral codes')
    expect(outcomes).toMatchObject([{ verdict: 'passed' }])
  }
})

it('does not go round in circles', async () => {
  const path = await place('circle', { 'inner/a.json': referral })
  await symlink(path, join(path, 'inner', 'back'))
  expect(Object.keys(await reports(path))).toEqual(['inner/a.json'])
})

it('names what it leaves out, and fails for what should be JSON and is not', async () => {
  const path = await place('others', {
    'README.md': '# About',
    'list.md': '[a link](there)',
    'broken.json': '{"cases": [',
    'empty.json': '',
    'other.json': '{"a": 1}',
    'nothing.json': '{"cases": []}',
  })
  await symlink(join(path, 'nowhere.json'), join(path, 'dead.json'))
  const found = await reports(path)
  const reported = Object.fromEntries(
    Object.entries(found).map(([name, { leftOut, outcomes }]) => [
      name,
      leftOut ?? outcomes.map((outcome) => (outcome.verdict === 'failed' ? outcome.reason : '')).join(),
    ]),
  )
  expect(reported).toEqual({
    'README.md': 'neither its name nor its text is JSON',
    'list.md': 'neither its name nor its text is JSON',
    'broken.json': expect.stringContaining('not JSON'),
    'empty.json': expect.stringContaining('not JSON'),
    'other.json': 'not understood: the file has none of the known shapes',
    'nothing.json': 'not understood: the file holds no case',
    'dead.json': expect.stringContaining('ENOENT'),
  })
})
