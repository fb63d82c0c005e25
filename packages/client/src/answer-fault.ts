import { apiError, type NodeError } from '@hailstone/protocol'

/** An answer of the right shape that cannot be true. */
export const answerFault = (path: string, reason: string): NodeError<'RESPONSE_INVALID'> =>
  apiError('RESPONSE_INVALID', { path, reason })

/** Most decimals a token may have; the network itself allows ten. */
const MAX_DECIMALS = 18

/**
 * Decimals decide how an amount is shown, so nonsense is refused.
 *
 * @throws {NodeError} `RESPONSE_INVALID`
 */
export function assertDecimals(path: string, decimals: number): void {
  if (decimals < 0 || decimals > MAX_DECIMALS) {
    throw answerFault(path, `decimals is ${decimals}, not 0 to ${MAX_DECIMALS}`)
  }
}

/** Names of the network are compared without regard to letter case, as its database does. */
export const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
