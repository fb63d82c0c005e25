import { type BlockTransaction, type MicroblockHeader, microblockEndpoint } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { type GetMicroblockParameters, microblockOf } from './microblock-of.ts'

/** A microblock with its transactions, confirmed, rejected and duplicate ones. */
export type MicroblockInfo = {
  readonly header: MicroblockHeader
  readonly transactions: readonly BlockTransaction[]
}

/**
 * Reads a microblock; undefined when it is unknown or not calculated. Its hash is not recomputed here;
 * `walkChain` does that.
 *
 * Source: `GET /mblock`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getMicroblock = (
  client: ClientCore,
  parameters: GetMicroblockParameters,
): Promise<MicroblockInfo | undefined> => microblockOf(client, microblockEndpoint, parameters)
