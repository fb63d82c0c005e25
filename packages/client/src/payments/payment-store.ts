import { isNodeError, paymentError, readTransactionBody, type TransactionFields } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import { isChainOf } from '../chain/chain-identity.ts'
import type { ClientCore } from '../client-core.ts'
import { unlessAborted } from '../transport/on-abort.ts'
import type { Journal } from './journal.ts'
import type { NetworkViews } from './network-view.ts'
import { isSettled, type Payment, type PaymentStatus } from './payment.ts'
import type { PaymentEvent, PaymentHandle, PaymentInfo } from './payment-info.ts'
import { encodePayment } from './payment-record.ts'
import { isSpendable } from './spending.ts'
import { type Confirmations, type PaymentInput, type PaymentStep, transition } from './transition.ts'

/** The payments of a program: every change goes to the journal first, and then to whoever listens. */
export type PaymentStore = {
  readonly payments: () => readonly Payment[]
  /** Payments that a balance may not have yet. */
  readonly spendable: () => readonly Payment[]
  /** Counts how often a payment was found in a block: a balance that was read before may have it still. */
  readonly calculations: () => number
  /** @throws {TypeError} for an id that is not in the book */
  readonly get: (id: string) => Payment
  /** Returns the transaction fields decoded from the payment's bytes. */
  readonly fieldsOf: (payment: Payment) => TransactionFields
  /** Begins a payment. @throws {NodeError} `JOURNAL_WRITE_FAILED`: then it did not begin */
  readonly begin: (payment: Payment) => Promise<void>
  /** Lets something happen to a payment. @throws {NodeError} as `begin`, for what must be stored first */
  readonly apply: (id: string, input: PaymentInput) => Promise<PaymentStep>
  readonly info: (id: string) => PaymentInfo
  /** Returns a view of a payment that can be read also after the journal has dropped it. */
  readonly handle: (id: string) => PaymentHandle
  readonly emit: (event: PaymentEvent) => void
  readonly subscribe: (listener: (event: PaymentEvent) => void) => () => void
}

export type PaymentStoreParameters = Confirmations & {
  readonly client: Pick<ClientCore, 'clock' | 'logger' | 'network'>
  readonly journal: Journal
  /** Fires when the book is closed. */
  readonly closing: AbortSignal
  readonly views: Pick<NetworkViews, 'lastChain'>
}

/** A payment and what is remembered of it. Handles hold it, so that it lasts as long as anybody asks for it. */
type Entry = {
  payment: Payment
  fields: TransactionFields | null
  checkedAtMs: number | null
  /** Called when it changes. */
  readonly waiters: Set<() => void>
  /** By the monotonic clock. Before the start for those that were settled then. */
  settledAt: number
  /** True if the journal may have it as withdrawn, by a write whose outcome is not known. */
  mayReadWithdrawn: boolean
}

const entryOf = (payment: Payment, settledAt = Number.NEGATIVE_INFINITY): Entry => ({
  payment,
  fields: null,
  checkedAtMs: null,
  waiters: new Set(),
  settledAt,
  mayReadWithdrawn: false,
})

/** Settled payments of an earlier run that a node may be behind. */
const NEWEST = 10

function newestSettled(payments: readonly Payment[]): readonly Payment[] {
  const heightOf = ({ state }: Payment): number => ('place' in state ? state.place.height : -1)
  const settled = payments.filter((payment) => isSettled(payment) && heightOf(payment) >= 0)
  return settled.sort((a, b) => heightOf(b) - heightOf(a)).slice(0, NEWEST)
}

/** Room for the records that follow on one intent, so that a full disk is noticed before anything is signed. */
const BYTES_PER_PAYMENT = 16 * 1024

/** Not worth a record: after a restart these are looked for as the state before them is. */
const isPassing = ({ state }: Payment): boolean =>
  state.status === 'sent' || (state.status === 'inPool' && state.misses > 0)

