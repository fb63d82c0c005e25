import { assertArgument } from '@hailstone/protocol'

/**
 * Returns the path of parameters that no compiler has checked.
 *
 * @param example completes "as in"
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function assertedPath(parameters: { readonly path: string }, example: string): string {
  const { path } = Object(parameters ?? {}) as typeof parameters
  assertArgument(
    typeof path === 'string' && path !== '',
    'path',
    `the path of a file, as in ${example}`,
    path,
  )
  return path
}
