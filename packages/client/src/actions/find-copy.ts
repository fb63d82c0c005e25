import { type Hash, malleatedHashes, pendingAccountEndpoint, type Transaction } from '@hailstone/protocol'
import { callEndpointOrNothing } from '../call-endpoint.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../chain/concurrency-limit.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { getTransaction } from './get-transaction.ts'
import { getTransactions } from './get-transactions.ts'
import { joinedPage } from './history.ts'

/** A hundred transfers, received ones included; copies of older ones are asked for by hash. */
const MAX_PAGES = 10
/** Searches that all have to find none: one address may lead to several nodes, of which one is behind or starts. */
const SEARCHES = 6
/** Requests of all searches at a time: below a hundred transfers they are about two hundred. */
const CONCURRENCY = 8

/**
 * Returns the hash of a copy of a transaction with another signature that waits in the pool or was executed; null if no
 * copy is found.
 *
 * Source: `GET /pending_tx_account`, `GET /account_transactions`, `GET /tx`.
 *
 * @throws {NodeError} what the look-ups throw
 */
export async function findCopy(
  client: ClientCore,
  parameters: Cancellable & { readonly transaction: Transaction },
): Promise<Hash | null> {
  const copies = malleatedHashes(parameters.transaction)
  const limit = createConcurrencyLimit(CONCURRENCY)
  const search = () => findOnce(client, { ...parameters, copies, limit })
  const found = await Promise.all(Array.from({ length: SEARCHES }, search))
  return found.find((hash) => hash !== null) ?? null
}

async function findOnce(
  client: ClientCore,
  {
    transaction: { from: address },
    copies,
    limit,
    signal,
  }: Cancellable & {
    readonly transaction: Transaction
    readonly copies: ReadonlySet<Hash>
    readonly limit: ConcurrencyLimit
  },
): Promise<Hash | null> {
  const isCopy = ({ hash }: { readonly hash: string }): boolean => copies.has(hash.toLowerCase() as Hash)
  const query = { address, filter: 'from' }
  const waiting = (await callEndpointOrNothing(client, pendingAccountEndpoint, query, { signal })) ?? []
  const pooled = waiting.find(isCopy)
  if (pooled !== undefined) return pooled.hash
  const read = (page: number) => limit(() => getTransactions(client, { address, page, signal }))
  let lowest = Number.POSITIVE_INFINITY
  for (let page = 0; page < MAX_PAGES; page++) {
    const { records, isLast } = await joinedPage(read, page, lowest)
    const executed = records.find((record) => record.status === 'confirmed' && isCopy(record))
    if (executed !== undefined) return executed.hash
    if (isLast) return null
    lowest = Math.min(lowest, records.at(-1)?.index ?? lowest)
  }
  const byHash = (hash: Hash) => limit(() => getTransaction(client, { hash, signal }))
  const older = await Promise.all([...copies].map(byHash))
  return older.find((copy) => copy?.status === 'confirmed')?.hash ?? null
}