export function createPaymentStore(parameters: PaymentStoreParameters): PaymentStore {
  const { client, journal, closing, confirmations, views } = parameters
  const { clock, logger } = client
  // How long ago they became final is not known.
  const lately = new Set(newestSettled(journal.payments))
  const settledAt = (payment: Payment) => (lately.has(payment) ? clock.monotonicMs() : undefined)
  const entries = new Map(journal.payments.map((one) => [one.id, entryOf(one, settledAt(one))]))
  const { emit, subscribe } = createListeners(logger)

  const find = (id: string): Entry => {
    const entry = entries.get(id)
    if (entry === undefined) throw new TypeError('no such payment')
    return entry
  }
  const infoOf = (entry: Entry): PaymentInfo => {
    const chain = views.lastChain()
    const isOfOtherChain = chain !== undefined && !isChainOf(entry.payment, chain, client)
    return { ...paymentInfo(entry.payment, fieldsOf(entry), entry.checkedAtMs), isOfOtherChain }
  }

  const emitChange = (entry: Entry, previous: PaymentStatus | null): void => {
    emit({ type: 'changed', payment: infoOf(entry), previous })
    for (const look of [...entry.waiters]) look()
  }

  /** Intents whose first record is being written: each needs room, and its amount. */
  const beginning = new Set<Payment>()

  const begin = async (payment: Payment): Promise<void> => {
    const open = [...entries.values()].filter((other) => !isSettled(other.payment)).length
    beginning.add(payment)
    try {
      await journal.write(payment, { keepFreeBytes: (open + beginning.size) * BYTES_PER_PAYMENT })
    } finally {
      beginning.delete(payment)
    }
    const entry = entryOf(payment)
    entries.set(payment.id, entry)
    emitChange(entry, null)
  }

  const apply = async (id: string, input: PaymentInput): Promise<PaymentStep> => {
    const entry = find(id)
    if (isAnswer(input)) entry.checkedAtMs = clock.now()
    const before = entry.payment
    const [after, step] = transition(before, input, { confirmations })
    if (after === before) return step
    const isNeeded = isRequired(input, after) || (entry.mayReadWithdrawn && input.type === 'sending')
    const dropped = await store(entry, after, isNeeded)
    entry.payment = after
    if (isSettled(after)) entry.settledAt = clock.monotonicMs()
    if (isCalculatedAnew(before, after)) calculations++
    if (after.state !== before.state) emitChange(entry, before.state.status)
    for (const other of dropped) entries.delete(other)
    if (journal.isBloated()) void journal.compact().then(forgetDropped).catch(notCompacted)
    return step
  }
  let calculations = 0

  const store = async (entry: Entry, after: Payment, isNeeded: boolean): Promise<readonly string[]> => {
    const isSame = isPassing(after) || encodePayment(entry.payment) === encodePayment(after)
    if (isSame && !entry.mayReadWithdrawn) return []
    try {
      const dropped = await journal.write(after)
      entry.mayReadWithdrawn = false
      return dropped
    } catch (error) {
      const mayBeStored = isNodeError(error, 'JOURNAL_WRITE_FAILED') && error.facts.mayBeStored
      if (after.state.status === 'withdrawn' && mayBeStored) entry.mayReadWithdrawn = true
      if (isNeeded || !isNodeError(error, 'JOURNAL_WRITE_FAILED')) throw error
      const { reason } = error.facts
      logger.warn('a payment could not be recorded', { hash: after.hash, reason })
      emit({ type: 'journalFailed', reason })
      return []
    }
  }

  const forgetDropped = (): void => {
    const kept = new Set(journal.payments.map(({ id }) => id))
    for (const [id, { payment }] of entries) if (isSettled(payment) && !kept.has(id)) entries.delete(id)
  }
  const notCompacted = (error: unknown): void =>
    logger.warn('the payment journal could not be compacted', { reason: String(error) })

  return {
    payments: () => [...entries.values()].map(({ payment }) => payment),
    spendable: () => {
      const now = clock.monotonicMs()
      const spendable = [...entries.values()].filter((entry) =>
        isSpendable(entry.payment, now - entry.settledAt),
      )
      return [...spendable.map(({ payment }) => payment), ...beginning]
    },
    calculations: () => calculations,
    get: (id) => find(id).payment,
    fieldsOf: (payment) => fieldsOf(entries.get(payment.id) ?? entryOf(payment)),
    begin,
    apply,
    info: (id) => infoOf(find(id)),
    handle: (id) => handleOf(find(id), infoOf, closing),
    emit,
    subscribe,
  }
}

