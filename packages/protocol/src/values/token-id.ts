import { NodeError } from '../errors/node-error.ts'
import type { TokenId } from './branded-values.ts'

export type { TokenId }

export const ZERO_TOKEN_ID = '0'.repeat(64) as TokenId

export const isTokenId = (value: unknown): value is TokenId =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

/**
 * Parses a token id. Refuses upper case: the network accepts it on POST and then finds no token.
 *
 * @throws {NodeError} `TOKEN_ID_MALFORMED`
 */
export function parseTokenId(text: string): TokenId {
  if (!isTokenId(text)) throw new NodeError('TOKEN_ID_MALFORMED', { text: String(text) })
  return text
}
