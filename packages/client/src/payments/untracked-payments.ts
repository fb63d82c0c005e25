import {
  type Address,
  type Hash,
  malleatedHashes,
  pendingAccountEndpoint,
  readTransactionBody,
} from '@hailstone/protocol'
import { transactionsOf } from '../actions/transactions-of.ts'
import { callEndpointOrNothing } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { isSigned, type Payment } from './payment.ts'
import type { UntrackedPayments } from './payment-info.ts'
import type { PaymentStore } from './payment-store.ts'

export type UntrackedPaymentsParameters = Cancellable & {
  readonly client: ClientCore
  readonly store: PaymentStore
  readonly wallet: { readonly address: Address }
}

type Seen = { readonly hash: Hash; readonly amount: bigint; readonly data: string }

/** Transfers that are looked at, received ones included. */
const MAX_RECORDS = 100

/**
 * Payments of an account that are newer than any its journal knows of: they wait in the pool, or stand in the
 * account's history above the newest one that is known. A journal in daily use finds itself in the first records; one
 * that was restored from a copy does not. Null when there are none.
 *
 * @throws {NodeError} what the look-ups throw
 */
export async function untrackedPayments(
  parameters: UntrackedPaymentsParameters,
): Promise<UntrackedPayments | null> {
  const { client, store, wallet, signal } = parameters
  const { address } = wallet
  const query = { address, filter: 'from' }
  const pooled = (await callEndpointOrNothing(client, pendingAccountEndpoint, query, { signal })) ?? []
  const unknown = pooled.filter((entry) => !isKnown(store, entry)).map(({ hash }) => hash)
  let looks = 0
  for await (const record of transactionsOf(client, { address, signal })) {
    if (++looks > MAX_RECORDS) break
    if (record.recordType !== 'iout') continue
    if (isKnown(store, record)) break
    if (record.status === 'confirmed') unknown.push(record.hash)
  }
  const [newest] = unknown
  return newest === undefined ? null : { transactions: unknown.length, newest }
}

/** True if the journal has the transaction, or the payment of which it is a malleated copy. */
const isKnown = (store: PaymentStore, seen: Seen): boolean =>
  store.payments().some((payment) => isOf(payment, seen, store))

function isOf(payment: Payment, { hash, amount, data }: Seen, store: PaymentStore): boolean {
  if (!isSigned(payment)) return false
  const lower = hash.toLowerCase() as Hash
  if (payment.hash === lower) return true
  // Copies differ in their signature alone, and cost dozens of hashes to find.
  const fields = store.fieldsOf(payment)
  if (fields.amount !== amount || fields.data !== data) return false
  const transaction = readTransactionBody(payment.body)
  return transaction !== null && malleatedHashes(transaction).has(lower)
}
