import { type ArgumentErrorCode, type Sentences, shown, written } from './facts.ts'
import { NodeError } from './node-error.ts'

export const argumentSentences: Sentences<ArgumentErrorCode> = {
  ARGUMENT_INVALID: ({ parameter, expected, found }) =>
    `The parameter ${parameter} should be ${expected}; found ${found}.`,
}

/**
 * Checks an argument at run time, for callers without a compiler.
 *
 * @param expected completes "The parameter … should be"
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function assertArgument(
  isRight: unknown,
  parameter: string,
  expected: string,
  found: unknown,
): asserts isRight {
  if (isRight) return
  const facts = { parameter, expected, found: described(found) }
  throw new NodeError<ArgumentErrorCode>('ARGUMENT_INVALID', facts, undefined, argumentSentences)
}

function described(found: unknown): string {
  if (found === undefined) return 'nothing'
  if (typeof found === 'string') return `the text ${shown(found)}`
  return (Object(found) === found ? '' : `${typeof found} `) + written(found)
}
