import { type StakeLimits, stakeLimitsEndpoint } from '@hailstone/protocol'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/**
 * Reads the least native balance of a miner and the most that counts, in units.
 *
 * Source: `GET /get_stake_limits`. For a custom token see `minimumStake` of the token; it has no upper limit.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getStakeLimits = (client: ClientCore, { signal }: Cancellable = {}): Promise<StakeLimits> =>
  callEndpoint(client, stakeLimitsEndpoint, {}, { signal })
