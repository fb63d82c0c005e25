import { assertArgument } from '@hailstone/protocol'

/**
 * Refuses a member of another name: what was meant by it, such as a key, a token or a limit, would be ignored. Members
 * that are undefined mean nothing.
 *
 * @param of completes "The parameter"
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function assertNames(of: string, given: unknown, names: readonly string[]): void {
  for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(Object(given))))
    assertArgument(
      names.includes(name) || (value ?? get) === undefined,
      of,
      `made of ${names.join(', ')}`,
      name,
    )
}
