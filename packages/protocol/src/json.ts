import { NodeError } from './errors/node-error.ts'

/** A value of lossless JSON: every integer is a bigint; only numbers with a fraction or exponent are doubles. */
export type JsonValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined }

export type ParseJsonOptions = {
  /**
   * Largest text in bytes. It may contain at most one number, comma, colon or opening bracket per 28 bytes of this
   * limit.
   * @default 4 MiB
   */
  readonly limitBytes?: number | undefined
  /** Deepest nesting. @default 64 */
  readonly limitDepth?: number | undefined
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const isDouble = (token: string): boolean => /[.eE]/.test(token)

/**
 * Parses JSON (RFC 8259) without rounding: integers become bigint, other values are as in JavaScript. For a repeated
 * member the last value counts; `__proto__` is an ordinary member.
 *
 * Uses the platform's parser, which is many times faster than one written here. Where that would round, it parses
 * indexes into a list of numbers instead. The text is scanned first and refused if it is expensive to parse.
 *
 * @throws {NodeError} `JSON_MALFORMED`, `JSON_TOO_LARGE`
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): JsonValue {
  /**
   * Bytes of the limit per value, since parsing values takes far longer than reading text. A payment in a beacon has 17
   * in 500 bytes.
   */
  const BYTES_PER_TOKEN = 28
  const { limitBytes = 4 * 1024 * 1024, limitDepth = 64 } = options
  if (text.length > limitBytes) throw new NodeError('JSON_TOO_LARGE', { sizeBytes: text.length, limitBytes })
  const tokens = scanNumbers(text, limitDepth, limitBytes / BYTES_PER_TOKEN)
  const numbers: (number | bigint)[] = []
  let readable = ''
  let copied = 0
  for (const { at, token } of tokens) {
    // Blanks keep tokens apart: 01 is not a number, and neither is 0 1.
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
    // Own names only: properties that a library adds to every object must not become members.
    for (const name of Object.keys(members)) {
      const member = members[name]
      if (typeof member !== 'string') members[name] = exact(member)
    }
    return value
  }
  return exact(parsed(readable + text.slice(copied))) as JsonValue
}

/**
 * Scans a text once and refuses it at the first sign of being expensive to parse. The parser finds all other faults.
 *
 * @returns the numbers, unless doubles represent all of them exactly
 */
function scanNumbers(
  text: string,
  limitDepth: number,
  limitTokens: number,
): readonly { readonly at: number; readonly token: string }[] {
  /** Longest number in characters: parsing integers takes time quadratic in the digits. The largest double has 309. */
  const LONGEST_NUMBER = 400
  /** Integers of up to this many characters are exact as doubles. */
  const EXACT_LENGTH = 15
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

/** Returns the index of the quote that ends a string: one preceded by an even number of backslashes. */
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

/** Drops the platform's error message, because it quotes the text, which may be a secret. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed(UNCLOSED)
  }
}

/** Prints JSON with every bigint as a bare integer and members in order; `undefined` members are left out. */
export function stringifyJson(value: JsonValue | undefined): string {
  if (typeof value === 'bigint') return value.toString()
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(stringifyJson).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringifyJson(member)}`).join(',')}}`
}
