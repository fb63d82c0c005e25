import type { ErrorFacts, QuorumErrorCode, Sentences } from './facts.ts'
import { NodeError } from './node-error.ts'

/** Limit for a value in JSON; the amount comes first. */
const MAX_CHARACTERS = 80

export const quorumSentences: Sentences<QuorumErrorCode> = {
  NODES_DISAGREE: ({ path, quorum, answers }) =>
    `${quorum} API nodes have to give the same answer to ${path}, and do not: ${answers
      .map(
        ({ source, height, value }) =>
          `${source} says ${value.slice(0, MAX_CHARACTERS)} at height ${height ?? 'unknown'}`,
      )
      .join('; ')}.`,
}

/** Creates an error of clients that query several API nodes. */
export function quorumError<C extends QuorumErrorCode>(code: C, facts: ErrorFacts[C]): NodeError<C> {
  return new NodeError<QuorumErrorCode>(code, facts, undefined, quorumSentences) as NodeError<C>
}
