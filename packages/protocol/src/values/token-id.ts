import { written } from '../errors/facts.ts'
import { NodeError } from '../errors/node-error.ts'
import type { TokenId } from './branded-values.ts'

export type { TokenId }

/** Token id of the native token of most networks: 64 zeros. */
export const ZERO_TOKEN_ID = '0'.repeat(64) as TokenId

/** True if a value is a token id: 64 lower-case hex digits. */
export const isTokenId = (value: unknown): value is TokenId =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

/**
 * Parses a token id. Refuses upper case: the network accepts it on POST and then finds no token.
 *
 * @throws {NodeError} `TOKEN_ID_MALFORMED`
 */
export function parseTokenId(text: string): TokenId {
  if (!isTokenId(text)) throw new NodeError('TOKEN_ID_MALFORMED', { text: written(text) })
  return text
}
