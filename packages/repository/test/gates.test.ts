import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Name, sizes of both tiers, files of tests, and the commands of larger sizes. */
const rows = [...read('docs/gates.md').matchAll(/^\| ([ACDGS]-\d+) \|.*\| (.*) \| (.*) \| (.*) \|$/gm)].map(
  ([, name = '', sizes = '', tests = '', larger = '']) => ({
    name,
    /** True if the row says in plain words why there is no test. */
    isUntested: /not tested, because \w+ .{10,}/.test(tests),
    sizes: [...sizes.matchAll(/([\d.,]+) \/ ([\d.,]+)/g)].map((tiers) =>
      tiers.slice(1).map((size) => Number(size.replaceAll(',', ''))),
    ),
    files: [...tests.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file.replace(/^\.\.\//, '')),
    commands: [...larger.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command),
  }),
)

/** The folder of the package that a file belongs to. */
const packageOf = (file: string): string => file.split('/').slice(0, 2).join('/')

it('the page of gates has every row that is promised, and no other', () => {
  const promised = [
    ...Array.from({ length: 25 }, (_, at) => `G-${at + 1}`),
    ...Array.from({ length: 14 }, (_, at) => `S-${at + 1}`),
    ...['C-1', 'C-2', 'C-3', 'C-4', 'C-5', 'C-7', 'C-8', 'C-9', 'C-10', 'C-11'],
    ...['D-1', 'D-2', 'D-3', 'D-4', 'D-5', 'D-6', 'D-7', 'D-8', 'D-9'],
  ]
  expect(rows.map(({ name }) => name).filter((name) => !name.startsWith('A'))).toEqual(promised)
})

it('the rows of attacks stand once each, in order, and name attacks that exist', () => {
  const attacks = rows.filter(({ name }) => name.startsWith('A'))
  const numbers = attacks.map(({ name }) => Number(name.slice(2)))
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
  const listed = read('packages/attack/src/attacks/index.ts')
  for (const { name, commands } of attacks) {
    // A dash: its faults need a database server, which its tests start.
    if (commands.length === 0) continue
    const names = commands.flatMap((command) =>
      [...command.matchAll(/--only ([\w-]+)/g)].map(([, one]) => one),
    )
    for (const one of names) expect(listed, name).toContain(`./${one}.ts`)
  }
})

const numberOf = (text: string): number => Number(text.replaceAll('_', ''))

/** The sizes that a source passes to `gateSize`, for a change and by night. */
const sizesIn = (source: string): readonly (readonly number[])[] => [
  ...[...source.matchAll(/\{ change: ([\d_.]+), night: ([\d_.]+) \}/g)].map((sizes) =>
    sizes.slice(1).map(numberOf),
  ),
  ...[...source.matchAll(/gateSize\('\w+', ([\d_.]+)\)/g)].map(([, size = '']) => [
    numberOf(size),
    numberOf(size),
  ]),
]

describe.each(rows)('$name', ({ name, sizes, files, commands, isUntested }) => {
  it('has tests that carry its name, or says why it has none', () => {
    expect(files.length > 0 || isUntested).toBe(true)
    const title = new RegExp(`['"\`](?:[A-Z]-?\\d+, )*${name}\\b`)
    for (const file of files) expect(read(file), file).toMatch(title)
  })

  it('has the sizes that its tests have', () => {
    const found = files.flatMap((file) => sizesIn(read(file) + helpersOf(file)))
    for (const size of sizes) expect(found).toContainEqual(size)
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

/** Returns the source of the local modules that a test imports: some read a variable for several tests. */
const helpersOf = (file: string): string =>
  [...read(file).matchAll(/from '(\.\.?\/[^']+)'/g)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter((path) => path.startsWith(packageOf(file)) || path.startsWith('scripts/'))
    .map(read)
    .join('\n')
