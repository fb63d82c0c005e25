import { minersOnlineEndpoint, type Value } from '@hailstone/protocol'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** A miner that has hailed. */
export type MinerOnline = Value<typeof minersOnlineEndpoint.answer>[number]

/**
 * Reads who is connected to the network's gateways.
 *
 * Source: `GET /poa_nodes_online`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getMinersOnline = (
  client: ClientCore,
  { signal }: Cancellable = {},
): Promise<readonly MinerOnline[]> => callEndpoint(client, minersOnlineEndpoint, {}, { signal })
