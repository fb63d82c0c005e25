import { type ErrorCode, type ErrorFacts, sentences } from './facts.ts'

/** Every failure the packages raise on purpose. Match on `code`, never on `message`. */
export class NodeError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'NodeError'
  readonly code: C
  readonly facts: Readonly<ErrorFacts[C]>

  constructor(code: C, facts: ErrorFacts[C], options?: ErrorOptions) {
    const shown = withoutSecrets(facts)
    super(sentences[code](shown), options)
    this.code = code
    this.facts = shown
  }
}

/** Facts that repeat what somebody entered. */
const entered = ['text', 'url', 'found']

/** A private key or a recovery phrase as people have them: pasted into any field, they must not come back. */
const secretForms = [/^\W*(?:0x)?(?:00)?[0-9a-f]{62,64}\W*$/i, /^\W*(?:\p{L}+\s+){11,23}\p{L}+\W*$/u]

function maybeSecret(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 400) return false
  const found = secretForms.some((form) => form.test(value))
  // `RegExp.input` would keep it.
  return /(?:)/.test('') && found
}

function withoutSecrets<Facts extends object>(facts: Facts): Facts {
  const hidden = entered.filter((name) => maybeSecret(Reflect.get(facts, name)))
  if (hidden.length === 0) return facts
  return { ...facts, ...Object.fromEntries(hidden.map((name) => [name, 'what may be a secret'])) }
}

/** Narrows anything caught to a {@link NodeError}, of one code when one is given. */
export function isNodeError<C extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: C,
): error is NodeError<C> {
  return error instanceof NodeError && (code === undefined || error.code === code)
}
