import { lexer, type Token, type Tokens } from 'marked'
import { isScreenLink, type ScreenBlock, type ScreenSpan } from '../runtime/read-screen.ts'

/** A place in a Markdown file that a screen cannot show as it is meant. */
type ScreenFault = {
  readonly line: number
  /** `link`: an address for the rules of addresses. `form`: Markdown that is not among the allowed kinds. */
  readonly kind: 'link' | 'form'
  /** The address, or the name of the Markdown. */
  readonly found: string
}

/** A Markdown file as plain data. */
export type ScreenText = {
  /** Null if the file does not begin with a heading of the first level. */
  readonly title: string | null
  readonly blocks: readonly ScreenBlock[]
  /** Line of each block. */
  readonly lines: readonly number[]
  readonly faults: readonly ScreenFault[]
}

type Style = Omit<ScreenSpan, 'text'>
/** Adds a fault of the current line. */
type Refuse = (kind: ScreenFault['kind'], found: string) => void

/**
 * Reads the Markdown of a screen: headings, paragraphs, lists, emphasis and links. Everything else becomes the text
 * that it is, and a fault.
 */
export function readScreenText(source: string): ScreenText {
  const faults: ScreenFault[] = []
  const blocks: ScreenBlock[] = []
  const lines: number[] = []
  let line = 1
  let title: string | null = null
  for (const token of lexer(source)) {
    const at = line
    line += token.raw.split('\n').length - 1
    if (token.type === 'space' || token.type === 'def') continue
    const refuse: Refuse = (kind, found) => faults.push({ line: at, kind, found })
    const isFirst = title === null && blocks.length === 0
    if (isFirst && token.type === 'heading' && token.depth === 1) {
      title = plainText(spansOf(token.tokens ?? [], {}, refuse)).replace(/\s*\n\s*/g, ' ')
      continue
    }
    blocks.push(blockOf(token, blocks, refuse))
    lines.push(at)
  }
  return { title, blocks, lines, faults }
}

/** Returns the text of spans without their styles. */
const plainText = (spans: readonly ScreenSpan[]): string => spans.map(({ text }) => text).join('')

/** Returns the text of a block, one line for each item of a list. */
export const blockText = (block: ScreenBlock): string =>
  block.kind === 'list' ? block.items.map(plainText).join('\n') : plainText(block.text)

function blockOf(token: Token, earlier: readonly ScreenBlock[], refuse: Refuse): ScreenBlock {
  if (token.type === 'heading') return headingOf(token as Tokens.Heading, earlier, refuse)
  if (token.type === 'list') return listOf(token as Tokens.List, refuse)
  if (token.type === 'paragraph') return { kind: 'paragraph', text: spansOf(token.tokens ?? [], {}, refuse) }
  refuse('form', formNames.get(token.type) ?? token.type)
  return { kind: 'paragraph', text: [{ text: token.raw.trim() }] }
}

/** Returns a heading, on a level that leaves none out: screen readers list headings by level. */
function headingOf(
  { depth, tokens }: Tokens.Heading,
  earlier: readonly ScreenBlock[],
  refuse: Refuse,
): ScreenBlock {
  if (depth === 1) refuse('form', 'a second heading of the first level')
  if (depth > 3) refuse('form', `a heading of level ${depth}`)
  const canBeThird = earlier.some(({ kind }) => kind === 'heading')
  if (depth === 3 && !canBeThird) refuse('form', 'a heading of level 3 before one of level 2')
  return {
    kind: 'heading',
    level: depth > 2 && canBeThird ? 3 : 2,
    text: spansOf(tokens, {}, refuse),
  }
}

function listOf({ ordered, start, items }: Tokens.List, refuse: Refuse): ScreenBlock {
  return {
    kind: 'list',
    first: ordered ? start || 0 : null,
    items: items.map((item) =>
      item.tokens.flatMap((token, index): readonly ScreenSpan[] => {
        if (token.type === 'space') return []
        const between = index === 0 ? [] : [{ text: '\n' }]
        if (token.type === 'text' || token.type === 'paragraph')
          return [...between, ...spansOf(token.tokens ?? [], {}, refuse)]
        refuse('form', `${formNames.get(token.type) ?? token.type} in a list`)
        return [...between, { text: token.raw.trim() }]
      }),
    ),
  }
}

const formNames: ReadonlyMap<string, string> = new Map([
  ['html', 'HTML'],
  ['image', 'a picture'],
  ['code', 'a block of code'],
  ['codespan', 'code'],
  ['blockquote', 'a quotation'],
  ['table', 'a table'],
  ['hr', 'a line across the page'],
  ['del', 'struck text'],
  ['list', 'a list'],
  ['checkbox', 'a box to tick'],
])

function spansOf(tokens: readonly Token[], style: Style, refuse: Refuse): readonly ScreenSpan[] {
  return joined(tokens.flatMap((token) => spansOfToken(token, style, refuse)))
}

function spansOfToken(token: Token, style: Style, refuse: Refuse): readonly ScreenSpan[] {
  const inner = (more: Style): readonly ScreenSpan[] =>
    spansOf(('tokens' in token && token.tokens) || [], { ...style, ...more }, refuse)
  switch (token.type) {
    case 'text':
    case 'escape':
      return [{ ...style, text: token.text.replace(/\s*\n\s*/g, ' ') }]
    case 'br':
      return [{ ...style, text: '\n' }]
    case 'strong':
      return inner({ isStrong: true })
    case 'em':
      return inner({ isEmphasised: true })
    case 'link':
      return linkOf(token as Tokens.Link, style, { inner, refuse })
    default:
      refuse('form', formNames.get(token.type) ?? token.type)
      return [{ ...style, text: token.raw }]
  }
}

type LinkParts = { readonly inner: (more: Style) => readonly ScreenSpan[]; readonly refuse: Refuse }

function linkOf(token: Tokens.Link, style: Style, { inner, refuse }: LinkParts): readonly ScreenSpan[] {
  const { href, raw } = token
  // An address of a mailbox that stands in a sentence is text.
  if (raw === token.text && !/^https?:/.test(raw)) return [{ ...style, text: raw }]
  refuse('link', href)
  const asText = [{ ...style, text: raw }]
  if (!isScreenLink(href)) return asText
  const spans = inner({ href })
  if (plainText(spans).trim() !== '') return spans
  refuse('form', 'a link without words')
  return asText
}

/** Joins neighbours of the same style. */
function joined(spans: readonly ScreenSpan[]): readonly ScreenSpan[] {
  const all: ScreenSpan[] = []
  for (const span of spans) {
    const last = all.at(-1)
    if (last === undefined || !isSameStyle(last, span)) all.push(span)
    else all.splice(-1, 1, { ...last, text: last.text + span.text })
  }
  return all
}

const isSameStyle = (one: ScreenSpan, other: ScreenSpan): boolean =>
  one.isStrong === other.isStrong && one.isEmphasised === other.isEmphasised && one.href === other.href
