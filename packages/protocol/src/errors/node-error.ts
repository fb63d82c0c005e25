import { ERROR_PAGE } from './docs-address.ts'
import { type CoreErrorCode, type ErrorCode, type ErrorFacts, type Sentences, sentences } from './facts.ts'

/** Codes outside of the core need their sentence as an argument, which their constructor function passes. */
type NodeErrorRest<C extends ErrorCode> = C extends CoreErrorCode
  ? [options?: ErrorOptions | undefined]
  : [options: ErrorOptions | undefined, sentences: Sentences<C>]

/** Marks errors of every installed copy of this package; those of another copy are not instances of this class. */
const mark: unique symbol = Symbol.for('hailstone.NodeError')

/** An error of one code, which {@link NodeError} is a union of. Declarations that a compiler writes name it. */
export interface NodeErrorOf<C extends ErrorCode> extends Error {
  readonly name: 'NodeError'
  readonly code: C
  readonly facts: Readonly<ErrorFacts[C]>
  /** For logs: code, facts and sentence, with amounts as texts of digits. */
  toJSON: () => object
  /**
   * Address of the page about this code, with causes and fixes; until the documentation has an address, the file in the
   * repository.
   */
  readonly docsUrl: string
}

interface NodeErrorConstructor {
  readonly prototype: NodeError
  new <C extends ErrorCode>(code: C, facts: ErrorFacts[C], ...rest: NodeErrorRest<C>): NodeError<C>
  /** Both branches of `instanceof` narrow by it; every function has it. */
  [Symbol.hasInstance]: (value: unknown) => value is NodeError
}

/**
 * Every error that the packages throw on purpose. Match on `code`, never on `message`: a `switch` over `code` narrows
 * `facts` to those of that code.
 */
export type NodeError<C extends ErrorCode = ErrorCode> = { [K in C]: NodeErrorOf<K> }[C]

/** Class of {@link NodeError}. */
export const NodeError = class NodeError<C extends ErrorCode> extends Error {
  override readonly name = 'NodeError'
  declare readonly code: C
  declare readonly facts: Readonly<ErrorFacts[C]>

  constructor(code: C, facts: ErrorFacts[C], ...rest: NodeErrorRest<C>) {
    const [options, table = sentences] = rest as [ErrorOptions?, unknown?]
    const shown = withoutSecrets(facts)
    // Reasons may be sentences of their own.
    super((table as Sentences<C>)[code](shown).replace(/([.!?])\.$/, '$1'), options)
    this.code = code
    this.facts = shown
  }

  get [mark](): true {
    return true
  }

  toJSON(): object {
    const { name, code, message, facts } = this
    const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value)
    return { name, code, message, facts: JSON.parse(JSON.stringify(facts, plain)) }
  }

  get docsUrl(): string {
    return ERROR_PAGE.replace('CODE', () => this.code.toLowerCase())
  }
} as unknown as NodeErrorConstructor

/** Forms of private keys and recovery phrases. If one was pasted into any field, errors must not repeat it. */
const secretForms = [
  /(?<![0-9a-f])(?:00)?[0-9a-f]{62,64}(?![0-9a-f])/i,
  /(?:\p{L}{3,}[^\p{L}]+){11}\p{L}{3,}/u,
]

function maybeSecret(value: unknown): boolean {
  const MAX_CHARACTERS = 1000
  if (typeof value !== 'string') return false
  const found = secretForms.some((form) => form.test(value.slice(0, MAX_CHARACTERS)))
  // Overwrites `RegExp.input`, which would keep the secret.
  return /(?:)/.test('') && found
}

function withoutSecrets<Facts extends object>(facts: Facts): Facts {
  let shown = facts
  // The facts that contain user input.
  for (const name of ['text', 'url', 'found'])
    if (maybeSecret(Reflect.get(facts, name))) shown = { ...shown, [name]: 'what may be a secret' }
  return shown
}

/** Another name of {@link NodeError}. */
export type AnyNodeError<C extends ErrorCode = ErrorCode> = NodeError<C>

/**
 * Narrows a caught value to a {@link NodeError}, optionally with one code or one of several. Errors of another copy of
 * this package count.
 */
export function isNodeError<C extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: C | readonly C[],
): error is NodeError<C> {
  const given = Object(error)
  return given[mark] === true && (code === undefined || [code].flat().includes(given.code))
}
