import { type NetworkInfo, networkInfoEndpoint } from '@hailstone/protocol'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/**
 * Reads the constants of the network: block time, reward ratio, fee shares, origin.
 *
 * Source: `GET /network_info`. Old servers do not have it and answer `HTTP_STATUS` 404.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getNetworkInfo = (client: ClientCore, { signal }: Cancellable = {}): Promise<NetworkInfo> =>
  callEndpoint(client, networkInfoEndpoint, {}, { signal })
