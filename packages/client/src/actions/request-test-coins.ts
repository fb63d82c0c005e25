import { assertArgument, faucetEndpoint, isAddress, isTokenId } from '@hailstone/protocol'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { postEndpoint } from '../post-endpoint.ts'

/** Parameters of {@link requestTestCoins}. */
export type RequestTestCoinsParameters = Cancellable & {
  /** 02 or 03 and 64 hex digits. */
  readonly address: string
  /** Token to be mined. @default the network's native token */
  readonly tokenId?: string | undefined
  /** `agent` requests the least balance of a referral agent. @default the minimum stake of a miner */
  readonly as?: 'agent' | undefined
}

/**
 * Requests the stake of a token from a test network, with native coins for fees if it is another token. Returns true
 * when they are on their way as ordinary transactions; false when the faucet is empty, refuses, or has served this
 * address a moment ago. A token that the network does not let people mine is an `HTTP_STATUS`, 400 or 404.
 *
 * Source: `POST /faucet` of a local network. The public test network has its faucet on a host of its own,
 * the main network has none.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function requestTestCoins(
  client: ClientCore,
  { address, tokenId, as, signal }: RequestTestCoinsParameters,
): Promise<boolean> {
  assertArgument(isAddress(address), 'address', 'an address, 02 or 03 and 64 hex digits', address)
  assertArgument(tokenId === undefined || isTokenId(tokenId), 'tokenId', 'a token id, 64 hex digits', tokenId)
  assertArgument(as === undefined || as === 'agent', 'as', '"agent", or nothing', as)
  return (await postEndpoint(client, faucetEndpoint, { address, tokenId, as }, { signal })) ?? false
}
