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

/** Packages whose members are read in an editor. */
const explained = ['client', 'mining-node', 'local-network', 'react'] as const

const FIGURES =
  ts.TypeFlags.NumberLike | ts.TypeFlags.StringLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.BooleanLike

/** True for a member whose type alone says nothing: a figure without a brand, or a function. Literals say what they are. */
function needsWords(type: ts.Type): boolean {
  const parts = (type.isUnion() ? type.types : [type]).filter(
    ({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) === 0,
  )
  const isLiteral = (part: ts.Type): boolean => part.isStringLiteral() || part.isNumberLiteral()
  return parts.some(
    (part) =>
      part.getCallSignatures().length > 0 || ((part.flags & FIGURES) !== 0 && !parts.every(isLiteral)),
  )
}

/** Returns the members of an exported type; those of a variant of a union are explained by the variant. */
function membersOf(node: ts.Node, isOption: boolean): readonly string[] {
  if (ts.isPropertySignature(node) || ts.isMethodSignature(node)) {
    const symbol = checker.getSymbolAtLocation(node.name)
    if (symbol === undefined) return []
    const isBare =
      symbol.getDocumentationComment(checker).length === 0 && symbol.getJsDocTags(checker).length === 0
    const named = `${node.name.getText()} (${node.getSourceFile().fileName.replace(/^.*packages\//, '')})`
    const own = isBare && (isOption || needsWords(checker.getTypeOfSymbol(symbol))) ? [named] : []
    return [...own, ...inside(node, isOption)]
  }
  return inside(node, isOption)
}

const inside = (node: ts.Node, isOption: boolean): readonly string[] => {
  const found: string[] = []
  ts.forEachChild(node, (child) => {
    if (!(ts.isUnionTypeNode(node) && ts.isTypeLiteralNode(child)))
      found.push(...membersOf(child, isOption && !ts.isPropertySignature(node)))
  })
  return found
}

/** Returns the exported members without a word in the editor. */
const bareMembers = (): readonly string[] => [
  ...new Set(
    entries
      .filter(({ entry }) => explained.some((name) => entry.startsWith(packageNameOf(name))))
      .flatMap(({ file }) => exportsOf(file))
      .flatMap(({ name, symbol: { declarations = [] } }) =>
        declarations
          .filter((one) =>
            /packages\/(?:client|mining-node|local-network|react)\//.test(one.getSourceFile().fileName),
          )
          .flatMap((one) =>
            ts.isTypeAliasDeclaration(one)
              ? membersOf(one, /(?:Parameters|Options|Settings|Props)$/.test(name)).map(
                  (text) => `${name}: ${text}`,
                )
              : [],
          ),
      ),
  ),
]

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
        if (isOurs(symbol) && isMeant(symbol)) all.set(symbol, `${entry} ${name}`)
    const bare = [...all].filter(([symbol]) => symbol.getDocumentationComment(checker).length === 0)
    const share = 1 - bare.length / all.size
    expect(share, bare.map(([, name]) => name).join('\n')).toBeGreaterThanOrEqual(least)
  })

  it('explain every member that a user calls, sets or reads as a figure', () => {
    expect(bareMembers()).toStrictEqual([])
  })

  it('show an example of every function of the first tutorial, every hook and every watch', () => {
    const tutorial = readFileSync(
      join(folderOf('client'), '../../apps/docs/snippets/first-reward.ts'),
      'utf8',
    )
    const [, names = ''] = /import \{(.*?)\} from '@hailstone\/mining-node'/s.exec(tutorial) ?? []
    const begun = ['createClient', ...names.split(',').map((name) => name.trim())]
    const isShown = (name: string): boolean =>
      begun.includes(name) || /^(?:use|watch)[A-Z]/.test(name) || name === 'createAccountWatch'
    const shown = entries
      .filter(({ entry }) => explained.some((name) => entry.startsWith(packageNameOf(name))))
      .flatMap(({ entry, file }) => exportsOf(file).map((one) => ({ ...one, entry })))
      .filter(({ name, symbol }) => isShown(name) && (symbol.flags & ts.SymbolFlags.Value) !== 0)
    expect(shown.length).toBeGreaterThan(20)
    expect(
      shown
        .filter(({ symbol }) => !symbol.getJsDocTags(checker).some(({ name }) => name === 'example'))
        .map(({ entry, name }) => `${entry} ${name}`),
    ).toStrictEqual([])
  })
})
