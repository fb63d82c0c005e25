import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-oldest'
import { root } from './workspace.ts'

/** A text that a program contains, with `X` in place of what is filled in, or a line of a document. */
export type Text = {
  readonly path: string
  readonly line: number
  readonly text: string
  /** True for a line of a document that is code. */
  readonly isCode?: boolean
}

const SKIPPED = new Set(['node_modules', 'dist', 'test', 'recorded', 'vectors', '.turbo', '.hailstone'])

/** Files below a folder of the repository, without tests and what was built. */
export const filesBelow = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.has(name))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return filesBelow(path, ending)
      return ending.test(path) && !/\.test\.\w+$|\.d\.ts$/.test(path) ? [path] : []
    })

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('')
  return null
}

/** Every string and template of a source file; comments are not among them. */
export function textsIn(path: string): readonly Text[] {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest)
  const texts: Text[] = []
  function visit(node: ts.Node): void {
    const text = textOf(node)
    if (text !== null) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      texts.push({ path, line: line + 1, text })
    }
    // A callback that answers something ends the walk.
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts
}

/** Lines of a document. */
export function linesOf(path: string): readonly Text[] {
  let isCode = false
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .map((text, index) => {
      if (text.trimStart().startsWith('```')) isCode = !isCode
      return { path, line: index + 1, text, isCode }
    })
}
