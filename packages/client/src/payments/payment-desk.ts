import {
  type Address,
  apiError,
  isNodeError,
  NodeError,
  paymentError,
  type TransactionFields,
  type VerifyText,
} from '@hailstone/protocol'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../chain/concurrency-limit.ts'
import type { ClientCore } from '../client-core.ts'
import { chainName } from './chain-name.ts'
import type { FeeCap } from './fee-cap.ts'
import type { Journal } from './journal.ts'
import type { Failpoint } from './journal-store.ts'
import { makePayment, type Order, type PaymentSigner, type PayParameters } from './make-payment.ts'
import { createNetworkView, type NetworkView } from './network-view.ts'
import { isSettled, type Payment } from './payment.ts'
import { createPaymentBook, type PaymentBook } from './payment-book.ts'
import type { PaymentEvent, PaymentHandle, PaymentInfo } from './payment-info.ts'
import type { Payments } from './payments.ts'
import { pursuePayment } from './pursue-payment.ts'
import type { PaymentStep } from './transition.ts'
import { type UnknownPayments, unknownPayments } from './unknown-payments.ts'

export type DeskParameters = {
  readonly client: ClientCore
  readonly journal: Journal
  readonly wallet: PaymentSigner | undefined
  readonly feeCap: FeeCap
  readonly confirmations: number
  readonly pollMs: number
  readonly acceptDamage: boolean
  readonly verify: VerifyText
  readonly failpoint: Failpoint
}

/** Transactions that are sent at a time. */
const SENDING_AT_A_TIME = 8
/** Polls between two attempts to go on after something that should not have happened. */
const REST_POLLS = 8

/** Takes orders, and keeps every payment that is not settled pursued. */
export class PaymentDesk implements Payments {
  readonly #given: DeskParameters
  readonly #closing = new AbortController()
  readonly #book: PaymentBook
  readonly #view: NetworkView
  readonly #limit: ConcurrencyLimit = createConcurrencyLimit(SENDING_AT_A_TIME)
  readonly #pursuits = new Map<string, Promise<void>>()
  readonly #makings = new Map<string, { readonly order: Order; readonly made: Promise<PaymentHandle> }>()
  /** Accounts whose payments the journal was compared with; a copy is restored before it is opened. */
  readonly #compared = new Set<Address>()
  #chain: Promise<string> | undefined
  #closed: Promise<void> | undefined

  constructor(given: DeskParameters) {
    const { client, journal, confirmations } = given
    this.#given = given
    this.#book = createPaymentBook({ client, journal, confirmations, closing: this.#closing.signal })
    this.#view = createNetworkView(client, this.#closing.signal)
  }

  get damagedRecords(): number {
    const { journal, acceptDamage } = this.#given
    return acceptDamage ? 0 : journal.damagedRecords
  }

  readonly list = (): readonly PaymentInfo[] => this.#book.payments().map(({ id }) => this.#book.info(id))

  readonly get = (id: string): PaymentHandle | undefined =>
    this.#book.payments().some((payment) => payment.id === id) ? this.#handle(id) : undefined

  readonly subscribe = (listener: (event: PaymentEvent) => void): (() => void) =>
    this.#book.subscribe(listener)

