import { statsEndpoint, type Value } from '@hailstone/protocol'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Figures by the names of their operator. Any may be missing or null, and large ones were rounded by the server. */
export type Stats = Value<typeof statsEndpoint.answer>

/**
 * Reads the operator's figures: for people to look at, not to compute with.
 *
 * Source: `GET /stats`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getStats = (client: ClientCore, { signal }: Cancellable = {}): Promise<Stats> =>
  callEndpoint(client, statsEndpoint, {}, { signal })
