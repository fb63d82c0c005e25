import { joinPath } from '../findings/finding.ts'
import type { PlainData } from '../layers/plain-data.ts'
import {
  type BrandProgram,
  isWrittenOut,
  keyOf,
  parseBrandProgram,
  resolved,
  type SourceNode,
  UnsafeEdit,
  unwrapped,
} from './brand-program.ts'
import { type EditStep, stepsBetween } from './edit-steps.ts'
import { printMember, printValue, type SourceStyle, styleOf } from './print-source.ts'

/** A stretch of text to be replaced. */
type Splice = { readonly start: number; readonly end: number; readonly text: string }

export type SourceEdit = {
  readonly text: string
  /** Null if every change was made, else where and why one cannot be; the text is unchanged then. */
  readonly fault: { readonly line: number; readonly why: string } | null
}

/**
 * Changes settings in the source of a brand and leaves every other byte as it is: comments, order, quotes, blanks.
 *
 * @param before the brand that the source gives
 * @param after the brand that it should give
 */
export function editBrandSource(
  source: string,
  isJson: boolean,
  before: PlainData,
  after: PlainData,
): SourceEdit {
  const style = styleOf(source, isJson)
  let text = source
  try {
    for (const step of stepsBetween(before, after)) text = edited(text, step, style)
    return { text, fault: null }
  } catch (error) {
    if (error instanceof UnsafeEdit)
      return { text: source, fault: { line: lineOf(text, error.at), why: error.message } }
    if (error instanceof SyntaxError)
      return { text: source, fault: { line: lineOf(text, placeOf(error)), why: 'this cannot be read' } }
    throw error
  }
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

const placeOf = (error: SyntaxError): number =>
  'pos' in error && typeof error.pos === 'number' ? error.pos : 0

/** Returns the line of the innermost setting on the way to a path. */
export function lineOfSetting(text: string, isJson: boolean, path: readonly (string | number)[]): number {
  const program = parseBrandProgram(text, isJson)
  let at = program.root.start
  try {
    let node = resolved(program, program.root)
    for (const part of path) {
      const member = memberOf(node, part)
      if (member === undefined) break
      at = member.start
      node = resolved(program, valueIn(member))
    }
  } catch (error) {
    if (!(error instanceof UnsafeEdit)) throw error
  }
  return lineOf(text, at)
}

function edited(text: string, step: EditStep, style: SourceStyle): string {
  const program = parseBrandProgram(text, style.isJson)
  const last = step.path.at(-1)
  if (last === undefined)
    throw new UnsafeEdit('the whole brand would have to be replaced', program.root.start)
  const list = step.path.slice(0, -1).reduce<SourceNode>(
    (node, part) => {
      const member = memberOf(node, part)
      if (member === undefined) throw missing(node, step.path)
      return resolved(program, valueIn(member))
    },
    resolved(program, program.root),
  )
  if (list.properties === undefined && list.elements === undefined) throw computed(program, list, step.path)
  return spliced(text, splicesOf(program, list, last, step, style))
}

function splicesOf(
  program: BrandProgram,
  list: SourceNode,
  key: string | number,
  { kind, path, value = null }: EditStep,
  style: SourceStyle,
): readonly Splice[] {
  const member = memberOf(list, key)
  if (kind === 'remove') {
    if (member === undefined) throw missing(list, path)
    return removal(program, list, member)
  }
  // What comes from a spread is overridden after it.
  const isSpread = member === undefined && list.properties?.some(({ type }) => type === 'SpreadElement')
  if (isSpread === true || (kind === 'insert' && (member === undefined || typeof key === 'number')))
    return insertion(program, list, key, value, style)
  if (member === undefined) throw missing(list, path)
  const old = unwrapped(valueIn(member))
  if (member.shorthand === true || member.method === true || !isWrittenOut(old))
    throw computed(program, old, path)
  const quote = /^['"]/.exec(program.text.slice(old.start, old.end))?.[0] as "'" | '"' | undefined
  const margin = marginOf(program.text, old.start)
  const printed = printValue(value, quote === undefined ? style : { ...style, quote }, margin)
  return [{ start: old.start, end: old.end, text: kept(program, old, margin, style.newline) + printed }]
}

/** Returns the comments inside a node that is replaced or removed, to be written in its place. */
function kept({ text, comments }: BrandProgram, { start, end }: SourceNode, margin: string, newline: string) {
  return [...comments.values()]
    .filter((one) => one.start >= start && one.end <= end)
    .map((one) => text.slice(one.start, one.end))
    .map((comment) => comment + (comment.startsWith('//') ? newline + margin : ' '))
    .join('')
}

function spliced(text: string, splices: readonly Splice[]): string {
  return splices
    .toSorted((left, right) => right.start - left.start)
    .reduce((whole, { start, end, text: fresh }) => whole.slice(0, start) + fresh + whole.slice(end), text)
}

const missing = (node: SourceNode, path: EditStep['path']): UnsafeEdit =>
  new UnsafeEdit(`${joinPath(path)} is not written here but comes from elsewhere`, node.start)

function computed({ text }: BrandProgram, node: SourceNode, path: EditStep['path']): UnsafeEdit {
  const [words = ''] = text.slice(node.start, node.end).split('\n')
  const shown = words.length > 40 ? `${words.slice(0, 40)}…` : words
  return new UnsafeEdit(`${joinPath(path)} is computed: ${shown.trim()}`, node.start)
}

/** Returns the member of an object or the element of a list; of several members with one key, the one that counts. */
function memberOf({ properties, elements }: SourceNode, key: string | number): SourceNode | undefined {
  if (properties !== undefined) return properties.findLast((one) => keyOf(one) === String(key))
  if (elements === undefined || typeof key !== 'number') return undefined
  const odd = elements.slice(0, key + 1).find((one) => one === null || one.type === 'SpreadElement')
  return odd === undefined ? (elements[key] ?? undefined) : undefined
}

const valueIn = (member: SourceNode): SourceNode =>
  member.type === 'Property' ? (member.value as SourceNode) : member

const marginOf = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? ''

/** Returns the first place after blanks and comments. */
function skipped({ text, comments }: BrandProgram, from: number): number {
  const comment = comments.get(from)
  if (comment !== undefined) return skipped({ text, comments } as BrandProgram, comment.end)
  return /\s/.test(text[from] ?? '') ? skipped({ text, comments } as BrandProgram, from + 1) : from
}

/** Returns the end of the line if nothing but blanks and comments follow, else null. */
function endOfLine({ text, comments }: BrandProgram, from: number): number | null {
  const comment = comments.get(from)
  if (comment !== undefined) {
    const isOnLine = !text.slice(comment.start, comment.end).includes('\n')
    return isOnLine ? endOfLine({ text, comments } as BrandProgram, comment.end) : null
  }
  if (text.startsWith('\n', from) || text.startsWith('\r\n', from)) return from
  return /[ \t]/.test(text[from] ?? '') ? endOfLine({ text, comments } as BrandProgram, from + 1) : null
}

const membersOf = (list: SourceNode): readonly SourceNode[] =>
  (list.properties ?? list.elements ?? []).filter((one) => one !== null)

function insertion(
  program: BrandProgram,
  list: SourceNode,
  key: string | number,
  value: PlainData,
  style: SourceStyle,
): readonly Splice[] {
  const { text } = program
  const members = membersOf(list)
  const print = (margin: string | null): string =>
    typeof key === 'number' ? printValue(value, style, margin) : printMember(key, value, style, margin)
  const [first, last] = [members[0], members.at(-1)]
  if (first === undefined || last === undefined) return intoEmpty(program, list, print, style)
  const isMultiline = text.slice(list.start, first.start).includes('\n')
  const margin = isMultiline ? marginOf(text, first.start) : null
  const next = typeof key === 'number' ? members[key] : undefined
  if (next !== undefined) {
    const blank = margin === null ? ' ' : style.newline + margin
    return [{ start: next.start, end: next.start, text: `${print(margin)},${blank}` }]
  }
  const comma = skipped(program, last.end)
  const hasComma = text[comma] === ','
  const after = hasComma ? comma + 1 : last.end
  if (margin === null) {
    return [{ start: after, end: after, text: hasComma ? ` ${print(null)},` : `, ${print(null)}` }]
  }
  const at = endOfLine(program, after) ?? after
  const line = `${style.newline}${margin}${print(margin)}`
  if (hasComma) return [{ start: at, end: at, text: `${line},` }]
  if (at === after) return [{ start: at, end: at, text: `,${line}` }]
  return [
    { start: at, end: at, text: line },
    { start: after, end: after, text: ',' },
  ]
}

/** Writes the first member into an empty object or list; what is inside, such as a comment, stays behind it. */
function intoEmpty(
  { text }: BrandProgram,
  list: SourceNode,
  print: (margin: string | null) => string,
  style: SourceStyle,
): readonly Splice[] {
  const inside = text.slice(list.start + 1, list.end - 1)
  const isObject = list.properties !== undefined
  const lineStart = text.lastIndexOf('\n', list.start - 1) + 1
  const isOnOwnLine = !/[{[]/.test(text.slice(lineStart, list.start)) || lineStart === 0
  const isMultiline = inside.includes('\n') || (isObject && isOnOwnLine && lineStart > 0)
  const margin = marginOf(text, list.start)
  const inner = margin + style.indent
  const isBlank = inside.trim() === ''
  const at = list.start + 1
  if (!isMultiline) {
    const blank = isObject ? ' ' : ''
    if (isBlank) return [{ start: at, end: list.end - 1, text: `${blank}${print(null)}${blank}` }]
    return [{ start: at, end: at, text: `${blank}${print(null)}${style.isJson ? '' : ','}` }]
  }
  const line = `${style.newline}${inner}${print(inner)}${style.isJson ? '' : ','}`
  if (isBlank) return [{ start: at, end: list.end - 1, text: `${line}${style.newline}${margin}` }]
  return [{ start: at, end: at, text: line }]
}

function removal(program: BrandProgram, list: SourceNode, member: SourceNode): readonly Splice[] {
  const { text, comments } = program
  const { start, end } = member
  const members = membersOf(list)
  const before = members[members.indexOf(member) - 1]
  const comma = skipped(program, end)
  const hasComma = text[comma] === ','
  const margin = marginOf(text, start)
  const inside = kept(program, member, margin, styleOf(text, false).newline)
  const isPlain = (from: number, to: number): boolean =>
    ![...comments.values()].some((one) => one.start >= from && one.end <= to)
  const after = hasComma && isPlain(end, comma) ? comma + 1 : end
  const rest: Splice[] = hasComma && after === end ? [{ start: comma, end: comma + 1, text: '' }] : []
  const previous = !hasComma && before !== undefined ? skipped(program, before.end) : null
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const blanks = /^[ \t]*/.exec(text.slice(after))?.[0].length ?? 0
  const newline = /^\r?\n/.exec(text.slice(after + blanks))?.[0].length ?? 0
  const isWholeLine = inside === '' && rest.length === 0 && newline > 0 && lineStart > 0
  if (previous !== null && isWholeLine === false && inside === '' && isPlain(previous, start)) {
    return [{ start: previous, end, text: '' }]
  }
  if (previous !== null) rest.push({ start: previous, end: previous + 1, text: '' })
  if (isWholeLine && text.slice(lineStart, start).trim() === '')
    return [{ start: lineStart, end: after + blanks + newline, text: '' }, ...rest]
  return [{ start, end: hasComma && after > end ? after + blanks : after, text: inside }, ...rest]
}