  readonly pay = async (parameters: PayParameters): Promise<PaymentHandle> => {
    this.#assertOpen()
    const { damagedRecords } = this
    if (damagedRecords > 0) throw paymentError('JOURNAL_DAMAGED', { damagedRecords })
    const order = this.#orderOf(parameters)
    const { idempotencyKey: key } = order
    if (key === undefined) return this.#make(order)
    const making = this.#makings.get(key)
    if (making !== undefined) {
      if (!isSameOrder(making.order, order)) throw paymentError('PAYMENT_CONFLICT', { idempotencyKey: key })
      return making.made
    }
    const earlier = this.#named(key)
    if (earlier === undefined) return this.#makeNamed(key, order)
    if (!isPaymentOf(this.#book.fieldsOf(earlier), order))
      throw paymentError('PAYMENT_CONFLICT', { idempotencyKey: key })
    this.#pursue(earlier.id, 'look')
    return this.#handle(earlier.id)
  }

  readonly resume = async (): Promise<readonly PaymentHandle[]> => {
    this.#assertOpen()
    const open = this.#book.payments().filter((payment) => payment.body !== null && !isSettled(payment))
    if (open.length > 0) {
      try {
        const received = await this.#chainName()
        const stranger = open.find(({ chain }) => chain !== received)
        if (stranger !== undefined) {
          throw apiError('NETWORK_MISMATCH', { expected: stranger.chain, received })
        }
      } catch (error) {
        // A network that is away is asked again by each pursuit.
        if (!isNodeError(error) || isNodeError(error, 'NETWORK_MISMATCH')) throw error
      }
    }
    for (const { id } of open) this.#pursue(id, 'look')
    return open.map(({ id }) => this.#handle(id))
  }

  readonly close = (): Promise<void> => {
    this.#closed ??= this.#end()
    return this.#closed
  }

  readonly [Symbol.asyncDispose] = (): Promise<void> => this.close()

  async #end(): Promise<void> {
    this.#closing.abort(paymentError('PAYMENTS_CLOSED', { hash: null }))
    await Promise.allSettled(this.#pursuits.values())
    await this.#given.journal.close()
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw paymentError('PAYMENTS_CLOSED', { hash: null })
  }

  #orderOf(parameters: PayParameters): Order {
    const { wallet = this.#given.wallet, feeCap = this.#given.feeCap } = parameters
    if (wallet !== undefined) return { ...parameters, wallet, feeCap }
    const facts = { path: 'wallet', expected: 'the wallet that pays', found: 'none' }
    throw new NodeError('CONFIGURATION_INVALID', facts)
  }

  /** The payment of a key, unless it came to nothing before it was signed. */
  #named(key: string): Payment | undefined {
    return this.#book
      .payments()
      .find(({ idempotencyKey, state }) => idempotencyKey === key && state.status !== 'withdrawn')
  }

  #makeNamed(key: string, order: Order): Promise<PaymentHandle> {
    const made = this.#make(order).finally(() => this.#makings.delete(key))
    this.#makings.set(key, { order, made })
    return made
  }

  async #make(order: Order): Promise<PaymentHandle> {
    const { client, confirmations, verify, failpoint } = this.#given
    const parts = { client, confirmations, verify, failpoint, book: this.#book }
    const payment = await makePayment(
      {
        ...parts,
        chain: () => this.#chainName(),
        unknown: (wallet, signal) => this.#unknown(wallet, signal),
        assertOpen: () => this.#assertOpen(),
      },
      order,
    )
    // What was unknown has been agreed to.
    this.#compared.add(order.wallet.address)
    this.#pursue(payment.id, 'send')
    return this.#handle(payment.id)
  }

  async #unknown(wallet: PaymentSigner, signal: AbortSignal | undefined): Promise<UnknownPayments | null> {
    const { client, acceptDamage } = this.#given
    if (acceptDamage || this.#compared.has(wallet.address)) return null
    return unknownPayments({ client, book: this.#book, wallet, signal })
  }

  #chainName(): Promise<string> {
    this.#chain ??= chainName(this.#given.client, this.#closing.signal).catch((error: unknown) => {
      this.#chain = undefined
      throw error
    })
    return this.#chain
  }

  #pursue(id: string, step: PaymentStep): void {
    if (this.#pursuits.has(id) || isSettled(this.#book.get(id))) return
    const pursuit = this.#pursueToTheEnd(id, step).finally(() => this.#pursuits.delete(id))
    this.#pursuits.set(id, pursuit)
  }

  /** Money is under way: whatever goes wrong here, it is tried again. */
  async #pursueToTheEnd(id: string, firstStep: PaymentStep): Promise<void> {
    const { client, pollMs } = this.#given
    const { signal } = this.#closing
    let step = firstStep
    while (!signal.aborted) {
      try {
        if ((await this.#chainName()) !== this.#book.get(id).chain) {
          client.logger.error('a payment of another chain is left alone', { id })
          return
        }
        await pursuePayment(this.#pursuitParts(), id, step)
        return
      } catch (error) {
        if (signal.aborted) return
        const reason = isNodeError(error) ? error.code : String(error)
        client.logger.warn('a payment is pursued again after a failure', { id, reason })
        step = 'look'
        await client.clock.sleep(pollMs * REST_POLLS * client.randomness(), signal).catch(() => undefined)
      }
    }
  }

  #pursuitParts() {
    const { client, confirmations, pollMs, failpoint } = this.#given
    const [book, view, limit, closing] = [this.#book, this.#view, this.#limit, this.#closing.signal]
    return { client, confirmations, pollMs, failpoint, book, view, limit, closing }
  }

  #handle(id: string): PaymentHandle {
    const book = this.#book
    return {
      id,
      get hash() {
        return book.get(id).hash
      },
      get state() {
        return book.get(id).state
      },
      info: () => book.info(id),
      settled: ({ signal } = {}) => book.settled(id, signal),
    }
  }
}

/** Whether two orders would make the same payment, but for its salt. */
const isSameOrder = (a: Order, b: Order): boolean =>
  a.wallet.address === b.wallet.address &&
  a.to === b.to &&
  a.amount === b.amount &&
  a.tokenId === b.tokenId &&
  (a.memo ?? '') === (b.memo ?? '')

/** Whether a payment is what was ordered; a token that was not named is the native one of its network. */
const isPaymentOf = (fields: TransactionFields, order: Order): boolean =>
  fields.from === order.wallet.address &&
  fields.to === order.to &&
  fields.amount === order.amount &&
  fields.data === (order.memo ?? '') &&
  (order.tokenId === undefined || fields.tokenId === order.tokenId)
