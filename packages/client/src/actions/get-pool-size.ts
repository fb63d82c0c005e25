import { pendingSizeEndpoint } from '@hailstone/protocol'
import { answerFault } from '../answer-fault.ts'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/**
 * Reads the number of transactions that wait in the pool of the node that answers.
 *
 * Source: `GET /pending_size`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getPoolSize(client: ClientCore, { signal }: Cancellable = {}): Promise<number> {
  const [entry] = await callEndpoint(client, pendingSizeEndpoint, {}, { signal })
  if (entry === undefined) throw answerFault(pendingSizeEndpoint.path, 'it is an empty list')
  return entry.count
}
