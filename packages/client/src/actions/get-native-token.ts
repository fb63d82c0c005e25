import { nativeTokenEndpoint } from '@hailstone/protocol'
import { assertDecimals } from '../answer-fault.ts'
import { lookUp } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import type { TokenInfo } from './get-token.ts'

/**
 * Reads the native token; undefined when the network has no row of it.
 *
 * Source: `GET /native_token`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`, `DECIMALS_DIFFER`
 */
export async function getNativeToken(
  client: ClientCore,
  { signal }: Cancellable = {},
): Promise<TokenInfo | undefined> {
  const token = await lookUp(client, nativeTokenEndpoint, {}, { signal })
  if (token !== undefined) assertDecimals(client, token.decimals)
  return token
}
