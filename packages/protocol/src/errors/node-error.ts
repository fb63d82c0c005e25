import { type ErrorCode, type ErrorFacts, sentences } from './facts.ts'

/** Every failure the packages raise on purpose. Match on `code`, never on `message`. */
export class NodeError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'NodeError'
  readonly code: C
  readonly facts: Readonly<ErrorFacts[C]>

  constructor(code: C, facts: ErrorFacts[C], options?: ErrorOptions) {
    super(sentences[code](facts), options)
    this.code = code
    this.facts = facts
  }
}

/** Narrows anything caught to a {@link NodeError}, of one code when one is given. */
export function isNodeError<C extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: C,
): error is NodeError<C> {
  return error instanceof NodeError && (code === undefined || error.code === code)
}
