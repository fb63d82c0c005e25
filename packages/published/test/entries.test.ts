import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-oldest'
import { describe, expect, it } from 'vitest'
import { folderOf, packageNameOf, published } from './support/workspace.ts'

type Target = string | { readonly [condition: string]: Target }

/** Returns the declaration files of an entry, one per platform. */
function typesOf(target: Target): readonly string[] {
  if (typeof target === 'string') return []
  return Object.entries(target).flatMap(([condition, value]) =>
    condition === 'types' && typeof value === 'string' ? [value] : typesOf(value),
  )
}

const entries = published.flatMap((name) => {
  const folder = folderOf(name)
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly exports?: Readonly<Record<string, Target>>
  }
  return Object.entries(exports).flatMap(([path, target]) =>
    typesOf(target).map((file) => ({
      entry: `${packageNameOf(name)}${path.slice(1)} (${file.replace('./dist/', '')})`,
      file: join(folder, file),
    })),
  )
})

const program = ts.createProgram(
  entries.map(({ file }) => file),
  {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
)
const checker = program.getTypeChecker()

/** Returns the exported symbols of an entry, re-exports resolved. */
function exportsOf(file: string): readonly { readonly name: string; readonly symbol: ts.Symbol }[] {
  const source = program.getSourceFile(file)
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${file} has no exports`)
  return checker
    .getExportsOfModule(module)
    .map((symbol) => ({
      name: symbol.name,
      symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

const isOurs = ({ declarations = [] }: ts.Symbol): boolean =>
  declarations.some((one) => !one.getSourceFile().fileName.includes('/node_modules/'))

describe('the entries of the published packages', () => {
  it('are built', () => {
    expect(entries.filter(({ file }) => !existsSync(file))).toStrictEqual([])
    expect(entries.length).toBeGreaterThan(20)
  })

  it('export these values and types and no others', () => {
    const names = Object.fromEntries(
      entries.map(({ entry, file }) => [
        entry,
        exportsOf(file).map(({ name, symbol }) =>
          symbol.flags & ts.SymbolFlags.Value ? name : `type ${name}`,
        ),
      ]),
    )
    expect(names).toMatchSnapshot()
  })

  it.each([
    ['values', 0.95, (symbol: ts.Symbol) => (symbol.flags & ts.SymbolFlags.Value) !== 0],
    ['types', 0.95, (symbol: ts.Symbol) => (symbol.flags & ts.SymbolFlags.Value) === 0],
  ] as const)('document at least 95 %% of their %s', (_, least, isMeant) => {
    const all = new Map<ts.Symbol, string>()
    for (const { entry, file } of entries)
      for (const { name, symbol } of exportsOf(file))
        if (isOurs(symbol) && isMeant(symbol) && !/(?:Parameters|Options)$/.test(name))
          all.set(symbol, `${entry} ${name}`)
    const bare = [...all].filter(([symbol]) => symbol.getDocumentationComment(checker).length === 0)
    const share = 1 - bare.length / all.size
    expect(share, bare.map(([, name]) => name).join('\n')).toBeGreaterThanOrEqual(least)
  })
})
