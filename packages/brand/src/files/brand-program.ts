import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type Expression, type Node, Parser, type Program } from 'acorn'

/** A comment, with its place in the text. */
type Comment = { readonly start: number; readonly end: number }

/** A parsed brand file. */
export type BrandProgram = {
  readonly text: string
  /** The expression that holds the brand. */
  readonly root: SourceNode
  /** Comments by the place where they begin. */
  readonly comments: ReadonlyMap<number, Comment>
  /** Values of constants at the top level. */
  readonly constants: ReadonlyMap<string, SourceNode>
}

/** A node of a program: any expression or member of one. */
export type SourceNode = Node & {
  readonly name?: string
  readonly value?: unknown
  readonly key?: SourceNode
  readonly kind?: string
  readonly computed?: boolean
  readonly method?: boolean
  readonly shorthand?: boolean
  readonly operator?: string
  readonly expression?: SourceNode
  readonly argument?: SourceNode
  readonly arguments?: readonly SourceNode[]
  readonly callee?: SourceNode
  readonly expressions?: readonly SourceNode[]
  readonly properties?: readonly SourceNode[]
  readonly elements?: readonly (SourceNode | null)[]
}

/** A change that cannot be made in the source; the message names the place. */
export class UnsafeEdit extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const TypeScriptParser = Parser.extend(tsPlugin())
const wrappers = [
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TSNonNullExpression',
]

/** Returns the expression inside parentheses and type annotations. */
export const unwrapped = (node: SourceNode): SourceNode =>
  wrappers.includes(node.type) && node.expression !== undefined ? unwrapped(node.expression) : node

/** @throws {UnsafeEdit} if the text exports no object that can be found */
export function parseBrandProgram(text: string, isJson: boolean): BrandProgram {
  const comments = new Map<number, Comment>()
  // The parser may read a part twice, and reports its comments each time.
  const onComment = (_: boolean, __: string, start: number, end: number): void =>
    void comments.set(start, { start, end })
  const options = { ecmaVersion: 'latest', preserveParens: true, onComment, locations: true } as const
  if (isJson) {
    const root: Expression = Parser.parseExpressionAt(text, 0, options)
    return { text, root: root as SourceNode, comments, constants: new Map() }
  }
  const program = TypeScriptParser.parse(text, { ...options, sourceType: 'module' })
  const constants = constantsOf(program)
  const exported = program.body.find(({ type }) => type === 'ExportDefaultDeclaration')
  if (exported?.type !== 'ExportDefaultDeclaration') throw new UnsafeEdit('there is no `export default`', 0)
  return { text, root: exported.declaration as SourceNode, comments, constants }
}

function constantsOf({ body }: Program): ReadonlyMap<string, SourceNode> {
  const statements = body.map((one) =>
    one.type === 'ExportNamedDeclaration' && one.declaration != null ? one.declaration : one,
  )
  const declarations = statements.flatMap((one) =>
    one.type === 'VariableDeclaration' && one.kind === 'const' ? one.declarations : [],
  )
  return new Map(
    declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init != null ? [[id.name, init as SourceNode] as const] : [],
    ),
  )
}

/** Follows names of constants, and the call of `defineBrand`, to a literal. */
export function resolved(program: BrandProgram, node: SourceNode, depth = 0): SourceNode {
  const inner = unwrapped(node)
  const constant = inner.type === 'Identifier' ? program.constants.get(inner.name ?? '') : undefined
  if (constant !== undefined && depth < 9) return resolved(program, constant, depth + 1)
  const [only, ...more] = inner.arguments ?? []
  const isDefinition =
    inner.type === 'CallExpression' && inner.callee?.name === 'defineBrand' && more.length === 0
  return isDefinition && only !== undefined ? resolved(program, only, depth + 1) : inner
}

/** Returns the key of a member as text; undefined if it is computed. */
export function keyOf({ key, computed }: SourceNode): string | undefined {
  if (key === undefined) return undefined
  if (key.type === 'Literal') return String(key.value)
  return key.type === 'Identifier' && computed !== true ? key.name : undefined
}

/** True for data that is written out: no names, calls or operators. */
export function isWrittenOut(node: SourceNode | null): boolean {
  if (node === null) return false
  const { type, properties, elements, expressions, argument, name } = unwrapped(node)
  if (type === 'Literal') return true
  if (type === 'Identifier') return name === 'undefined'
  if (type === 'TemplateLiteral') return expressions?.length === 0
  if (type === 'UnaryExpression') return argument?.type === 'Literal'
  if (type === 'ArrayExpression') return elements?.every(isWrittenOut) ?? false
  if (type !== 'ObjectExpression') return false
  return (
    properties?.every(
      (one) => one.type === 'Property' && keyOf(one) !== undefined && isWrittenOut(one.value as SourceNode),
    ) ?? false
  )
}
