import { isPlainObject, type PlainData } from '../layers/plain-data.ts'

/** Style of a file: quotes, blanks, line ends. */
export type SourceStyle = {
  readonly quote: "'" | '"'
  readonly indent: string
  readonly newline: string
  readonly isJson: boolean
}

const LINE_WIDTH = 100

/** Reads the style of a file from its text. */
export function styleOf(text: string, isJson: boolean): SourceStyle {
  const count = (quote: string): number => text.split(quote).length
  const first = /\n([ \t]+)\S/.exec(text)?.[1]
  return {
    quote: isJson || count('"') > count("'") ? '"' : "'",
    indent: first ?? '  ',
    newline: /\r\n/.test(text) ? '\r\n' : '\n',
    isJson,
  }
}

function printText(text: string, quote: "'" | '"'): string {
  const json = JSON.stringify(text)
  return quote === '"' ? json : `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

const printKey = (key: string, { quote, isJson }: SourceStyle): string =>
  !isJson && /^[A-Za-z_$][\w$]*$/.test(key) ? key : printText(key, quote)

/** Prints a value on one line. */
function inline(value: PlainData, style: SourceStyle): string {
  if (typeof value === 'string') return printText(value, style.quote)
  if (Array.isArray(value)) return `[${value.map((one) => inline(one, style)).join(', ')}]`
  if (!isPlainObject(value)) return String(value)
  const members = Object.entries(value).map(([key, one]) => `${printKey(key, style)}: ${inline(one, style)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Prints a value; objects, and lists that are too long, over several lines if there is room for them. */
export function printValue(value: PlainData, style: SourceStyle, margin: string | null): string {
  const line = inline(value, style)
  if (margin === null || typeof value !== 'object' || value === null) return line
  const isShort = margin.length + line.length <= LINE_WIDTH
  const inner = margin + style.indent
  const below = Array.isArray(value)
    ? value.map((one) => printValue(one, style, isShort ? null : inner))
    : Object.entries(value).map(([key, one]) => `${printKey(key, style)}: ${printValue(one, style, inner)}`)
  if (below.length === 0 || (Array.isArray(value) && isShort)) return line
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const rows = below.map((row) => inner + row).join(`,${style.newline}`)
  const last = style.isJson ? '' : ','
  return `${open}${style.newline}${rows}${last}${style.newline}${margin}${close}`
}

/** Prints a member of an object. */
export const printMember = (
  key: string,
  value: PlainData,
  style: SourceStyle,
  margin: string | null,
): string => `${printKey(key, style)}: ${printValue(value, style, margin)}`
