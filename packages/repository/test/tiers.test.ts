import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

type Manifest = { readonly scripts?: Readonly<Record<string, string>> }
const scriptsOf = (folder: string): Readonly<Record<string, string>> =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest).scripts ?? {}

const testsOf = (folder: string): readonly string[] =>
  ['src', 'test', 'tools']
    .filter((part) => existsSync(join(folder, part)))
    .flatMap((part) =>
      readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${part}/${file.replaceAll('\\', '/')}`,
      ),
    )
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules'))

/** The files of a package that a script like `vitest run src test/a.test.ts --exclude test/b.test.ts` runs. */
function filesOf(script: string, files: readonly string[]): readonly string[] {
  const words = script.replace(/^vitest run ?/, '').split(' ')
  const excluded = words.flatMap((word, at) => (words[at - 1] === '--exclude' ? [word] : []))
  const named = words.filter((word) => word !== '' && !word.startsWith('--') && !excluded.includes(word))
  return files.filter(
    (file) => !excluded.includes(file) && (named.length === 0 || named.some((name) => file.includes(name))),
  )
}

const folders = ['packages', 'apps']
  .flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}`))
  .filter((folder) => existsSync(join(root, folder, 'vitest.config.ts')))

describe.each(['.', ...readdirSync(join(root, 'apps')).map((name) => `apps/${name}`)])(
  'the scripts of %s',
  (folder) => {
    it('run programs that are there', () => {
      const programs = Object.values(scriptsOf(join(root, folder)))
        .flatMap((script) => script.split(' '))
        .filter((word) => /\.(?:mjs|js)$/.test(word) && !word.includes('/dist/'))
      expect(programs.filter((path) => !existsSync(join(root, folder, path)))).toEqual([])
    })
  },
)

describe.each(folders)('the tiers of %s', (folder) => {
  const scripts = scriptsOf(join(root, folder))
  const files = testsOf(join(root, folder))
  const tiers = ['test', 'test:gates', 'test:browser', 'test:night'].map((name) => scripts[name] ?? '')

  it('run vitest in a way that this test understands', () => {
    for (const script of tiers.filter((one) => one !== '')) expect(script).toMatch(/^vitest run\b[^&|;'"*]*$/)
  })

  it('run every file of tests, in one tier at least', () => {
    const run = new Set(tiers.filter((script) => script !== '').flatMap((script) => filesOf(script, files)))
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((file) => !run.has(file))).toEqual([])
  })

  it('name and exclude no file that is not there', () => {
    const named = tiers.flatMap((script) => script.match(/\S+\.test\.tsx?/g) ?? [])
    expect(named.filter((file) => !files.includes(file))).toEqual([])
  })

  it('run each file that is larger in the gates tier there', () => {
    const [, ...later] = tiers
    const run = new Set(later.filter((script) => script !== '').flatMap((script) => filesOf(script, files)))
    const larger = files.filter((file) =>
      /\bfrom '[./]+\/scripts\/gate-size\.ts'/.test(readFileSync(join(root, folder, file), 'utf8')),
    )
    expect(larger.filter((file) => !run.has(file))).toEqual([])
  })
})
