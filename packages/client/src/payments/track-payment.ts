import { isNodeError, malleatedHashes, readTransactionBody, type Transaction } from '@hailstone/protocol'
import { throwIfAborted } from '@hailstone/runtime'
import { sendSignedTransaction } from '../actions/send-signed-transaction.ts'
import { isChainOf } from '../chain/chain-identity.ts'
import type { ConcurrencyLimit } from '../chain/concurrency-limit.ts'
import type { ClientCore } from '../client-core.ts'
import type { JournalComparison } from './comparison.ts'
import type { Failpoint } from './journal-store.ts'
import { lookForPayment, ofAnotherChain } from './look-for-payment.ts'
import type { NetworkView, NetworkViews } from './network-view.ts'
import { isSigned, type SignedPayment } from './payment.ts'
import type { PaymentStore } from './payment-store.ts'
import type { Confirmations, PaymentInput, PaymentStep } from './transition.ts'
import { alikeIn } from './untracked-payments.ts'

export type TrackingParts = Confirmations & {
  readonly client: ClientCore
  readonly store: PaymentStore
  readonly views: NetworkViews
  readonly comparison: JournalComparison
  /** Nothing is kept back: somebody looked at the histories. */
  readonly acceptDamage: boolean
  /** Payments that were made since the journal was opened. All others may be those of an old copy. */
  readonly madeHere: ReadonlySet<string>
  /** Requests that send. */
  readonly limit: ConcurrencyLimit
  readonly pollMs: number
  readonly failpoint: Failpoint | undefined
  /** Fires when the payments are closed. */
  readonly closing: AbortSignal
}

/**
 * Drives one payment until it is settled: sends its bytes, asks for them, sends them again. It only ends when
 * nothing can change any more, or when the payments are closed.
 *
 * @param firstStep what is to be done now, without a pause
 */
export async function trackPayment(parts: TrackingParts, id: string, firstStep: PaymentStep): Promise<void> {
  const { store, closing, client, failpoint } = parts
  const payment = store.get(id)
  if (!isSigned(payment)) return
  const transaction = readTransactionBody(payment.body)
  if (transaction === null) return
  const malleated = malleatedHashes(transaction)
  const shown = store.handle(id)
  let step = firstStep
  let timesSent = 0
  let quietLooks = 0
  let isRested = true
  while (step !== 'rest' && !closing.aborted) {
    const before = shown.state.status
    if (step === 'send') {
      const pauseMs = sendPauseMs(timesSent, paceOf(parts))
      if (pauseMs > 0 && !isRested) {
        await client.clock.sleep(pauseMs, closing)
        isRested = true
        // A lot may have happened meanwhile.
        step = await look(parts, id, { transaction, malleated })
        continue
      }
      step = await send(parts, payment, transaction)
      timesSent++
      isRested = false
    } else {
      if (!isRested) await client.clock.sleep(lookPauseMs(quietLooks, paceOf(parts)), closing)
      failpoint?.('looking')
      step = await look(parts, id, { transaction, malleated })
      isRested = false
    }
    quietLooks = shown.state.status === before ? quietLooks + 1 : 0
  }
}

const paceOf = ({ pollMs, client }: TrackingParts) => ({ pollMs, random: client.randomness() })

async function send(
  parts: TrackingParts,
  payment: SignedPayment,
  transaction: Transaction,
): Promise<PaymentStep> {
  const { store, failpoint, limit } = parts
  const { id } = payment
  const input = await limit(() => sendTo(parts, payment, transaction))
  failpoint?.('answered')
  if (input.type === 'otherHash') {
    store.emit({ type: 'otherHashNamed', payment: store.info(id), received: input.received })
  }
  const step = await store.apply(id, input)
  failpoint?.('answer stored')
  return step
}

/** Checks the node and sends, without waiting in between. */
async function sendTo(
  parts: TrackingParts,
  payment: SignedPayment,
  transaction: Transaction,
): Promise<PaymentInput> {
  const { store, failpoint, closing } = parts
  const client = await coreToSendTo(parts, payment, transaction)
  if ('why' in client) return client.why
  await store.apply(payment.id, { type: 'sending' })
  failpoint?.('sending')
  try {
    return await postBytes(client, closing, transaction)
  } catch (error) {
    // The bytes have left all the same.
    await store.apply(payment.id, { type: 'answerLost' })
    throw error
  }
}

