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

/**
 * Reads JSON (RFC 8259) without rounding: integers become bigint, the rest stays as JavaScript has it.
 * A repeated member keeps its last value; `__proto__` is an ordinary member.
 *
 * @throws {NodeError} `JSON_MALFORMED`, `JSON_TOO_LARGE`
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): JsonValue {
  const { limitBytes = DEFAULT_LIMIT_BYTES, limitDepth = DEFAULT_LIMIT_DEPTH } = options
  if (text.length > limitBytes) throw new NodeError('JSON_TOO_LARGE', { sizeBytes: text.length, limitBytes })
  return new Reader(text, limitDepth).document()
}

const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const notPlain = /[\\\u0000-\u001f]/
const anyString = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SPACE = 0x20

const isBlank = (code: number): boolean => code === SPACE || code === 0x0a || code === 0x0d || code === 0x09

class Reader {
  readonly #text: string
  readonly #limitDepth: number
  /** Neither escapes nor line breaks anywhere, as machines write: then no text has to be searched for them. */
  readonly #isPlain: boolean
  #at = 0

  constructor(text: string, limitDepth: number) {
    this.#text = text
    this.#limitDepth = limitDepth
    this.#isPlain = !notPlain.test(text)
  }

  document(): JsonValue {
    const value = this.#value(0)
    this.#skipBlanks()
    if (this.#at < this.#text.length) this.#fail('something follows the value')
    return value
  }

  #value(depth: number): JsonValue {
    if (depth > this.#limitDepth) this.#fail(`nested deeper than ${this.#limitDepth}`)
    this.#skipBlanks()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth)
      case '[':
        return this.#array(depth)
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #object(depth: number): JsonValue {
    const members: Record<string, JsonValue> = {}
    this.#at++
    if (this.#takes('}')) return members
    do {
      this.#skipBlanks()
      if (this.#text[this.#at] !== '"') this.#fail('a member name should stand here')
      const name = this.#string()
      if (!this.#takes(':')) this.#fail('a colon should stand here')
      const value = this.#value(depth + 1)
      if (name === '__proto__') {
        Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true })
      } else members[name] = value
    } while (this.#takes(','))
    if (!this.#takes('}')) this.#fail('a comma or closing brace should stand here')
    return members
  }

  #array(depth: number): JsonValue {
    const items: JsonValue[] = []
    this.#at++
    if (this.#takes(']')) return items
    do items.push(this.#value(depth + 1))
    while (this.#takes(','))
    if (!this.#takes(']')) this.#fail('a comma or closing bracket should stand here')
    return items
  }

  #string(): string {
    const end = this.#text.indexOf('"', this.#at + 1)
    const plain = this.#text.slice(this.#at + 1, end)
    if (end > 0 && (this.#isPlain || !notPlain.test(plain))) {
      this.#at = end + 1
      return plain
    }
    anyString.lastIndex = this.#at
    const escaped = anyString.exec(this.#text)
    if (escaped === null) this.#fail('a text is not closed or not well formed')
    this.#at = anyString.lastIndex
    return JSON.parse((escaped as RegExpExecArray)[0]) as string
  }

  #number(): number | bigint {
    numberToken.lastIndex = this.#at
    const match = numberToken.exec(this.#text)
    if (match === null)
      this.#fail(this.#at >= this.#text.length ? 'the text ends too early' : 'no value begins here')
    const token = (match as RegExpExecArray)[0]
    this.#at = numberToken.lastIndex
    return /[.eE]/.test(token) ? Number(token) : BigInt(token)
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('no value begins here')
    this.#at += word.length
    return value
  }

  #takes(character: string): boolean {
    this.#skipBlanks()
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #skipBlanks(): void {
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      // Nearly always the next character is none of the four, and larger than all of them.
      if (!(code <= SPACE) || !isBlank(code)) return
    }
  }

  #fail(reason: string): never {
    throw new NodeError('JSON_MALFORMED', { reason, offset: this.#at })
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
