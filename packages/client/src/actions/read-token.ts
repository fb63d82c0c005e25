import type { Endpoint, Parameter, TokenId } from '@hailstone/protocol'
import { answerFault, assertDecimals, isSameName } from '../answer-fault.ts'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Parameters of {@link getToken}. */
export type GetTokenParameters = Cancellable & {
  /** 64 hex digits. */
  readonly tokenId: string
}

/**
 * Reads the members of `GET /token_info` that the endpoint names. The network answers a list with one token or none.
 */
export async function readToken<T extends { readonly id: TokenId; readonly decimals: number }>(
  client: ClientCore,
  endpoint: Endpoint<{ readonly tokenId: Parameter<'tokenId', false> }, readonly T[]>,
  { tokenId, signal }: GetTokenParameters,
): Promise<T | undefined> {
  const { path } = endpoint
  const [token] = await callEndpoint(client, endpoint, { tokenId }, { signal })
  if (token === undefined) return undefined
  if (!isSameName(token.id, tokenId)) throw answerFault(path, 'it is another token')
  assertDecimals(client, token.decimals, token.id)
  return token
}
