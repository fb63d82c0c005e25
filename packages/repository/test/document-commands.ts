import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../../../', import.meta.url))

export const readDocument = (path: string): string => readFileSync(join(root, path), 'utf8')

/** A command that a document has people type. */
export type DocumentCommand = {
  readonly path: string
  readonly line: number
  readonly command: string
  /** True if the document says that it does not end by itself: by a comment, or in the prose around its block. */
  readonly stays: boolean
}

type Part = {
  readonly kind: 'heading' | 'prose' | 'commands' | 'code'
  readonly line: number
  readonly lines: readonly string[]
}

const SHELL = ['', 'sh', 'bash', 'console']

/** The document as headings, paragraphs and blocks. */
function partsOf(text: string): readonly Part[] {
  const parts: { kind: Part['kind']; line: number; lines: string[] }[] = []
  let fence: string | null = null
  for (const [at, line] of text.split('\n').entries()) {
    const opened = /^```(\w*)/.exec(line)
    if (opened !== null) {
      fence = fence === null ? (opened[1] ?? '') : null
      if (fence !== null)
        parts.push({ kind: SHELL.includes(fence) ? 'commands' : 'code', line: at + 2, lines: [] })
      else parts.push({ kind: 'prose', line: at + 2, lines: [] })
      continue
    }
    const last = parts.at(-1)
    if (fence === null && line.startsWith('#'))
      parts.push({ kind: 'heading', line: at + 1, lines: [line] }, { kind: 'prose', line: at + 2, lines: [] })
    else if (last === undefined) parts.push({ kind: 'prose', line: at + 1, lines: [line] })
    else last.lines.push(line)
  }
  return parts
}

const STAYS = /\b(?:another terminal|Ctrl-C)\b/
const COMMENT = /(?:^|\s)#(?: .*)?$/

/** Prose before or after a part, up to the nearest heading or other block of commands. */
function proseBeside(parts: readonly Part[], at: number, step: -1 | 1): string {
  const lines: string[] = []
  for (let next = at + step; ; next += step) {
    const part = parts[next]
    if (part === undefined || part.kind === 'heading' || part.kind === 'commands') break
    if (part.kind === 'prose') lines.push(...part.lines)
  }
  return lines.join(' ')
}

/** Lines of a block, those that go on after a backslash as one. */
function statementsOf({ line, lines }: Part): readonly { readonly line: number; readonly text: string }[] {
  const statements: { line: number; text: string }[] = []
  let isOpen = false
  for (const [at, text] of lines.entries()) {
    const last = statements.at(-1)
    if (isOpen && last !== undefined) last.text = `${last.text.slice(0, -1).trimEnd()} ${text.trim()}`
    else if (text.trim() !== '') statements.push({ line: line + at, text: text.trim() })
    isOpen = text.endsWith('\\')
  }
  return statements.filter(({ text }) => !text.startsWith('#'))
}

/** Returns the commands in the blocks of a document, in their order: each line of a block without a language, or of a shell. */
export function commandsIn(path: string, text = readDocument(path)): readonly DocumentCommand[] {
  const parts = partsOf(text)
  return parts.flatMap((part, at) => {
    if (part.kind !== 'commands') return []
    const statements = statementsOf(part)
    return statements.map(({ line, text: statement }, position) => {
      const [comment = ''] = COMMENT.exec(statement) ?? []
      const command = statement.replace(COMMENT, '').trim()
      // A paragraph is about the last command of its block.
      const isLast = position === statements.length - 1
      const prose = isLast ? `${proseBeside(parts, at, -1)} ${proseBeside(parts, at, 1)}` : ''
      const isLeft = text.includes(`Leave \`${command}\` running`)
      return { path, line, command, stays: isLeft || STAYS.test(comment) || STAYS.test(prose) }
    })
  })
}

/** Returns what a document has people save: the file that its prose names, and the block of code after it. */
export function savedFilesIn(text: string): ReadonlyMap<string, string> {
  const saved = new Map<string, string>()
  let name: string | undefined
  for (const part of partsOf(text)) {
    const named = /\bSave (?:this|it) as `([^`]+)`/.exec(part.lines.join(' '))
    if (part.kind === 'prose' && named !== null) name = named[1]
    if (part.kind === 'code' && name !== undefined) {
      saved.set(name, `${part.lines.join('\n')}\n`)
      name = undefined
    }
  }
  return saved
}
