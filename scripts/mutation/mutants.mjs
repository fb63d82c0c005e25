// Small changes of a source file that a good test should notice.
import { parseAst } from 'rolldown/parseAst'

/** Operator → the operators that replace it, one mutant each. */
const operators = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '^': ['|'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '++': ['--'],
  '--': ['++'],
}
const methods = { every: 'some', some: 'every', min: 'max', max: 'min', startsWith: 'endsWith' }

/** Type nodes that wrap code. Any other type node contains none. */
const transparent = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])
const skipped = new Set(['ImportDeclaration', 'ExportAllDeclaration'])

/**
 * @param {string} code the text of a TypeScript file
 * @returns {readonly { start: number, end: number, text: string, line: number, what: string }[]}
 */
export function mutantsOf(code) {
  const found = []
  const add = (start, end, text, what) => {
    const line = code.slice(0, start).split('\n').length
    if (code.slice(start, end) !== text) found.push({ start, end, text, line, what })
  }
  const textOf = (node) => code.slice(node.start, node.end)
  const replace = (node, text) => add(node.start, node.end, text, `${short(textOf(node))} → ${text}`)

  const rules = {
    BinaryExpression: (node) => replaceOperator(node),
    LogicalExpression(node) {
      replaceOperator(node)
      if (node.operator === '??') replace(node, textOf(node.left))
    },
    AssignmentExpression: (node) => replaceOperator(node),
    UpdateExpression(node) {
      for (const other of operators[node.operator])
        replace(
          node,
          textOf(node).replace(node.operator, () => other),
        )
    },
    UnaryExpression(node) {
      if (node.operator === '!' || node.operator === '-') replace(node, textOf(node.argument))
    },
    ConditionalExpression: (node) => replaceTest(node.test),
    IfStatement: (node) => replaceTest(node.test),
    WhileStatement: (node) => replace(node.test, 'false'),
    ArrayExpression(node) {
      if (node.elements.length > 0) replace(node, '[]')
    },
    TemplateLiteral(node) {
      if (!/ \w+ /.test(textOf(node))) replace(node, '``')
    },
    ExpressionStatement(node) {
      if (!node.directive) add(node.start, node.end, ';', `${short(textOf(node))} removed`)
    },
    ArrowFunctionExpression: (node) => emptied(node),
    FunctionDeclaration: (node) => emptied(node),
    FunctionExpression: (node) => emptied(node),
    CallExpression(node) {
      const name = node.callee.property?.name
      if (node.callee.type === 'MemberExpression' && methods[name])
        replace(node.callee.property, methods[name])
    },
    Literal(node) {
      if (typeof node.value === 'boolean') replace(node, String(!node.value))
      else if (typeof node.value === 'number') replace(node, String(node.value + 1))
      else if (node.bigint) replace(node, `${BigInt(node.bigint) + 1n}n`)
      // Sentences for people are not what is measured.
      else if (typeof node.value === 'string' && !/\s\S/.test(node.value))
        replace(node, node.value === '' ? "'x'" : "''")
    },
  }

  function replaceOperator(node) {
    const between = code.slice(node.left.end, node.right.start)
    const at = node.left.end + between.indexOf(node.operator)
    for (const other of operators[node.operator] ?? [])
      add(at, at + node.operator.length, other, `${short(textOf(node))}: ${node.operator} → ${other}`)
  }
  function replaceTest(test) {
    for (const value of ['true', 'false']) replace(test, value)
  }
  function emptied({ body }) {
    if (body?.type === 'BlockStatement' && body.body.length > 0)
      add(body.start, body.end, '{}', 'body emptied')
  }

  function walk(node, parent) {
    if (node === null || typeof node !== 'object') return
    if (Array.isArray(node)) {
      for (const one of node) walk(one, parent)
      return
    }
    if (typeof node.type !== 'string' || skipped.has(node.type)) return
    if (node.type.startsWith('TS') && !transparent.has(node.type)) return
    if (transparent.has(node.type)) {
      walk(node.expression, node)
      return
    }
    const isName = node.type === 'Literal' && (parent?.key === node || parent?.source === node)
    if (!isName) rules[node.type]?.(node)
    for (const [name, inner] of Object.entries(node)) if (name !== 'typeAnnotation') walk(inner, node)
  }
  walk(parseAst(code, { lang: 'ts' }), null)
  return found
}

const short = (text) => (text.length > 60 ? `${text.slice(0, 57)}…` : text).replaceAll('\n', ' ')
