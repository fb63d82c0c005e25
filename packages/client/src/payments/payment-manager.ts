import {
  type Address,
  apiError,
  assertArgument,
  isNodeError,
  NodeError,
  paymentError,
  type TransactionFields,
  type VerifyText,
} from '@hailstone/protocol'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../chain/concurrency-limit.ts'
import type { ClientCore } from '../client-core.ts'
import { chainName, isChainOf } from './chain-name.ts'
import type { FeeCap } from './fee-cap.ts'
import type { Journal } from './journal.ts'
import type { Failpoint } from './journal-store.ts'
import { makePayment, type Order, type PaymentSigner, type PayParameters } from './make-payment.ts'
import { createNetworkView, type NetworkView } from './network-view.ts'
import { isSettled, type Payment } from './payment.ts'
import type { PaymentEvent, PaymentHandle, PaymentInfo, UntrackedPayments } from './payment-info.ts'
import { createPaymentStore, type PaymentStore } from './payment-store.ts'
import type { Payments } from './payments.ts'
import { trackPayment } from './track-payment.ts'
import type { PaymentStep } from './transition.ts'
import { untrackedPayments } from './untracked-payments.ts'

export type PaymentManagerParameters = {
  readonly client: ClientCore
  readonly journal: Journal
  readonly wallet: PaymentSigner | undefined
  readonly feeCap: FeeCap
  readonly confirmations: number
  readonly pollMs: number
  readonly acceptDamage: boolean
  readonly verify: VerifyText
  readonly failpoint: Failpoint | undefined
  readonly signingTimeoutMs: number
}

/** Transactions that are sent at a time. */
const SENDING_AT_A_TIME = 8
/** Polls between two attempts to go on after something that should not have happened. */
const REST_POLLS = 8

/** Takes orders, and tracks every payment until it is settled. */
export class PaymentManager implements Payments {
  readonly #given: PaymentManagerParameters
  readonly #closing = new AbortController()
  readonly #store: PaymentStore
  readonly #view: NetworkView
  readonly #limit: ConcurrencyLimit = createConcurrencyLimit(SENDING_AT_A_TIME)
  readonly #tracked = new Map<string, Promise<void>>()
  readonly #signings = new Set<Promise<void>>()
  readonly #makings = new Map<string, { readonly order: Order; readonly made: Promise<PaymentHandle> }>()
  /** Accounts whose payments the journal was compared with; a copy is restored before it is opened. */
  readonly #compared = new Set<Address>()
  #chain: Promise<string> | undefined
  /** Name of the chain; undefined before the API has answered. */
  #knownChain: string | undefined
  #closed: Promise<void> | undefined

  constructor(given: PaymentManagerParameters) {
    const { client, journal, confirmations } = given
    this.#given = given
    const isOfOtherChain = (payment: Payment): boolean =>
      this.#knownChain !== undefined && !isChainOf(payment, this.#knownChain, client)
    const closing = this.#closing.signal
    this.#store = createPaymentStore({ client, journal, confirmations, closing, isOfOtherChain })
    this.#view = createNetworkView(client, this.#closing.signal)
  }

  get damagedRecords(): number {
    const { journal, acceptDamage } = this.#given
    return acceptDamage ? 0 : journal.damagedRecords
  }

  readonly list = (): readonly PaymentInfo[] => this.#store.payments().map(({ id }) => this.#store.info(id))

  readonly get = (id: string): PaymentHandle | undefined =>
    this.#store.payments().some((payment) => payment.id === id) ? this.#store.handle(id) : undefined

