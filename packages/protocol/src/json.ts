import { NodeError } from './errors/node-error.ts'

/** JSON after lossless reading: every integer is a bigint, only numbers with a fraction or exponent are doubles. */
export type JsonValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined }

export type ParseJsonOptions = {
  /** A text may also hold one number, comma, colon or opening bracket for every 32 bytes of it. @default 4 MiB */
  readonly limitBytes?: number | undefined
  /** @default 64 */
  readonly limitDepth?: number | undefined
}

const DEFAULT_LIMIT_BYTES = 4 * 1024 * 1024
const DEFAULT_LIMIT_DEPTH = 64
/** Reading values takes far longer than reading text: a text of the largest size may hold no more than this. */
const BYTES_PER_TOKEN = 32
/** The time to read an integer grows with the square of its digits. The largest double has 309. */
const LONGEST_NUMBER = 400

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const isDouble = (token: string): boolean => /[.eE]/.test(token)
/** Every integer of so many characters is one that a double holds. */
const EXACT_LENGTH = 15

/**
 * Reads JSON (RFC 8259) without rounding: integers become bigint, the rest stays as JavaScript has it.
 * A repeated member keeps its last value; `__proto__` is an ordinary member.
 *
 * The platform's own reader is many times faster than one written here. Where it would round, it reads the place
 * of each number in a list instead of the number. Neither begins before the text was found to be cheap to read.
 *
 * @throws {NodeError} `JSON_MALFORMED`, `JSON_TOO_LARGE`
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): JsonValue {
  const { limitBytes = DEFAULT_LIMIT_BYTES, limitDepth = DEFAULT_LIMIT_DEPTH } = options
  if (text.length > limitBytes) throw new NodeError('JSON_TOO_LARGE', { sizeBytes: text.length, limitBytes })
  const tokens = scanNumbers(text, limitDepth, limitBytes / BYTES_PER_TOKEN)
  const numbers: (number | bigint)[] = []
  let readable = ''
  let copied = 0
  for (const { at, token } of tokens) {
    // Blanks keep what stood apart apart: 01 is no number, and neither are two of them.
    readable += `${text.slice(copied, at)} ${numbers.length} `
    numbers.push(isDouble(token) ? Number(token) : BigInt(token))
    copied = at + token.length
  }
  const exact = (value: JsonValue | undefined): JsonValue | undefined => {
    if (typeof value === 'number') return numbers[value] ?? BigInt(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) value[at] = exact(value[at])
      return value
    }
    const members = value as Record<string, JsonValue | undefined>
    // Own names only: what some library adds to every object must not become a member.
    for (const name of Object.keys(members)) {
      const member = members[name]
      if (typeof member !== 'string') members[name] = exact(member)
    }
    return value
  }
  return exact(parsed(readable + text.slice(copied))) as JsonValue
}

/**
 * Goes over a text once and refuses it at the first sign that it would be dear to read. What else is wrong with it
 * is found by the reader.
 *
 * @returns the numbers, unless a double holds each of them
 */
function scanNumbers(
  text: string,
  limitDepth: number,
  limitTokens: number,
): readonly { readonly at: number; readonly token: string }[] {
  const found = []
  let depth = 0
  let tokens = 0
  let isInexact = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 34) at = endOfText(text, at)
    else if (code === 45 || (code >= 48 && code < 58)) {
      tokens++
      number.lastIndex = at
      const token = number.exec(text)?.[0]
      if (token === undefined) break
      if (token.length > LONGEST_NUMBER) throw malformed('a number is too long')
      isInexact ||= token.length > EXACT_LENGTH || isDouble(token)
      found.push({ at, token })
      at += token.length - 1
    } else if (code === 44 || code === 58) tokens++
    else if (code === 91 || code === 123) {
      tokens++
      if (++depth > limitDepth) throw malformed(`it is nested deeper than ${limitDepth}`)
    } else if (code === 93 || code === 125) depth--
    if (tokens > limitTokens) throw malformed('it has too many values')
  }
  return isInexact ? found : []
}

/** The place of the quote that ends a text: before it stands an even number of backslashes. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text.charCodeAt(before - 1) === 92) before--
    if ((at - before) % 2 === 0) return at
  }
  throw malformed(UNCLOSED)
}

const UNCLOSED = 'a value is not closed, or not well formed'

const malformed = (reason: string): NodeError => new NodeError('JSON_MALFORMED', { reason })

/** The platform's words quote the text, which may be a secret; they are not passed on. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed(UNCLOSED)
  }
}

/** Writes JSON with every bigint as a bare integer, members in their order, `undefined` members left out. */
export function stringifyJson(value: JsonValue | undefined): string {
  if (typeof value === 'bigint') return value.toString()
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(stringifyJson).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringifyJson(member)}`).join(',')}}`
}
