import { type KeyBlockAnswer, lastBlocksEndpoint } from '@hailstone/protocol'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/**
 * Reads up to ten calculated key blocks, newest first.
 *
 * Source: `GET /lastblocks`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getLastBlocks(
  client: ClientCore,
  { signal }: Cancellable = {},
): Promise<readonly KeyBlockAnswer[]> {
  const { blocks } = await callEndpoint(client, lastBlocksEndpoint, {}, { signal })
  return blocks
}
