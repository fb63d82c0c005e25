import { assertArgument } from '@hailstone/protocol'
import { wrongSetting } from '@hailstone/runtime'

/**
 * Refuses a misspelt name of an option and a value of another kind, for programs that no compiler checks.
 *
 * @param of completes "The parameter"
 * @param within stands before the name of an option inside another
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function assertKinds(
  of: string,
  options: unknown,
  kinds: Readonly<Record<string, string | true>>,
  within = '',
): void {
  const isObject = Object(options) === options && !Array.isArray(options)
  assertArgument(options === undefined || isObject, of, 'an object', options)
  const wrong = wrongSetting({ of, settings: options, kinds, within })
  if (wrong !== undefined) assertArgument(false, wrong.name, wrong.expected, wrong.found)
}

/** Returns the kinds of settings that all have a default. */
export const kindsOf = (defaults: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, typeof value]))
