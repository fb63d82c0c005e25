import { defineEndpoint, type MicroblockHeader, microblockHeader, required } from '@hailstone/protocol'
import { optional, record } from '@hailstone/protocol/schema'
import type { ClientCore } from '../client-core.ts'
import { type GetMicroblockParameters, microblockOf } from './microblock-of.ts'

/** Without the transactions: whoever watches rewards neither needs them nor has to check them. */
const headerEndpoint = defineEndpoint({
  path: '/mblock',
  parameters: { hash: required('hash', 'hash') },
  answer: record({ header: optional(microblockHeader) }),
})

/**
 * Reads whose a microblock is and what it paid; undefined when it is unknown or not calculated.
 *
 * Source: `GET /mblock`, as `getMicroblock`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getMicroblockHeader = async (
  client: ClientCore,
  parameters: GetMicroblockParameters,
): Promise<MicroblockHeader | undefined> => (await microblockOf(client, headerEndpoint, parameters))?.header
