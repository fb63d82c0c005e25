import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Name, files of tests, and the commands of larger sizes. */
const rows = [...read('GATES.md').matchAll(/^\| ([GS]-\d+) \|.*\| (.*) \| (.*) \|$/gm)].map(
  ([, name = '', tests = '', larger = '']) => ({
    name,
    files: [...tests.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file),
    commands: [...larger.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command),
  }),
)

/** The folder of the package that a file belongs to. */
const packageOf = (file: string): string => file.split('/').slice(0, 2).join('/')

it('the page of gates has every row with a gate for each commit, and no other', () => {
  const promised = [
    ...Array.from({ length: 19 }, (_, at) => `G-${at + 1}`),
    ...[1, 2, 3, 4, 5, 6, 7, 8, 10, 13].map((number) => `S-${number}`),
  ]
  expect(rows.map(({ name }) => name)).toEqual(promised)
})

describe.each(rows)('$name', ({ name, files, commands }) => {
  it('has tests that carry its name', () => {
    expect(files.length).toBeGreaterThan(0)
    const title = new RegExp(`['"\`](?:[A-Z]-?\\d+, )*${name}\\b`)
    for (const file of files) expect(read(file), file).toMatch(title)
  })

  it('has larger sizes that exist', () => {
    const scripts = [root, ...files.map((file) => join(root, packageOf(file)))].map(
      (folder) => (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest).scripts,
    )
    const sources = files.map((file) => read(file) + helpersOf(file)).join('\n')
    for (const command of commands) {
      const [, script] = /npm run ([\w:]+)/.exec(command) ?? []
      if (script !== undefined)
        expect(
          scripts.some((one) => script in one),
          command,
        ).toBe(true)
      for (const [variable] of command.matchAll(/HAILSTONE_\w+/g))
        expect(sources, command).toContain(variable)
      for (const [path] of command.matchAll(/(?:src|test)\/[\w./-]+\.(?:ts|mjs)/g)) {
        expect(
          files.some((file) => packageHas(file, path)),
          command,
        ).toBe(true)
      }
    }
  })
})

type Manifest = { readonly scripts: Readonly<Record<string, string>> }

const packageHas = (file: string, path: string): boolean => {
  try {
    return read(join(packageOf(file), path)).length > 0
  } catch {
    return false
  }
}

/** What a test imports from beside itself: some read a variable for several. */
const helpersOf = (file: string): string =>
  [...read(file).matchAll(/from '(\.\.?\/[^']+)'/g)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter((path) => path.startsWith(packageOf(file)))
    .map(read)
    .join('\n')
