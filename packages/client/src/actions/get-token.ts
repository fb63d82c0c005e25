import { type TokenAnswer, type TokenId, tokenEndpoint } from '@hailstone/protocol'
import { answerFault, assertDecimals, isSameName } from '../answer-fault.ts'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** A token as the network shows it; the mining members are null for a token that is not mined. */
export type TokenInfo = TokenAnswer

export type GetTokenParameters = Cancellable & { readonly tokenId: TokenId }

/**
 * Reads a token; undefined when the network does not know it.
 *
 * Source: `GET /token_info`, a list with one token or none.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getToken(
  client: ClientCore,
  { tokenId, signal }: GetTokenParameters,
): Promise<TokenInfo | undefined> {
  const { path } = tokenEndpoint
  const [token] = await callEndpoint(client, tokenEndpoint, { tokenId }, { signal })
  if (token === undefined) return undefined
  if (!isSameName(token.id, tokenId)) throw answerFault(path, 'it is another token')
  assertDecimals(path, token.decimals)
  return token
}
