import {
  type Address,
  type Hash,
  malleatedHashes,
  pendingAccountEndpoint,
  readTransactionBody,
} from '@hailstone/protocol'
import { getTransaction } from '../actions/get-transaction.ts'
import { getTransactions } from '../actions/get-transactions.ts'
import { joinedPage } from '../actions/history.ts'
import { callEndpointOrNothing } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { isSigned, type Payment } from './payment.ts'
import type { UntrackedPayments } from './payment-info.ts'
import type { PaymentStore } from './payment-store.ts'

export type UntrackedPaymentsParameters = Cancellable & {
  readonly client: ClientCore
  readonly store: PaymentStore
  readonly address: Address
  /** Payments of the account that were final when the journal was opened, and below which nothing is missing. */
  readonly past: readonly Payment[]
}

/** Payments of an account that its journal does not have, with what the pool and its history say of them. */
export type Untracked = UntrackedPayments & { readonly seen: readonly Seen[] }

type Seen = { readonly hash: Hash; readonly amount: bigint; readonly data: string }

/** Payments that the journal does not have and that look like an order: it may have been paid by one of them. */
export const alikeIn = (
  untracked: Untracked | null,
  { amount, data }: Pick<Seen, 'amount' | 'data'>,
): readonly Seen[] => untracked?.seen.filter((seen) => seen.amount === amount && seen.data === data) ?? []

/** Three thousand transfers, received ones included. */
const MAX_PAGES = 300
/** Payments whose copies are worked out at a time, so that other work gets its turn. */
const AT_A_TIME = 8

/** Result of reading the pool and the history of an account, once or several times. */
export type AccountReading = {
  /** Payments that the journal does not have, or null. */
  readonly untracked: Untracked | null
  /** Payments of the journal that the history shows. */
  readonly shown: ReadonlySet<string>
}

/** Readings of which each has to show that nothing is missing: one address may lead to several nodes, some of them behind. */
const READINGS = 6
/** Pages of a reading that confirms another one: what a node that is behind does not have is on the newest pages. */
const PAGES_AGAIN = 10

/**
 * Finds payments of an account that its journal does not have: in the pool, and in the account's history above the newest
 * payment that was final when the journal was opened. What a journal does not have began after it was copied, so it is above
 * all that was final then; a payment that was under way may be above it or below. A journal in daily use finds that payment
 * in the first page. A history without it is that of a node that is behind, and proves nothing.
 *
 * @throws {NodeError} what the look-ups throw
 */
export async function readAccount(parameters: UntrackedPaymentsParameters): Promise<AccountReading> {
  const known = knownPayments(parameters)
  const first = await readOnce(parameters, known, MAX_PAGES)
  if (first.untracked !== null) return first
  const others = await Promise.all(
    Array.from({ length: READINGS - 1 }, () => readOnce(parameters, known, PAGES_AGAIN)),
  )
  const { untracked } = others.find((other) => (other.untracked?.transactions ?? 0) > 0) ?? first
  return { untracked, shown: new Set([first, ...others].flatMap(({ shown }) => [...shown])) }
}

async function readOnce(
  parameters: UntrackedPaymentsParameters,
  known: KnownPayments,
  maxPages: number,
): Promise<AccountReading> {
  const waiting = await unknownInPool(parameters, known)
  const { executed, shown, isComplete } = await unknownInHistory(parameters, known, maxPages)
  const seen = [...waiting, ...executed]
  const newest = seen[0]?.hash ?? null
  if (newest === null && isComplete) return { untracked: null, shown }
  return { untracked: { transactions: seen.length, newest, seen }, shown }
}

async function unknownInPool(
  { client, address, signal }: UntrackedPaymentsParameters,
  known: KnownPayments,
): Promise<readonly Seen[]> {
  const query = { address, filter: 'from' }
  const pooled = (await callEndpointOrNothing(client, pendingAccountEndpoint, query, { signal })) ?? []
  const unknown: Seen[] = []
  for (const entry of pooled) {
    if ((await known(entry)) !== undefined) continue
    // Anybody may post executed bytes again: they wait without effect, and the history has them.
    const executed = await getTransaction(client, { hash: entry.hash, signal })
    if (executed === undefined) unknown.push(entry)
  }
  return unknown
}

