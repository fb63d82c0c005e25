import { type ErrorFacts, type Sentences, shown, type TextErrorCode } from './facts.ts'
import { NodeError } from './node-error.ts'

export const textSentences: Sentences<TextErrorCode> = {
  SIGNATURE_MALFORMED: ({ reason }) => `The signature is not minimal DER: ${reason}.`,
  AMOUNT_MALFORMED: ({ text, reason }) => `${shown(text)} is not an amount: ${reason}.`,
  AMOUNT_TOO_PRECISE: ({ text, decimals }) =>
    `${shown(text)} is finer than the token, which has ${decimals} decimals.`,
  CONTRACT_MALFORMED: ({ reason }) => `The contract data cannot be read: ${reason}.`,
  // Reserved: nothing throws it.
  BEACON_REFUSED: ({ reason }) => `The beacon was not signed: ${reason}.`,
}

/** Creates an error of parsing signatures, amounts and contracts, which pages that only mine do not need. */
export function textError<C extends TextErrorCode>(
  code: C,
  facts: ErrorFacts[C],
  options?: ErrorOptions,
): NodeError<C> {
  return new NodeError<TextErrorCode>(code, facts, options, textSentences) as NodeError<C>
}