/** Returns the API node to send to, whose chain was just checked; or the reason to send nothing. */
async function coreToSendTo(
  { client, store, views, comparison, madeHere, acceptDamage, closing }: TrackingParts,
  payment: SignedPayment,
  { from, amount, data }: Transaction,
): Promise<ClientCore | { readonly why: PaymentInput }> {
  const { state } = store.get(payment.id)
  // What one node refuses another may take.
  const view = state.status === 'refused' ? views.turn(state.refusals) : views.current()
  const isServed = async (): Promise<boolean> => isChainOf(payment, await view.chain(), client)
  const elsewhere = (): PaymentInput => ({ type: 'unknown', reason: ofAnotherChain(view) })
  try {
    if (!(await isServed())) return { why: elsewhere() }
    if (acceptDamage || madeHere.has(payment.id)) return view.core
    const untracked = await comparison.of(view.core, from, { signal: closing })
    // Derived bytes are executed once, from whichever journal; the order may have been paid under another key.
    const isKeptBack = payment.isShared ? alikeIn(untracked, { amount, data }).length > 0 : untracked !== null
    if (isKeptBack) return { why: { type: 'keptBack', reason: KEPT_BACK } }
    // Comparing a long history takes minutes, in which the address may have begun to serve another chain.
    return (await isServed()) ? view.core : { why: elsewhere() }
  } catch (error) {
    throwIfAborted(closing)
    if (!isNodeError(error)) throw error
    return { why: { type: 'unknown', reason: `the network cannot be asked (${error.code})` } }
  }
}

const KEPT_BACK =
  'the account has payments that this journal does not have, so it may be an old copy: its bytes are sent again when that is accepted'

/** Posts the bytes and returns the outcome as an input of the state machine. */
async function postBytes(
  client: ClientCore,
  closing: AbortSignal,
  transaction: Transaction,
): Promise<PaymentInput> {
  try {
    await sendSignedTransaction(client, { transaction, signal: closing })
    return { type: 'accepted' }
  } catch (error) {
    throwIfAborted(closing)
    if (isNodeError(error, 'TRANSACTION_REFUSED')) return { type: 'refused', message: error.facts.message }
    if (isNodeError(error, 'TRANSACTION_HASH_DIFFERS')) {
      return { type: 'otherHash', received: error.facts.received }
    }
    if (isNodeError(error, 'HTTP_STATUS') || isNodeError(error, 'REQUEST_FAILED'))
      return { type: 'notTaken', reason: statusOf(error) }
    if (isNodeError(error)) return { type: 'answerLost', reason: statusOf(error.cause) }
    throw error
  }
}

/** Returns the message of an HTTP status, such as 503 of a full pool; undefined for every other failure. */
const statusOf = (error: unknown): string | undefined =>
  isNodeError(error, 'HTTP_STATUS') ? error.message : undefined

async function look(
  parts: TrackingParts,
  id: string,
  known: { readonly transaction: Transaction; readonly malleated: ReturnType<typeof malleatedHashes> },
): Promise<PaymentStep> {
  const { store, views, confirmations, closing } = parts
  const payment = store.get(id)
  if (!isSigned(payment)) return 'rest'
  // It may be settled by this look, and dropped.
  const shown = store.handle(id)
  try {
    const view = views.current()
    const { input, executedCopy } = await lookForPayment({ ...known, view, payment, confirmations })
    const isWhole = 'isDeep' in input && input.isDeep && (await isJournalWhole(parts, view, payment))
    const step = await store.apply(id, isWhole ? { ...input, isWhole } : input)
    if (executedCopy !== null) {
      store.emit({ type: 'malleatedExecuted', payment: shown.info(), malleatedHash: executedCopy })
    }
    return step
  } catch (error) {
    throwIfAborted(closing)
    if (!isNodeError(error)) throw error
    return store.apply(id, { type: 'unknown', reason: `the network cannot be asked (${error.code})` })
  }
}

/**
 * True if a node that shows a payment deep in the chain has no payment of its account that the journal does not have. Where
 * somebody accepted that records are gone, orders that another journal may have sent are compared again all the same.
 */
async function isJournalWhole(
  { comparison, acceptDamage, madeHere, closing }: TrackingParts,
  view: NetworkView,
  payment: SignedPayment,
): Promise<boolean> {
  if (acceptDamage) return !payment.isShared
  try {
    return await comparison.proves(view.core, payment, { isMadeHere: madeHere.has(payment.id) })
  } catch (error) {
    throwIfAborted(closing)
    if (isNodeError(error)) return false
    throw error
  }
}

/** Pace of the polls and repeated sends of one payment. */
type Pace = {
  /** Pause between two questions, at first. */
  readonly pollMs: number
  /** Uniform in [0, 1). */
  readonly random: number
}

const SLOWEST_LOOK = 8
const SLOWEST_SEND = 30

/** Pause before the next question: longer the longer nothing has changed, up to eight polls. */
const lookPauseMs = (quietLooks: number, { pollMs, random }: Pace): number =>
  pollMs * Math.min(1.15 ** quietLooks, SLOWEST_LOOK) * (0.9 + 0.2 * random)

/** Pause before bytes are sent once more: none the first time, then growing up to thirty polls. */
const sendPauseMs = (timesSent: number, { pollMs, random }: Pace): number =>
  timesSent < 2 ? 0 : pollMs * Math.min(2 ** (timesSent - 2), SLOWEST_SEND) * (0.75 + 0.5 * random)
