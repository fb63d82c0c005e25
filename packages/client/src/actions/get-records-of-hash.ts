import { assertArgument, type IndexEntry, recordsOfHashEndpoint } from '@hailstone/protocol'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Parameters of {@link getRecordsOfHash}. */
export type GetRecordsOfHashParameters = Cancellable & {
  /** Of a microblock, statblock, key block or transaction: 64 hex digits. */
  readonly hash: string
}

/**
 * Reads what one block or transaction did to every account: who was paid what, and as which kind of record.
 *
 * Source: `GET /eindex_by_hash`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getRecordsOfHash(
  client: ClientCore,
  { hash, signal }: GetRecordsOfHashParameters,
): Promise<readonly IndexEntry[]> {
  // The network answers without one, about nothing.
  assertArgument(hash, 'hash', 'a hash, 64 hex digits', hash)
  return callEndpoint(client, recordsOfHashEndpoint, { hash }, { signal })
}
