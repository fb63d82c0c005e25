import type { ErrorCode } from '../../errors/facts.ts'

/** Reason for an error, and the way to remove it. */
export type ErrorCause = {
  /** One or two sentences. */
  readonly cause: string
  /** An instruction that removes the cause. */
  readonly fix: string
}

/** Entry of the error reference: the content of a page of the documentation, and the advice of commands. */
export type ErrorExplanation = {
  /** A few words, without the code and without a full stop. */
  readonly title: string
  /** One sentence: the first thing to try. */
  readonly hint: string
  /** The most frequent one first. */
  readonly causes: readonly [ErrorCause, ...ErrorCause[]]
  readonly related: readonly ErrorCode[]
}

export type ErrorExplanations<C extends ErrorCode> = { readonly [K in C]: ErrorExplanation }
