import {
  type Address,
  apiError,
  assertArgument,
  type Hash,
  isNodeError,
  type NodeError,
  paymentError,
  readTransactionBody,
  type TokenId,
  type TransactionFields,
  type VerifyText,
} from '@hailstone/protocol'
import { abortReason, throwIfAborted } from '@hailstone/runtime'
import { namedNativeTokenId } from '../actions/get-native-token-id.ts'
import { isChainOf } from '../chain/chain-identity.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../chain/concurrency-limit.ts'
import type { ClientCore } from '../client-core.ts'
import { assertMemo } from '../transaction-fields.ts'
import { onAbort, unlessAborted } from '../transport/on-abort.ts'
import { createJournalComparison, type JournalComparison } from './comparison.ts'
import type { FeeCap } from './fee-cap.ts'
import type { Journal } from './journal.ts'
import type { Failpoint } from './journal-store.ts'
import { ofAnotherChain } from './look-for-payment.ts'
import {
  agreedPayment,
  assertAffordable,
  beginPayment,
  draftPayment,
  type MakePaymentParts,
  notesOf,
  type SignedBytes,
  type SignParameters,
  signPayment,
  storeBytes,
  withdrawIfLeft,
} from './make-payment.ts'
import { createNetworkViews, type NetworkView, type NetworkViews } from './network-view.ts'
import {
  isPaymentOf,
  isSameOrder,
  isTokenUnclear,
  type Order,
  orderOf,
  type PaymentSigner,
  type PayParameters,
  paymentsOfKey,
} from './order.ts'
import { isSettled, isSettledState, isSigned, type Payment } from './payment.ts'
import type { PaymentEvent, PaymentHandle, PaymentInfo } from './payment-info.ts'
import { createPaymentStore, type PaymentStore } from './payment-store.ts'
import type { PaymentWarning } from './payment-summary.ts'
import type { Payments } from './payments.ts'
import { trackPayment } from './track-payment.ts'
import type { PaymentStep } from './transition.ts'

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

/** A payment that is being made for one caller or more. It is cancelled when all of them have left. */
type Making = {
  readonly order: Order
  readonly cancelling: AbortController
  /** Rejects at once when it is cancelled. */
  readonly made: Promise<PaymentHandle>
  /** Resolves when nothing of it is under way any more. */
  readonly ended: Promise<void>
  callers: number
  /** Bytes that are being stored, or are stored and may be sent: whoever leaves from then on is told of them. */
  storing: SignedBytes | null
}

/** Transactions that are sent at a time. */
const SENDING_AT_A_TIME = 8
/** Polls between two attempts to go on after something that should not have happened. */
const REST_POLLS = 8
/** Polls between two checks whether the API serves the chain of a payment of another one. */
const OTHER_CHAIN_POLLS = 30

/** A payment that a key has already. The journal may drop it while the network is asked; the handle holds it. */
type Earlier = { readonly payment: Payment; readonly handle: PaymentHandle }

/** Takes orders, and tracks every payment until it is settled. */
export class PaymentManager implements Payments {
  readonly #given: PaymentManagerParameters
  readonly #closing = new AbortController()
  readonly #views: NetworkViews
  readonly #store: PaymentStore
  readonly #comparison: JournalComparison
  readonly #limit: ConcurrencyLimit = createConcurrencyLimit(SENDING_AT_A_TIME)
  /** Payments of an account begin one after the other. */
  readonly #turns = new Map<Address, ConcurrencyLimit>()
  readonly #tracked = new Map<string, Promise<void>>()
  readonly #signings = new Set<Promise<void>>()
  readonly #makings = new Map<string, Making>()
  /** Keys of derived drafts that are being made. */
  readonly #drafts = new Map<string, string>()
  /** Signed bytes that may or may not be stored, by payment. */
  readonly #unstored = new Map<string, SignedBytes>()
  readonly #madeHere = new Set<string>()
  /** By account, the newest of its unknown payments that were shown to somebody. */
  readonly #agreed = new Map<Address, Hash>()
  #closed: Promise<void> | undefined

  constructor(given: PaymentManagerParameters) {
    const { client, journal, confirmations } = given
    const closing = this.#closing.signal
    this.#given = given
    this.#views = createNetworkViews(client, closing)
    this.#store = createPaymentStore({ client, journal, confirmations, closing, views: this.#views })
    this.#comparison = createJournalComparison({ store: this.#store, closing })
  }

  get damagedRecords(): number {
    const { journal, acceptDamage } = this.#given
    return acceptDamage ? 0 : journal.damagedRecords
  }

