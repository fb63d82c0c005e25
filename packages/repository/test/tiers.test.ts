import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

type Manifest = { readonly scripts?: Readonly<Record<string, string>> }
const scriptsOf = (folder: string): Readonly<Record<string, string>> =>
  (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest).scripts ?? {}

const folders = ['packages', 'apps'].flatMap((kind) =>
  readdirSync(join(root, kind)).map((name) => `${kind}/${name}`),
)

const filesBelow = (folder: string): readonly string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
        .filter((file) => !/\/(?:node_modules|dist)\//.test(file))
    : []

/** The parts of a package in which vitest.config.ts looks for tests. */
const tests = folders
  .flatMap((folder) => ['src', 'test', 'tools'].flatMap((part) => filesBelow(`${folder}/${part}`)))
  .filter((file) => /\.test\.tsx?$/.test(file))

/** Processor seconds and seconds by the clock of each file above a second, as the last `npm run test:costs` wrote them. */
const costs = JSON.parse(readFileSync(join(root, 'scripts', 'test-costs.json'), 'utf8')) as Readonly<
  Record<string, { readonly seconds: number; readonly processor: number }>
>

const tierOf = (file: string): string => /\.(gate|browser|night)\.test\.tsx?$/.exec(file)?.[1] ?? 'test'

describe('the tests of the packages', () => {
  it('are run in the tier that their name says, and have no other ending', () => {
    expect(tests.length).toBeGreaterThan(400)
    const strange = tests.filter(
      (file) => /\.(?:gates?|nights?|browsers?)\./.test(file) && tierOf(file) === 'test',
    )
    expect(strange).toEqual([])
  })

  it('are run by the one configuration of the root', () => {
    const others = folders.filter((folder) => existsSync(join(root, folder, 'vitest.config.ts')))
    expect(others).toEqual([])
    for (const folder of folders)
      if (scriptsOf(folder).test !== undefined)
        expect(scriptsOf(folder).test, folder).toMatch(
          // Where a page is built, Vitest would take the settings of the build.
          existsSync(join(root, folder, 'vite.config.ts'))
            ? /^vitest run --config \.\.\/\.\.\/vitest\.config\.ts$/
            : /^vitest run$/,
        )
  })

  it('have a cost only while they are there', () => {
    expect(Object.keys(costs).filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it('have a measured cost where they are gates or run in a browser; `npm run test:costs` writes it', () => {
    const dear = tests.filter((file) => ['gate', 'browser'].includes(tierOf(file)))
    expect(dear.filter((file) => costs[file] === undefined)).toEqual([])
  })
})

/** Most processor seconds that the files of a tier may take, above the sums measured on two cores. */
const BUDGETS: Readonly<Record<string, number>> = { test: 390, gate: 1110, browser: 750 }
/** A file that is not named took less than a second. */
const SHORT = 0.2

describe.each(Object.entries(BUDGETS))('a change', (tier, budget) => {
  it(`takes at most ${budget} s of the processor for its files of the tier "${tier}"`, () => {
    const files = tests.filter((file) => tierOf(file) === tier)
    const total = files.reduce((sum, file) => sum + (costs[file]?.processor ?? SHORT), 0)
    expect(total).toBeGreaterThan(10)
    expect(total).toBeLessThan(budget)
  })
})

describe.each(['.', ...readdirSync(join(root, 'apps')).map((name) => `apps/${name}`)])(
  'the scripts of %s',
  (folder) => {
    it('run programs that are there', () => {
      const programs = Object.values(scriptsOf(folder))
        .flatMap((script) => script.split(' '))
        .filter((word) => /\.(?:mjs|js)$/.test(word) && !word.includes('/dist/'))
      expect(programs.filter((path) => !existsSync(join(root, folder, path)))).toEqual([])
    })
  },
)
