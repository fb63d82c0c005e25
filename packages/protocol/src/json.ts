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
  /** @default 4 MiB */
  readonly limitBytes?: number | undefined
  /** @default 64 */
  readonly limitDepth?: number | undefined
}

const DEFAULT_LIMIT_BYTES = 4 * 1024 * 1024
const DEFAULT_LIMIT_DEPTH = 64

/** Numbers that a double may not hold, or that are doubles; a text that looks like one only costs time. */
const inexact = /[:,[\s]-?\d*(?:\d{16}|\d[.eE])/
/**
 * Texts, closed or not, with what stands between them; or one number. Not more texts at once than a match may
 * remember.
 */
const textOrNumber = /(?:"(?:[^"\\]+|\\.)*"?[^"\d-]*){1,40}|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/gs

/**
 * Reads JSON (RFC 8259) without rounding: integers become bigint, the rest stays as JavaScript has it.
 * A repeated member keeps its last value; `__proto__` is an ordinary member.
 *
 * The platform's own reader is many times faster than one written here. Where it would round, it reads the place
 * of each number in a list instead of the number.
 *
 * @throws {NodeError} `JSON_MALFORMED`, `JSON_TOO_LARGE`
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): JsonValue {
  const { limitBytes = DEFAULT_LIMIT_BYTES, limitDepth = DEFAULT_LIMIT_DEPTH } = options
  if (text.length > limitBytes) throw new NodeError('JSON_TOO_LARGE', { sizeBytes: text.length, limitBytes })
  const numbers: (number | bigint)[] = []
  // Blanks keep what stood apart apart: 01 is no number, and neither are two of them.
  const placeOf = (token: string): string =>
    token.startsWith('"')
      ? token
      : ` ${numbers.push(/[.eE]/.test(token) ? Number(token) : BigInt(token)) - 1} `
  const exact = (value: JsonValue | undefined, depth: number): JsonValue | undefined => {
    if (typeof value === 'number') return numbers[value] ?? BigInt(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth === limitDepth) throw malformed(`it is nested deeper than ${limitDepth}`)
    const members = value as Record<string, JsonValue | undefined>
    // Own names only: what some library adds to every object must not become a member.
    for (const name of Object.keys(members)) {
      const member = members[name]
      if (typeof member !== 'string') members[name] = exact(member, depth + 1)
    }
    return value
  }
  // A number may be all there is; then nothing stands before it.
  const isInexact = inexact.test(`:${text}`)
  return exact(parsed(isInexact ? text.replace(textOrNumber, placeOf) : text), 0) as JsonValue
}

const malformed = (reason: string): NodeError => new NodeError('JSON_MALFORMED', { reason })

/** The platform's words quote the text, which may be a secret; they are not passed on. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('a value is not closed, or not well formed')
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
