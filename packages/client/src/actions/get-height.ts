import { heightEndpoint } from '@hailstone/protocol'
import { answerFault } from '../answer-fault.ts'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/**
 * Reads the height of the open key block, the tail of the chain. Macroblocks below it are calculated; the one
 * just below may still be for a moment.
 *
 * Source: `GET /height`, which leaves the member out at height 0.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getHeight(client: ClientCore, { signal }: Cancellable = {}): Promise<number> {
  const { height = 0 } = await callEndpoint(client, heightEndpoint, {}, { signal })
  if (height < 0) throw answerFault(heightEndpoint.path, 'height is negative')
  return height
}
