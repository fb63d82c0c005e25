import { defineEndpoint } from '@hailstone/protocol'
import { hash, record } from '@hailstone/protocol/schema'
import { callEndpoint, undefinedIfOldServer } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Nothing but how the chain begins: every node asks for it, and pages that mine need not carry the rest. */
const originEndpoint = defineEndpoint({
  path: '/network_info',
  answer: record({ origin: record({ hash }) }),
})

/**
 * Reads the name of key block 0, which tells networks apart; undefined from a server without the endpoint, as old
 * ones are. That is what one server says now: another one, or the same a little later, may name it.
 *
 * Source: `GET /network_info`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getOriginHash(
  client: ClientCore,
  { signal }: Cancellable = {},
): Promise<string | undefined> {
  const answer = await callEndpoint(client, originEndpoint, {}, { signal }).catch(undefinedIfOldServer)
  return answer?.origin.hash
}
