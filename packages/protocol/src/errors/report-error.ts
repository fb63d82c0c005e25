import { plainJson } from '../values/plain-text.ts'
import { type ErrorFacts, type ReportErrorCode, type Sentences, shown } from './facts.ts'
import { NodeError } from './node-error.ts'

export const reportSentences: Sentences<ReportErrorCode> = {
  MESSAGE_MALFORMED: ({ reason }) => `The gateway message cannot be read: ${reason}.`,
  GATEWAY_ERROR: ({ code }) => `The gateway reports an error: ${plainJson(shown(code))}.`,
  NATIVE_TOKEN_UNKNOWN: ({ reason }) => `The API does not say which token is native: ${reason}.`,
  LISTENER_FAILED: ({ event, reason }) => `A listener of ${shown(event)} threw: ${reason}.`,
}

/** Creates an error that a mining node reports and recovers from. */
export function reportError<C extends ReportErrorCode>(
  code: C,
  facts: ErrorFacts[C],
  options?: ErrorOptions,
): NodeError<C> {
  return new NodeError<ReportErrorCode>(code, facts, options, reportSentences) as NodeError<C>
}
