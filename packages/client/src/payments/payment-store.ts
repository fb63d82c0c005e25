import { isNodeError, paymentError, readTransactionBody, type TransactionFields } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { onAbort } from '../transport/on-abort.ts'
import type { Journal } from './journal.ts'
import { isSettled, type Payment, type PaymentStatus } from './payment.ts'
import type { PaymentEvent, PaymentInfo } from './payment-info.ts'
import { type Confirmations, type PaymentInput, type PaymentStep, transition } from './transition.ts'

/** The payments of a program: every change goes to the journal first, and then to whoever listens. */
export type PaymentStore = {
  readonly payments: () => readonly Payment[]
  /** @throws {TypeError} for an id that is not in the book */
  readonly get: (id: string) => Payment
  /** Returns the transaction fields decoded from the payment's bytes. */
  readonly fieldsOf: (payment: Payment) => TransactionFields
  /** Begins a payment. @throws {NodeError} `JOURNAL_WRITE_FAILED`: then it did not begin */
  readonly begin: (payment: Payment) => Promise<void>
  /** Lets something happen to a payment. @throws {NodeError} as `begin`, for what must be stored first */
  readonly apply: (id: string, input: PaymentInput) => Promise<PaymentStep>
  readonly info: (id: string) => PaymentInfo
  readonly settled: (id: string, signal: AbortSignal | undefined) => Promise<PaymentInfo>
  readonly emit: (event: PaymentEvent) => void
  readonly subscribe: (listener: (event: PaymentEvent) => void) => () => void
}

export type PaymentStoreParameters = Confirmations & {
  readonly client: Pick<ClientCore, 'clock' | 'logger'>
  readonly journal: Journal
  /** Fires when the book is closed. */
  readonly closing: AbortSignal
}

/** Room for the records that follow on one intent, so that a full disk is noticed before anything is signed. */
const BYTES_PER_PAYMENT = 16 * 1024

/** Not worth a record: after a restart these are looked for as the state before them is. */
const isPassing = ({ state }: Payment): boolean =>
  state.status === 'sent' || (state.status === 'inPool' && state.misses > 0)

export function createPaymentStore(parameters: PaymentStoreParameters): PaymentStore {
  const { journal, closing, confirmations } = parameters
  const { clock, logger } = parameters.client
  const payments = new Map(journal.payments.map((payment) => [payment.id, payment]))
  const fields = new Map<string, TransactionFields>()
  const checked = new Map<string, number>()
  const listeners = new Set<(event: PaymentEvent) => void>()

  const get = (id: string): Payment => {
    const payment = payments.get(id)
    if (payment === undefined) throw new TypeError('no such payment')
    return payment
  }
  const fieldsOf = ({ id, draft }: Payment): TransactionFields => {
    const known = fields.get(id) ?? readTransactionBody(draft)
    // The journal gives out no payment whose draft cannot be read.
    if (known === null) throw new TypeError('the draft of a payment is not one')
    fields.set(id, known)
    return known
  }
  const info = (id: string): PaymentInfo => {
    const payment = get(id)
    return paymentInfo(payment, fieldsOf(payment), checked.get(id) ?? null)
  }

  const emit = (event: PaymentEvent): void => {
    for (const listener of [...listeners]) {
      try {
        listener(event)
      } catch (error) {
        logger.error('a listener failed', { reason: String(error) })
      }
    }
  }
  const subscribe = (listener: (event: PaymentEvent) => void): (() => void) => {
    const own = (event: PaymentEvent): void => listener(event)
    listeners.add(own)
    return () => void listeners.delete(own)
  }

  const show = (payment: Payment, previous: PaymentStatus | null): void => {
    payments.set(payment.id, payment)
    emit({ type: 'changed', payment: info(payment.id), previous })
  }

  /** Intents whose first record is being written: those that begin at once need room for each. */
  let beginning = 0

  const begin = async (payment: Payment): Promise<void> => {
    const open = [...payments.values()].filter((other) => !isSettled(other)).length
    beginning++
    try {
      await journal.write(payment, { keepFreeBytes: (open + beginning) * BYTES_PER_PAYMENT })
    } finally {
      beginning--
    }
    show(payment, null)
  }

  const apply = async (id: string, input: PaymentInput): Promise<PaymentStep> => {
    if (isAnswer(input)) checked.set(id, clock.now())
    const before = get(id)
    const [after, step] = transition(before, input, { confirmations })
    if (after === before) return step
    await store(after, input.type === 'signed')
    show(after, before.state.status)
    return step
  }

  const store = async (payment: Payment, isRequired: boolean): Promise<void> => {
    if (isPassing(payment)) return
    try {
      await journal.write(payment)
    } catch (error) {
      if (isRequired || !isNodeError(error, 'JOURNAL_WRITE_FAILED')) throw error
      const { reason } = error.facts
      logger.warn('a payment could not be recorded', { hash: payment.hash, reason })
      emit({ type: 'journalFailed', reason })
    }
    if (journal.isBloated()) void journal.compact().catch((error: unknown) => notCompacted(error))
  }
  const notCompacted = (error: unknown): void =>
    logger.warn('the payment journal could not be compacted', { reason: String(error) })

  const settled = (id: string, signal: AbortSignal | undefined): Promise<PaymentInfo> =>
    new Promise((resolve, reject) => {
      const end = (finish: () => void) => (): void => {
        for (const undo of undoing.splice(0)) undo()
        finish()
      }
      const look = (): void => {
        if (isSettled(get(id))) end(() => resolve(info(id)))()
      }
      const close = (): void => reject(paymentError('PAYMENTS_CLOSED', { hash: get(id).hash }))
      const undoing = [
        subscribe((event) => {
          if (event.type === 'changed' && event.payment.id === id) look()
        }),
      ]
      look()
      if (isSettled(get(id))) return
      undoing.push(
        onAbort(
          signal,
          end(() => reject(signal?.reason)),
        ),
      )
      undoing.push(onAbort(closing, end(close)))
    })

  return {
    payments: () => [...payments.values()],
    get,
    fieldsOf,
    begin,
    apply,
    info,
    settled,
    emit,
    subscribe,
  }
}

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
function paymentInfo(payment: Payment, fields: TransactionFields, checkedAtMs: number | null): PaymentInfo {
  const { id, idempotencyKey, hash, fee, nativeFee, createdAtMs, state } = payment
  const { from, to, amount, tokenId, data: memo } = fields
  const reported = { id, idempotencyKey, hash, from, to, amount, tokenId, memo, fee, nativeFee }
  return { ...reported, createdAtMs, state, checkedAtMs }
}
