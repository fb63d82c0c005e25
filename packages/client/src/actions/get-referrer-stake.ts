import { type Amount, referrerStakeEndpoint } from '@hailstone/protocol'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/**
 * Reads the least native balance with which a referral agent earns; undefined when the network has not
 * configured one. For a custom token see `referrerStake` of the token.
 *
 * Source: `GET /referrer_stake`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getReferrerStake(
  client: ClientCore,
  { signal }: Cancellable = {},
): Promise<Amount | undefined> {
  const { referrerStake } = await callEndpoint(client, referrerStakeEndpoint, {}, { signal })
  return referrerStake ?? undefined
}