  readonly subscribe = (listener: (event: PaymentEvent) => void): (() => void) => {
    assertArgument(typeof listener === 'function', 'listener', 'a function', listener)
    return this.#store.subscribe(listener)
  }

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
    if (!isPaymentOf(this.#store.fieldsOf(earlier), order))
      throw paymentError('PAYMENT_CONFLICT', { idempotencyKey: key })
    await this.#assertOwnChain(earlier)
    this.#track(earlier.id, 'look')
    return this.#store.handle(earlier.id)
  }

  /** An order that was paid on another chain is not paid here. An API that is away says nothing of the chain. */
  async #assertOwnChain(payment: Payment): Promise<void> {
    const received = await this.#chainName().catch((error: unknown) => {
      if (isNodeError(error) && !isNodeError(error, 'NETWORK_MISMATCH')) return this.#knownChain
      throw error
    })
    if (received !== undefined && !isChainOf(payment, received, this.#given.client))
      throw apiError('NETWORK_MISMATCH', { expected: payment.chain, received })
  }

  readonly resume = async (): Promise<readonly PaymentHandle[]> => {
    this.#assertOpen()
    const open = this.#store.payments().filter((payment) => payment.body !== null && !isSettled(payment))
    let received: string | undefined
    if (open.length > 0) {
      try {
        received = await this.#chainName()
      } catch (error) {
        // A network that is away is asked again when each payment is tracked.
        if (!isNodeError(error) || isNodeError(error, 'NETWORK_MISMATCH')) throw error
      }
    }
    const isOwn = (payment: Payment): boolean =>
      received === undefined || isChainOf(payment, received, this.#given.client)
    for (const { id } of open.filter(isOwn)) this.#track(id, 'look')
    const stranger = open.find((payment) => !isOwn(payment))
    if (stranger !== undefined && received !== undefined)
      throw apiError('NETWORK_MISMATCH', { expected: stranger.chain, received })
    return open.map(({ id }) => this.#store.handle(id))
  }

  readonly close = (): Promise<void> => {
    this.#closed ??= this.#end()
    return this.#closed
  }

  readonly [Symbol.asyncDispose] = (): Promise<void> => this.close()

  async #end(): Promise<void> {
    this.#closing.abort(paymentError('PAYMENTS_CLOSED', { hash: null }))
    await Promise.allSettled([...this.#tracked.values(), ...this.#signings])
    await this.#given.journal.close()
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw paymentError('PAYMENTS_CLOSED', { hash: null })
  }

  #orderOf(parameters: PayParameters): Order {
    assertArgument(
      Object(parameters) === parameters,
      'of pay',
      'an object, such as { to, amount }',
      parameters,
    )
    const { names } = this.#given.client.diagnostics ?? {}
    names?.pay(parameters)
    const { wallet = this.#given.wallet } = parameters
    const feeCap = parameters.feeCap ?? this.#given.feeCap
    names?.feeCap(feeCap)
    for (const [name, units] of Object.entries(feeCap))
      assertArgument(
        ['bigint', 'undefined'].includes(typeof units),
        `feeCap.${name}`,
        "a bigint, such as 25n or parseAmount('25', token)",
        units,
      )
    if (wallet !== undefined) return { ...parameters, wallet, feeCap }
    const facts = { path: 'wallet', expected: 'the wallet that pays', found: 'none' }
    throw new NodeError('CONFIGURATION_INVALID', facts)
  }

  /** The payment of a key, unless it came to nothing before it was signed. */
  #named(key: string): Payment | undefined {
    return this.#store
      .payments()
      .find(({ idempotencyKey, state }) => idempotencyKey === key && state.status !== 'withdrawn')
  }

  #makeNamed(key: string, order: Order): Promise<PaymentHandle> {
    const made = this.#make(order).finally(() => this.#makings.delete(key))
    this.#makings.set(key, { order, made })
    return made
  }

  async #make(order: Order): Promise<PaymentHandle> {
    const { client, confirmations, verify, failpoint, signingTimeoutMs } = this.#given
    const parts = { client, confirmations, verify, failpoint, signingTimeoutMs, store: this.#store }
    const payment = await makePayment(
      {
        ...parts,
        chain: () => this.#chainName(),
        unknown: (wallet, signal) => this.#unknown(wallet, signal),
        assertOpen: () => this.#assertOpen(),
        closing: this.#closing.signal,
        onSigning: (signing) => this.#onSigning(signing),
      },
      order,
    )
    // What was unknown has been agreed to.
    this.#compared.add(order.wallet.address)
    this.#track(payment.id, 'send')
    return this.#store.handle(payment.id)
  }

  #onSigning(signing: Promise<void>): void {
    const forget = (): void => void this.#signings.delete(signing)
    this.#signings.add(signing)
    signing.then(forget, forget)
  }

  async #unknown(wallet: PaymentSigner, signal: AbortSignal | undefined): Promise<UntrackedPayments | null> {
    const { client, acceptDamage } = this.#given
    if (acceptDamage || this.#compared.has(wallet.address)) return null
    return untrackedPayments({ client, store: this.#store, wallet, signal })
  }

  #chainName(): Promise<string> {
    this.#chain ??= chainName(this.#given.client, this.#closing.signal).then(
      (name) => {
        this.#knownChain = name
        return name
      },
      (error: unknown) => {
        this.#chain = undefined
        throw error
      },
    )
    return this.#chain
  }

  #track(id: string, step: PaymentStep): void {
    if (this.#tracked.has(id) || isSettled(this.#store.get(id))) return
    const tracking = this.#trackUntilSettled(id, step).finally(() => this.#tracked.delete(id))
    this.#tracked.set(id, tracking)
  }

  /** Money is under way: whatever goes wrong here, it is tried again. */
  async #trackUntilSettled(id: string, firstStep: PaymentStep): Promise<void> {
    const { client, pollMs } = this.#given
    const { signal } = this.#closing
    let step = firstStep
    while (!signal.aborted) {
      try {
        if (!isChainOf(this.#store.get(id), await this.#chainName(), client)) {
          client.logger.error('a payment of another chain is left alone', { id })
          return
        }
        await trackPayment(this.#trackingParts(), id, step)
        return
      } catch (error) {
        if (signal.aborted) return
        const reason = isNodeError(error) ? error.code : String(error)
        client.logger.warn('a payment is tracked again after a failure', { id, reason })
        step = 'look'
        await client.clock.sleep(pollMs * REST_POLLS * client.randomness(), signal).catch(() => undefined)
      }
    }
  }

  #trackingParts() {
    const { client, confirmations, pollMs, failpoint } = this.#given
    const [store, view, limit, closing] = [this.#store, this.#view, this.#limit, this.#closing.signal]
    return { client, confirmations, pollMs, failpoint, store, view, limit, closing }
  }
}

/** True if two orders would make the same payment, apart from its salt. */
const isSameOrder = (a: Order, b: Order): boolean =>
  a.wallet.address === b.wallet.address &&
  a.to === b.to &&
  a.amount === b.amount &&
  a.tokenId === b.tokenId &&
  (a.memo ?? '') === (b.memo ?? '')

/** True if a payment matches an order. An order without a token means the native token of its network. */
const isPaymentOf = (fields: TransactionFields, order: Order): boolean =>
  fields.from === order.wallet.address &&
  fields.to === order.to &&
  fields.amount === order.amount &&
  fields.data === (order.memo ?? '') &&
  (order.tokenId === undefined || fields.tokenId === order.tokenId)
