import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
// @ts-expect-error -- a script of the repository, without types
import { errorPage, metadataOf, publishedFolders, readErrorPage } from '../../../scripts/project.mjs'
import { manifestIn } from './support/lay-out.ts'
import { folderOf, packageNameOf, published, root } from './support/workspace.ts'

type Manifest = Readonly<Record<string, unknown>> & {
  readonly dependencies?: Readonly<Record<string, string>>
}
const ours = new Set(published.map(packageNameOf))

describe.each(published)('the manifest of %s', (name) => {
  const manifest = manifestIn(folderOf(name)) as unknown as Manifest

  it('says what the package is, for whom, where it is from, and that everybody may have it', () => {
    expect(manifest).toMatchObject({
      ...metadataOf(name),
      name: packageNameOf(name),
      version: '0.1.0',
      type: 'module',
      exports: { './package.json': './package.json' },
    })
    expect(manifest.funding).toBeUndefined()
    expect(String(manifest.description)).toMatch(/^[A-Z].{30,160}$/)
    expect(manifest.keywords).toContain('proof-of-activity')
    expect(manifest.private).toBeUndefined()
    expect(manifest.files).toContain(name === 'hailstone-brand' ? 'bin' : 'dist')
  })

  it('takes ranges of what it brings along, so that applications have one copy of each', () => {
    for (const [dependency, range] of Object.entries(manifest.dependencies ?? {}))
      expect([dependency, range]).toStrictEqual([
        dependency,
        ours.has(dependency) ? 'workspace:^' : 'catalog:published',
      ])
  })

  it('runs no script where it is installed', () => {
    const scripts = Object.keys((manifest.scripts ?? {}) as object)
    expect(scripts.filter((script) => /^(pre|post)?install$|^prepare$/.test(script))).toStrictEqual([])
  })
})

it('errors name pages of the documentation that the manifests name', () => {
  expect(readErrorPage()).toBe(errorPage())
})

it('every command is a package of its own name, so that npx runs ours in any folder', () => {
  const commands = published.flatMap((name) => Object.keys(manifestIn(folderOf(name)).bin ?? {}))
  expect(commands.length).toBeGreaterThan(5)
  expect(commands.filter((command) => !ours.has(command))).toStrictEqual([])
})

/** Ranges that stop before a version that a promised Node refuses. */
const NARROWER = ['"light-my-request": ~6.6.0']

it('every range of the published catalog is a caret range', () => {
  const text = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const block = /^ {2}published:\n((?: {4}.*\n)+)/m.exec(text)?.[1] ?? ''
  const ranges = block
    .trim()
    .split('\n')
    .filter((line) => !/^ *#/.test(line) && !NARROWER.includes(line.trim()))
  expect(ranges.length).toBeGreaterThan(10)
  for (const line of ranges) expect(line).toMatch(/^ *"?[@\w./-]+"?: \^\d+\.\d+\.\d+$/)
})

it('the list of published packages is that of the scripts', () => {
  expect(publishedFolders().toSorted()).toStrictEqual([...published].toSorted())
})

it('every other package of the workspace is private', () => {
  const folders = ['packages', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((folder) => join(root, kind, folder)),
  )
  const isPublic = (folder: string): boolean => (manifestIn(folder) as unknown as Manifest).private !== true
  expect(folders.filter(isPublic).toSorted()).toStrictEqual(published.map(folderOf).toSorted())
})
