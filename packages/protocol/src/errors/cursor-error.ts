import { type CursorErrorCode, type ErrorFacts, type Sentences, shown } from './facts.ts'
import { NodeError } from './node-error.ts'

export const cursorSentences: Sentences<CursorErrorCode> = {
  CURSOR_STORE_FAILED: ({ name, reason }) => `The cursor ${shown(name)} was not kept: ${reason}.`,
}

/** Creates the error of a store of cursors, which only what follows an account has. */
export const cursorError = (
  facts: ErrorFacts['CURSOR_STORE_FAILED'],
  options?: ErrorOptions,
): NodeError<'CURSOR_STORE_FAILED'> =>
  new NodeError<CursorErrorCode>('CURSOR_STORE_FAILED', facts, options, cursorSentences)
