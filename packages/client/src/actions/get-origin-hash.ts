import { defineEndpoint, isNodeError } from '@hailstone/protocol'
import { hash, record } from '@hailstone/protocol/schema'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Nothing but how the chain begins: every node asks for it, and pages that mine need not carry the rest. */
const originEndpoint = defineEndpoint({
  path: '/network_info',
  answer: record({ origin: record({ hash }) }),
})

/**
 * Reads the name of key block 0, which tells networks apart; undefined from old servers, which cannot say it.
 *
 * Source: `GET /network_info`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getOriginHash(
  client: ClientCore,
  { signal }: Cancellable = {},
): Promise<string | undefined> {
  try {
    const { origin } = await callEndpoint(client, originEndpoint, {}, { signal })
    return origin.hash
  } catch (error) {
    if (isNodeError(error, 'HTTP_STATUS') && error.facts.status === 404) return undefined
    throw error
  }
}
