import { type TokenAnswer, tokenEndpoint } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { type GetTokenParameters, readToken } from './read-token.ts'

/** A token as the network shows it; the mining members are null for a token that is not mined. */
export type TokenInfo = TokenAnswer

/**
 * Reads a token; undefined when the network does not know it.
 *
 * Source: `GET /token_info`, a list with one token or none.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`, `DECIMALS_DIFFER`
 */
export const getToken = (
  client: ClientCore,
  parameters: GetTokenParameters,
): Promise<TokenInfo | undefined> => readToken(client, tokenEndpoint, parameters)
