import { type Hash, type IndexEntry, recordsOfHashEndpoint } from '@hailstone/protocol'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

export type GetRecordsOfHashParameters = Cancellable & {
  /** Of a microblock, statblock, key block or transaction. */
  readonly hash: Hash
}

/**
 * Reads what one block or transaction did to every account: who was paid what, and as which kind of record.
 *
 * Source: `GET /eindex_by_hash`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getRecordsOfHash = (
  client: ClientCore,
  { hash, signal }: GetRecordsOfHashParameters,
): Promise<readonly IndexEntry[]> => callEndpoint(client, recordsOfHashEndpoint, { hash }, { signal })