  readonly #held = (payment: Payment): Earlier => ({ payment, handle: this.#store.handle(payment.id) })

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
    const order = orderOf(parameters, this.#given, this.#given.client)
    throwIfAborted(order.signal)
    const { idempotencyKey: key } = order
    if (key === undefined)
      return this.#join(
        this.#begin(order, (own, making) => this.#make(own, making)),
        order.signal,
      )
    let making = this.#makings.get(key)
    while (making?.cancelling.signal.aborted || (making && isTokenUnclear(making.order, order))) {
      await unlessAborted(making.ended, [order.signal, this.#closing.signal])
      making = this.#makings.get(key)
    }
    if (making === undefined) return this.#join(this.#beginNamed(key, order), order.signal)
    if (!isSameOrder(making.order, order)) throw paymentError('PAYMENT_CONFLICT', { idempotencyKey: key })
    return this.#join(making, order.signal)
  }

  readonly resume = async (): Promise<readonly PaymentHandle[]> => {
    this.#assertOpen()
    const isOpen = (payment: Payment): boolean => isSigned(payment) && !isSettled(payment)
    const open = this.#store.payments().filter(isOpen).map(this.#held)
    const chain = open.length > 0 ? await this.#chainOrUnknown() : undefined
    for (const { handle } of open) this.#track(handle, 'look')
    const isOwn = ({ payment }: Earlier): boolean =>
      chain === undefined || isChainOf(payment, chain, this.#given.client)
    return open.filter(isOwn).map(({ handle }) => handle)
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

  /** The chain that the API serves now; as it was answered before, or undefined, while the API is away. */
  async #chainOrUnknown(): Promise<string | undefined> {
    try {
      return await this.#views.current().chain()
    } catch (error) {
      if (!isNodeError(error)) throw error
      return this.#views.lastChain()
    }
  }

  /** Begins to make a payment, which is cancelled when its callers have left or the payments are closed. */
  #begin(
    order: Order,
    make: (order: Order, making: Pick<Making, 'storing'>) => Promise<PaymentHandle>,
  ): Making {
    const cancelling = new AbortController()
    const { signal } = cancelling
    const leave = onAbort(this.#closing.signal, () => cancelling.abort(abortReason(this.#closing.signal)))
    const state: Pick<Making, 'storing'> = { storing: null }
    const inner = make({ ...order, signal }, state).finally(leave)
    // What it had asked for besides is wanted no more.
    inner.catch((error: unknown) => cancelling.abort(error))
    const made = unlessAborted(inner, [signal]).catch((error: unknown) => {
      throw leavingError(state, error)
    })
    made.catch(() => undefined)
    const ended = inner.then(nothing, nothing)
    return Object.assign(state, { order, cancelling, made, ended, callers: 0 })
  }

  #beginNamed(key: string, order: Order): Making {
    const making = this.#begin(order, (own, state) => this.#makeOrFind(key, own, state))
    this.#makings.set(key, making)
    void making.ended.then(() => this.#makings.delete(key))
    return making
  }

  /** Waits for a payment that is being made until a caller's own signal fires. */
  #join(making: Making, signal: AbortSignal | undefined): Promise<PaymentHandle> {
    making.callers++
    return new Promise((resolve, reject) => {
      const leave = onAbort(signal, () => {
        making.callers--
        reject(leavingError(making, abortReason(signal)))
        if (making.callers === 0) making.cancelling.abort(abortReason(signal))
      })
      making.made.then(resolve, reject).finally(leave)
    })
  }

  /** The payment of a key on this chain, or a new one. */
  async #makeOrFind(key: string, order: Order, making: Pick<Making, 'storing'>): Promise<PaymentHandle> {
    const named = paymentsOfKey(this.#store.payments(), key).map(this.#held)
    if (named.length === 0) return this.#make(order, making)
    // Bytes of an earlier call may have been sent: whoever leaves during the look-up is told of them.
    making.storing = bytesOf(named.map(({ payment }) => payment))
    const earlier = await this.#earlierOf(named, order).catch((error: unknown) => {
      making.storing = null
      throw error
    })
    if (earlier !== undefined) return this.#found(earlier, making)
    making.storing = null
    return this.#make(order, making)
  }

  /** The payment of a key that is this order on this chain; undefined for one to be made. */
  async #earlierOf(named: readonly Earlier[], order: Order): Promise<Earlier | undefined> {
    const { client } = this.#given
    // Without it the payment of another chain would be taken for this one.
    const chain = (await this.#chainOrUnknown()) ?? (await this.#views.current().chain())
    const earlier = named.find(({ payment }) => isChainOf(payment, chain, client))
    if (earlier !== undefined) return this.#asAsked(earlier, order)
    // The API may have gone astray, and this be the same order.
    const open = named.find(({ handle }) => !isSettledState(handle.state))
    if (open === undefined || this.#views.isSteady()) return undefined
    throw apiError('NETWORK_MISMATCH', { expected: open.payment.chain, received: chain })
  }

  /** A payment of a key, if the order is the same. @throws {NodeError} `PAYMENT_CONFLICT` */
  async #asAsked(earlier: Earlier, order: Order): Promise<Earlier> {
    const { idempotencyKey = '' } = order
    const fields = this.#store.fieldsOf(earlier.payment)
    if (!isPaymentOf(fields, order, order.tokenId ?? (await this.#nativeTokenId(fields, order))))
      throw paymentError('PAYMENT_CONFLICT', { idempotencyKey })
    return earlier
  }

  /** The payment that a key has already. */
  async #found({ payment, handle }: Earlier, making: Pick<Making, 'storing'>): Promise<PaymentHandle> {
    const unstored = this.#unstored.get(payment.id)
    if (unstored !== undefined) await this.#storeBytes(payment, unstored, making)
    this.#track(handle, 'look')
    return handle
  }

  /** The native token by its API; while that is away, the one that is configured, if the payment is one of it. */
  async #nativeTokenId({ tokenId }: TransactionFields, order: Order): Promise<TokenId> {
    const { client } = this.#given
    try {
      return await namedNativeTokenId(client, order)
    } catch (error) {
      if (isNodeError(error) && tokenId === client.network.nativeTokenId) return tokenId
      throw error
    }
  }

  /** Makes a payment by one API node; by another one when it fails before anything is stored. */
  async #make(order: Order, making: Pick<Making, 'storing'>): Promise<PaymentHandle> {
    assertMemo(order.memo, this.#given.client.network.takesNewerData)
    const tried = new Set<string>()
    for (;;) {
      const view = this.#views.current()
      const { source } = view.core
      try {
        return await this.#makeBy(view, order, making)
      } catch (error) {
        tried.add(source)
        const isAnother = !tried.has(this.#views.current().core.source)
        if (!isAnother || !isFailureOfNode(error)) throw error
      }
    }
  }

  async #makeBy(view: NetworkView, order: Order, making: Pick<Making, 'storing'>): Promise<PaymentHandle> {
    const { wallet, consent, idempotencyKey, signal } = order
    const [store, parts] = [this.#store, this.#parts()]
    const untracked = this.#given.acceptDamage
      ? null
      : await this.#comparison.of(view.core, wallet.address, { signal })
    const unseen = notesOf(untracked, order)
    const last = untracked?.newest ?? null
    // A payment that another journal has made since the warning was shown is news.
    const notes = this.#agreed.get(wallet.address) === last ? [] : unseen
    const newest = await draftPayment({ ...parts, order, view, drafts: this.#drafts })
    try {
      const earlier = store.payments()
      const isOwn = (payment: Payment): boolean => isChainOf(payment, newest.chain, view.core)
      await this.#views.assertServed(newest.chain, { usual: usualChain(earlier, newest.chain, isOwn) })
      // Where the journal does not have everything, this very order or a copy of it may be in the chain, from any time.
      const isDerived = idempotencyKey !== undefined && wallet.deriveNonce !== undefined
      const isKnown = untracked === null && this.#comparison.isProved(wallet.address)
      const isShared = isDerived && !(isKnown && !this.#given.acceptDamage)
      const drafted = { ...newest, isShared, anchor: isShared ? null : newest.anchor }
      if (!isShared) await assertAffordable(view, store, drafted)
      if (consent === undefined) for (const note of notes) this.#emitBehind(note)
      const { closing } = parts
      const agreed = await agreedPayment({ client: view.core, closing }, drafted, notes)
      const turn = this.#turnOf(wallet.address)
      const begun = await turn(() => beginPayment({ ...parts, view }, drafted, agreed))
      const { payment, hopeless } = begun
      const handle = await begun.handle
      if (payment !== agreed) return this.#found(await this.#asAsked({ payment, handle }, order), making)
      if (last !== null) this.#agreed.set(wallet.address, last)
      this.#madeHere.add(payment.id)
      const signing = this.#sign(view, payment, { order, untracked, hopeless }, making)
      this.#onSigning(signing)
      await signing
      this.#track(handle, isShared ? 'look' : 'send')
      return handle
    } finally {
      this.#drafts.delete(newest.draft.toLowerCase())
    }
  }

  async #sign(
    view: NetworkView,
    payment: Payment,
    given: Omit<SignParameters, 'view'>,
    making: Pick<Making, 'storing'>,
  ): Promise<void> {
    const bytes = await signPayment(this.#parts(), payment, { ...given, view })
    await this.#storeBytes(payment, bytes, making)
    try {
      await withdrawIfLeft(this.#parts(), payment, given.order)
    } catch (error) {
      making.storing = null
      throw error
    }
  }

  async #storeBytes(payment: Payment, bytes: SignedBytes, making: Pick<Making, 'storing'>): Promise<void> {
    making.storing = bytes
    try {
      const isAgain = this.#unstored.has(payment.id)
      await storeBytes(this.#parts(), payment, { ...bytes, isAgain })
      this.#unstored.delete(payment.id)
    } catch (error) {
      making.storing = null
      if (isNodeError(error, 'TRANSACTION_UNCERTAIN')) this.#unstored.set(payment.id, bytes)
      throw error
    }
  }

  #emitBehind(note: PaymentWarning): void {
    if (note.kind !== 'paidWithoutJournal') return
    const { transactions, newest } = note
    this.#store.emit({ type: 'journalBehind', transactions, newest })
  }

  #turnOf(address: Address): ConcurrencyLimit {
    const turn = this.#turns.get(address) ?? createConcurrencyLimit(1)
    this.#turns.set(address, turn)
    return turn
  }

  #onSigning(signing: Promise<void>): void {
    const forget = (): void => void this.#signings.delete(signing)
    this.#signings.add(signing)
    signing.then(forget, forget)
  }

  #track({ id, state }: PaymentHandle, step: PaymentStep): void {
    if (this.#tracked.has(id) || isSettledState(state)) return
    const tracking = this.#trackUntilSettled(id, step).finally(() => {
      this.#tracked.delete(id)
      this.#madeHere.delete(id)
    })
    this.#tracked.set(id, tracking)
  }

  /** Money is under way: whatever goes wrong here, it is tried again. */
  async #trackUntilSettled(id: string, firstStep: PaymentStep): Promise<void> {
    const { client, pollMs } = this.#given
    const { signal } = this.#closing
    const rest = (polls: number): Promise<void> =>
      client.clock.sleep(pollMs * polls * (0.5 + client.randomness()), signal).catch(() => undefined)
    let step = firstStep
    while (!signal.aborted) {
      try {
        if (!this.#madeHere.has(id) && (await this.#isOfOtherChain(id))) {
          client.logger.warn('a payment waits for the API to serve its chain', { id })
          await rest(OTHER_CHAIN_POLLS)
          continue
        }
        await trackPayment({ ...this.#parts(), pollMs, client }, id, step)
        return
      } catch (error) {
        if (signal.aborted) return
        const reason = isNodeError(error) ? error.code : String(error)
        client.logger.warn('a payment is tracked again after a failure', { id, reason })
        step = 'look'
        await rest(REST_POLLS)
      }
    }
  }

  async #isOfOtherChain(id: string): Promise<boolean> {
    const { client } = this.#given
    const view = this.#views.current()
    if (isChainOf(this.#store.get(id), await view.chain(), client)) return false
    ofAnotherChain(view)
    return true
  }

  #parts() {
    const { confirmations, verify, failpoint, signingTimeoutMs, acceptDamage } = this.#given
    const services = { store: this.#store, views: this.#views, comparison: this.#comparison }
    const state = { limit: this.#limit, madeHere: this.#madeHere, closing: this.#closing.signal }
    return {
      ...{ confirmations, verify, failpoint, signingTimeoutMs, acceptDamage },
      ...services,
      ...state,
    } satisfies MakePaymentParts
  }
}

const nothing = (): void => undefined

/** The chain of all payments, or of the newest if none is of that chain; undefined without payments, or with some of it. */
function usualChain(
  payments: readonly Payment[],
  chain: string,
  isOwn: (payment: Payment) => boolean,
): string | undefined {
  const others = payments.filter((payment) => !isOwn(payment))
  if (others.length === payments.length) return others.at(-1)?.chain
  return others.length === 0 ? chain : undefined
}

/** Returns the newest bytes of payments; null if none of them is signed. */
function bytesOf(payments: readonly Payment[]): SignedBytes | null {
  const signed = payments.findLast(isSigned)
  const transaction = signed === undefined ? null : readTransactionBody(signed.body)
  return signed === undefined || transaction === null ? null : { transaction, hash: signed.hash }
}

/**
 * Returns the error for a caller that cancels. From when the signed bytes are being stored it is `TRANSACTION_UNCERTAIN`, because
 * they may be sent, by a restart as well; otherwise it is the caller's own reason.
 */
function leavingError({ storing }: Pick<Making, 'storing'>, reason: unknown): unknown {
  if (storing === null) return reason
  const why = reason instanceof Error ? reason.message : String(reason)
  return paymentError('TRANSACTION_UNCERTAIN', { ...storing, reason: why }, { cause: reason })
}

/** True for failures of one API node after which another one may answer. */
const isFailureOfNode = (error: unknown): error is NodeError =>
  isNodeError(error, 'REQUEST_FAILED') ||
  isNodeError(error, 'REQUEST_TIMEOUT') ||
  isNodeError(error, 'RESPONSE_INVALID') ||
  isNodeError(error, 'NETWORK_MISMATCH') ||
  (isNodeError(error, 'HTTP_STATUS') && error.facts.status >= 500)
