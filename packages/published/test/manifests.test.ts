import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manifestIn } from './support/lay-out.ts'
import { folderOf, packageNameOf, published, root } from './support/workspace.ts'

type Manifest = Readonly<Record<string, unknown>> & {
  readonly dependencies?: Readonly<Record<string, string>>
}
const ours = new Set(published.map(packageNameOf))

describe.each(published)('the manifest of %s', (name) => {
  const manifest = manifestIn(folderOf(name)) as unknown as Manifest

  it('says what the package is, for whom, and that everybody may have it', () => {
    expect(manifest).toMatchObject({
      version: '0.1.0',
      license: 'MIT',
      type: 'module',
      engines: { node: '>=20.19.0' },
      publishConfig: { access: 'public' },
      exports: { './package.json': './package.json' },
    })
    expect(String(manifest.description)).toMatch(/^[A-Z].{30,160}$/)
    expect(manifest.keywords).toContain('proof-of-activity')
    expect(manifest.private).toBeUndefined()
    expect(manifest.files).toContain('dist')
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

it('every range of the published catalog is a caret range', () => {
  const text = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const block = /^ {2}published:\n((?: {4}.*\n)+)/m.exec(text)?.[1] ?? ''
  const ranges = block.trim().split('\n')
  expect(ranges.length).toBeGreaterThan(10)
  for (const line of ranges) expect(line).toMatch(/^ *"?[@\w./-]+"?: \^\d+\.\d+\.\d+$/)
})

it('every other package of the workspace is private', () => {
  const folders = ['packages', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((folder) => join(root, kind, folder)),
  )
  const isPublic = (folder: string): boolean => (manifestIn(folder) as unknown as Manifest).private !== true
  expect(folders.filter(isPublic).toSorted()).toStrictEqual(published.map(folderOf).toSorted())
})
