import { apiError, type NodeError, type TokenId } from '@hailstone/protocol'
import type { ClientCore } from './client-core.ts'

/** An answer of the right shape that cannot be true. */
export const answerFault = (path: string, reason: string): NodeError<'RESPONSE_INVALID'> =>
  apiError('RESPONSE_INVALID', { path, reason })

/**
 * Returns the decimals that are known without asking, by the settings of the client or because the token is native;
 * undefined if the API alone names them.
 */
export const knownDecimals = (
  { network, memory }: Pick<ClientCore, 'network' | 'memory'>,
  tokenId: TokenId,
): number | undefined =>
  network.tokenDecimals?.[tokenId] ??
  (tokenId === network.nativeTokenId || [...memory.nativeTokenIds.values()].includes(tokenId)
    ? network.nativeDecimals
    : undefined)

/**
 * Decimals turn the amount that a person types into the units that are signed, so an API cannot choose them where
 * they are known.
 *
 * @param tokenId of the native token under any name if it is left out
 * @throws {NodeError} `DECIMALS_DIFFER`
 */
export function assertDecimals(
  client: ClientCore,
  received: number,
  tokenId: TokenId = client.network.nativeTokenId,
): void {
  const expected = knownDecimals(client, tokenId) ?? received
  if (received !== expected) throw apiError('DECIMALS_DIFFER', { tokenId, expected, received })
}

/** Names of the network are compared without regard to letter case, as its database does. */
export const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
