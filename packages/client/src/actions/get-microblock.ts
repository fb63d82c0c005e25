import {
  type BlockTransaction,
  type Hash,
  type MicroblockHeader,
  microblockEndpoint,
} from '@hailstone/protocol'
import { answerFault, isSameName } from '../answer-fault.ts'
import { lookUp } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** A microblock with its transactions, confirmed, rejected and duplicate ones. */
export type MicroblockInfo = {
  readonly header: MicroblockHeader
  readonly transactions: readonly BlockTransaction[]
}

export type GetMicroblockParameters = Cancellable & { readonly hash: Hash }

/**
 * Reads a microblock; undefined when it is unknown or not calculated. Its hash is not recomputed here;
 * `walkChain` does that.
 *
 * Source: `GET /mblock`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getMicroblock(
  client: ClientCore,
  { hash, signal }: GetMicroblockParameters,
): Promise<MicroblockInfo | undefined> {
  const answer = await lookUp(client, microblockEndpoint, { hash }, { signal })
  if (answer?.header === undefined) return undefined
  const { header, transactions } = answer
  if (!isSameName(header.hash, hash)) throw answerFault(microblockEndpoint.path, 'it is another microblock')
  return { header, transactions }
}
