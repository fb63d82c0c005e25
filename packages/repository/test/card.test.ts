import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

type Manifest = {
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest

/**
 * Returns what a module imports from packages, itself or through modules of its own package. Imports of types, and those
 * of which nothing is used, do not count.
 */
async function importsOf(module: string): Promise<readonly string[]> {
  const bundle = await rolldown({
    input: join(root, module),
    external: /^[^./]/,
    platform: 'node',
    treeshake: { moduleSideEffects: false },
    logLevel: 'silent',
  })
  const { output } = await bundle.generate()
  await bundle.close()
  // An import of nothing is printed as `import "name"`.
  return output
    .flatMap((chunk) => (chunk.type === 'chunk' ? [chunk.code] : []))
    .flatMap((code) => [...code.matchAll(/^import .* from "([^"]+)"|\bimport\("([^"]+)"\)/gm)])
    .map(([, imported, loaded]) => String(imported ?? loaded))
}

const isOf = (name: string) => (imported: string) => imported === name || imported.startsWith(`${name}/`)

const minerEntries = [
  'src/events.ts',
  'src/node.ts',
  'src/browser.ts',
  'src/fleet/index.ts',
  'src/watch/index.ts',
]

/** The packages that the customer chose, each with the package that it is for, and modules there that use it. */
const libraries = [
  { name: 'eventemitter3', folder: 'packages/mining-node', modules: minerEntries },
  { name: 'undici', folder: 'packages/client', modules: ['src/node.ts'] },
  { name: 'undici', folder: 'packages/mining-node', modules: ['src/node.ts'] },
  { name: '@noble/secp256k1', folder: 'packages/protocol', modules: ['src/index.ts'] },
  { name: 'zod', folder: 'packages/brand', modules: ['src/schema/brand-schema.ts', 'src/check.ts'] },
  { name: 'zod', folder: 'packages/fault-injection', modules: ['src/parse-fault-script.ts', 'src/index.ts'] },
  { name: 'zod', folder: 'apps/console', modules: ['src/bin.ts'] },
]

describe("the customer's packages", () => {
  it.each(libraries)('$name is a dependency of $folder, which uses it', async ({ name, folder, modules }) => {
    expect(Object.keys(manifestOf(folder).dependencies ?? {})).toContain(name)
    for (const module of modules)
      expect((await importsOf(join(folder, module))).filter(isOf(name)), module).not.toEqual([])
  })

  it.each([
    ['apps/white-label', 'vite.config.ts'],
    ['apps/sample', 'vite.config.ts'],
    ['apps/explorer', 'vite.config.ts'],
    ['apps/console', 'page/vite.config.ts'],
  ])('vite builds %s', async (folder, config) => {
    const { devDependencies = {}, scripts = {} } = manifestOf(folder)
    expect(Object.keys(devDependencies)).toContain('vite')
    expect(scripts.build).toMatch(/\bvite build\b/)
    expect((await importsOf(join(folder, config))).filter(isOf('vite'))).not.toEqual([])
  })

  it.each([
    ['turbo', /\(\s*'turbo',/],
    ['vitest', /from 'vitest\/config'/],
  ])('%s is a tool of the root, whose scripts use it', (name, use) => {
    expect(Object.keys(manifestOf('.').devDependencies ?? {})).toContain(name)
    const programs = readdirSync(join(root, 'scripts'))
      .map((file) => join('scripts', file))
      .concat('vitest.config.ts')
      .filter((file) => /\.(?:mjs|ts)$/.test(file) && existsSync(join(root, file)))
    expect(programs.filter((file) => use.test(readFileSync(join(root, file), 'utf8')))).not.toEqual([])
  })
})
