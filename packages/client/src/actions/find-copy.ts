import { type Hash, malleatedHashes, pendingAccountEndpoint, type Transaction } from '@hailstone/protocol'
import { callEndpointOrNothing } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { getTransactions } from './get-transactions.ts'

/** A hundred transfers, received ones included. */
const MAX_PAGES = 10

/**
 * Returns the hash of a copy of a transaction with another signature that waits in the pool or was executed, as far as the
 * sender's newest hundred transfers show it; null if no copy is found.
 *
 * Source: `GET /pending_tx_account`, `GET /account_transactions`.
 *
 * @throws {NodeError} what the look-ups throw
 */
export async function findCopy(
  client: ClientCore,
  { transaction, signal }: Cancellable & { readonly transaction: Transaction },
): Promise<Hash | null> {
  const { from: address } = transaction
  const copies = malleatedHashes(transaction)
  const isCopy = ({ hash }: { readonly hash: string }): boolean => copies.has(hash.toLowerCase() as Hash)
  const query = { address, filter: 'from' }
  const waiting = (await callEndpointOrNothing(client, pendingAccountEndpoint, query, { signal })) ?? []
  const pooled = waiting.find(isCopy)
  if (pooled !== undefined) return pooled.hash
  for (let page = 0; page < MAX_PAGES; page++) {
    const { records, isLast } = await getTransactions(client, { address, page, signal })
    const executed = records.find((record) => record.status === 'confirmed' && isCopy(record))
    if (executed !== undefined) return executed.hash
    if (isLast) return null
  }
  return null
}
