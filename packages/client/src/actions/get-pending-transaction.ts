import { type PendingTransaction, pendingTransactionEndpoint } from '@hailstone/protocol'
import { answerFault, isSameName } from '../answer-fault.ts'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Parameters of {@link getPendingTransaction}. */
export type GetPendingTransactionParameters = Cancellable & {
  /** 64 hex digits. */
  readonly hash: string
}

/**
 * Reads a transaction that waits in the pool; undefined when it does not wait there (any more). Unlike other
 * look-ups this one never takes a refusal for "nothing": that would read as "will not be executed".
 *
 * Source: `GET /pending_tx_hash`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getPendingTransaction(
  client: ClientCore,
  { hash, signal }: GetPendingTransactionParameters,
): Promise<PendingTransaction | undefined> {
  const [entry] = await callEndpoint(client, pendingTransactionEndpoint, { hash }, { signal })
  if (entry !== undefined && !isSameName(entry.hash, hash)) {
    throw answerFault(pendingTransactionEndpoint.path, 'it is another transaction')
  }
  return entry
}