/** Listeners of a program, none of which harms another. */
function createListeners(logger: ClientCore['logger']): Pick<PaymentStore, 'emit' | 'subscribe'> {
  const listeners = new Set<(event: PaymentEvent) => void>()
  const failed = (error: unknown): void => logger.error('a listener failed', { reason: String(error) })
  return {
    emit: (event) => {
      for (const listener of [...listeners]) guarded(listener, failed)(event)
    },
    subscribe: (listener) => {
      const own = (event: PaymentEvent): void => listener(event)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}

const handleOf = (
  entry: Entry,
  infoOf: (entry: Entry) => PaymentInfo,
  closing: AbortSignal,
): PaymentHandle => ({
  id: entry.payment.id,
  get hash() {
    return entry.payment.hash
  },
  get state() {
    return entry.payment.state
  },
  info: () => infoOf(entry),
  settled: async ({ signal } = {}) => {
    await untilSettled(entry, signal, closing)
    return infoOf(entry)
  },
})

/** @throws {NodeError} `PAYMENTS_CLOSED`; the reason of the caller's signal */
async function untilSettled(
  entry: Entry,
  signal: AbortSignal | undefined,
  closing: AbortSignal,
): Promise<void> {
  let look = (): void => undefined
  const settled = new Promise<void>((resolve) => {
    look = () => {
      if (isSettled(entry.payment)) resolve()
    }
  })
  if (isSettled(entry.payment)) return
  entry.waiters.add(look)
  try {
    await unlessAborted(settled, [signal, closing])
  } catch (error) {
    throw signal?.aborted ? error : paymentError('PAYMENTS_CLOSED', { hash: entry.payment.hash })
  } finally {
    entry.waiters.delete(look)
  }
}

function fieldsOf(entry: Entry): TransactionFields {
  entry.fields ??= readTransactionBody(entry.payment.draft)
  // The journal gives out no payment whose draft cannot be read.
  if (entry.fields === null) throw new TypeError('the draft of a payment is not one')
  return entry.fields
}

/** True for changes without which a restart would send other bytes, or take sent ones for unsent. */
const isRequired = ({ type }: PaymentInput, { state, body }: Payment): boolean =>
  type === 'signed' ||
  (type === 'withdrawn' && body !== null) ||
  (type === 'sending' && state.status === 'refused')

const isCalculatedAnew = ({ state: before }: Payment, { state: after }: Payment): boolean =>
  'place' in after && !('place' in before && before.place.microblockHash === after.place.microblockHash)

/** True for inputs that are answers of the network. */
const isAnswer = ({ type }: PaymentInput): boolean =>
  [
    'accepted',
    'refused',
    'otherHash',
    'inPool',
    'nowhere',
    'malleatedWaits',
    'malleatedExecuted',
    'calculated',
  ].includes(type)

/** Returns a payment as it is shown. `fields` are read out of the very bytes. */
function paymentInfo(
  payment: Payment,
  fields: TransactionFields,
  checkedAtMs: number | null,
): Omit<PaymentInfo, 'isOfOtherChain'> {
  const { id, idempotencyKey, hash, fee, nativeFee, createdAtMs, state } = payment
  const { from, to, amount, tokenId, data: memo } = fields
  const reported = { id, idempotencyKey, hash, from, to, amount, tokenId, memo, fee, nativeFee }
  return { ...reported, createdAtMs, state, checkedAtMs }
}
