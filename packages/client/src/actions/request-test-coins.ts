import { type Address, assertArgument, faucetEndpoint, isAddress } from '@hailstone/protocol'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { postEndpoint } from '../post-endpoint.ts'

export type RequestTestCoinsParameters = Cancellable & { readonly address: Address }

/**
 * Asks a test network for coins. True when they are on their way as an ordinary transaction; false when the
 * faucet is empty, refuses, or has served this address a moment ago.
 *
 * Source: `POST /faucet` of a local network. The public test network has its faucet on a host of its own,
 * the main network has none.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function requestTestCoins(
  client: ClientCore,
  { address, signal }: RequestTestCoinsParameters,
): Promise<boolean> {
  assertArgument(isAddress(address), 'address', 'an address, 02 or 03 and 64 hex digits', address)
  return (await postEndpoint(client, faucetEndpoint, { address }, { signal })) ?? false
}