async function unknownInHistory(
  { client, address, past, signal }: UntrackedPaymentsParameters,
  known: KnownPayments,
  maxPages: number,
): Promise<{
  readonly executed: readonly Seen[]
  readonly shown: ReadonlySet<string>
  readonly isComplete: boolean
}> {
  const executed: Seen[] = []
  const shown = new Set<string>()
  const last = newestOf(past)
  let lowest = Number.POSITIVE_INFINITY
  const read = (page: number) => getTransactions(client, { address, page, signal })
  for (let page = 0; page < maxPages; page++) {
    const { records, isLast } = await joinedPage(read, page, lowest)
    for (const record of records) {
      // New records push old ones onto the next page while it is read.
      if (record.index >= lowest) continue
      lowest = record.index
      if (record.recordType !== 'iout') continue
      const payment = await known(record)
      if (payment === undefined && record.status === 'confirmed') executed.push(record)
      if (payment !== undefined) shown.add(payment.id)
      // A copy of it may be anywhere above.
      if (last !== undefined && record.hash.toLowerCase() === hashInChain(last))
        return { executed, shown, isComplete: true }
    }
    if (isLast) return { executed, shown, isComplete: last === undefined }
  }
  return { executed, shown, isComplete: false }
}

/** The hash under which a payment was calculated. */
const hashInChain = ({ state, hash }: Payment): string | null =>
  state.status === 'superseded' ? state.malleatedHash.toLowerCase() : hash

/** The payment that is highest in the chain. */
function newestOf(payments: readonly Payment[]): Payment | undefined {
  const heightOf = ({ state }: Payment): number => ('place' in state ? state.place.height : -1)
  const calculated = payments.filter(({ state }) => state.status !== 'duplicate')
  return calculated.sort((a, b) => heightOf(b) - heightOf(a))[0]
}

/** Returns the payment of a transaction, also of a malleated copy; undefined if the journal has none. */
type KnownPayments = (seen: Seen) => Promise<Payment | undefined>

function knownPayments({ client, store, address }: UntrackedPaymentsParameters): KnownPayments {
  const signed = store.payments().filter(isSigned)
  const byHash = new Map<string, Payment>(signed.map((payment) => [payment.hash, payment]))
  const copies = new Map<string, Map<string, Payment>>()

  /** Copies differ in their signature alone, and cost dozens of hashes to find: once for each amount and memo. */
  const copiesOf = async (amount: bigint, data: string): Promise<Map<string, Payment>> => {
    const key = `${amount} ${data}`
    const worked = copies.get(key) ?? new Map<string, Payment>()
    if (copies.has(key)) return worked
    let count = 0
    for (const payment of signed) {
      const fields = store.fieldsOf(payment)
      if (fields.from !== address || fields.amount !== amount || fields.data !== data) continue
      for (const hash of copyHashes(payment)) worked.set(hash, payment)
      if (++count % AT_A_TIME === 0) await client.clock.sleep(0)
    }
    copies.set(key, worked)
    return worked
  }

  /** A payment that was signed since the reading began. */
  const signedSince = (hash: string): Payment | undefined =>
    store
      .payments()
      .find(
        (payment) =>
          isSigned(payment) &&
          !byHash.has(payment.hash) &&
          (payment.hash === hash || copyHashes(payment).has(hash as Hash)),
      )

  return async ({ hash, amount, data }) => {
    const lower = hash.toLowerCase()
    return byHash.get(lower) ?? (await copiesOf(amount, data)).get(lower) ?? signedSince(lower)
  }
}

function copyHashes({ body }: Payment): ReadonlySet<Hash> {
  const transaction = body === null ? null : readTransactionBody(body)
  return transaction === null ? new Set() : malleatedHashes(transaction)
}
