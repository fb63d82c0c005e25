import { isNodeError, type Transaction } from '@hailstone/protocol'
import { sendSignedTransaction } from '../actions/send-signed-transaction.ts'
import type { ConcurrencyLimit } from '../chain/concurrency-limit.ts'
import type { ClientCore } from '../client-core.ts'
import type { Failpoint } from './journal-store.ts'
import { lookForPayment } from './look-for-payment.ts'
import type { NetworkView } from './network-view.ts'
import { lookPauseMs, sendPauseMs } from './pause.ts'
import { isSigned } from './payment.ts'
import type { PaymentBook } from './payment-book.ts'
import { readBody } from './transaction-body.ts'
import type { Confirmations, PaymentInput, PaymentStep } from './transition.ts'
import { twinHashes } from './twin-hashes.ts'

export type PursuitParts = Confirmations & {
  readonly client: ClientCore
  readonly book: PaymentBook
  readonly view: NetworkView
  /** Requests that send. */
  readonly limit: ConcurrencyLimit
  readonly pollMs: number
  readonly failpoint: Failpoint
  /** Fires when the payments are closed. */
  readonly closing: AbortSignal
}

/**
 * Drives one payment until it is settled: sends its bytes, asks for them, sends them again. It only ends when
 * nothing can change any more, or when the payments are closed.
 *
 * @param firstStep what is to be done now, without a pause
 */
export async function pursuePayment(parts: PursuitParts, id: string, firstStep: PaymentStep): Promise<void> {
  const { book, closing, client, failpoint } = parts
  const payment = book.get(id)
  const transaction = isSigned(payment) ? readBody(payment.body) : null
  if (transaction === null) return
  const twins = twinHashes(transaction)
  let step = firstStep
  let timesSent = 0
  let quietLooks = 0
  let isRested = true
  while (step !== 'rest' && !closing.aborted) {
    const before = book.get(id).state.status
    if (step === 'send') {
      const pauseMs = sendPauseMs(timesSent, paceOf(parts))
      if (pauseMs > 0 && !isRested) {
        await client.clock.sleep(pauseMs, closing)
        isRested = true
        // A lot may have happened meanwhile.
        step = await look(parts, id, { transaction, twins })
        continue
      }
      step = await send(parts, id, transaction)
      timesSent++
      isRested = false
    } else {
      if (!isRested) await client.clock.sleep(lookPauseMs(quietLooks, paceOf(parts)), closing)
      failpoint('looking')
      step = await look(parts, id, { transaction, twins })
      isRested = false
    }
    quietLooks = book.get(id).state.status === before ? quietLooks + 1 : 0
  }
}

const paceOf = ({ pollMs, client }: PursuitParts) => ({ pollMs, random: client.randomness() })

async function send(parts: PursuitParts, id: string, transaction: Transaction): Promise<PaymentStep> {
  const { book, failpoint, limit } = parts
  await book.apply(id, { type: 'sending' })
  failpoint('sending')
  const input = await limit(() => postBytes(parts, transaction))
  failpoint('answered')
  if (input.type === 'otherHash') {
    book.emit({ type: 'otherHashNamed', payment: book.info(id), received: input.received })
  }
  const step = await book.apply(id, input)
  failpoint('answer stored')
  return step
}

/** What became of a request that carried the bytes. */
async function postBytes({ client, closing }: PursuitParts, transaction: Transaction): Promise<PaymentInput> {
  try {
    await sendSignedTransaction(client, { transaction, signal: closing })
    return { type: 'accepted' }
  } catch (error) {
    closing.throwIfAborted()
    if (isNodeError(error, 'TRANSACTION_REFUSED')) return { type: 'refused', message: error.facts.message }
    if (isNodeError(error, 'TRANSACTION_HASH_DIFFERS')) {
      return { type: 'otherHash', received: error.facts.received }
    }
    if (isNodeError(error, 'HTTP_STATUS') || isNodeError(error, 'REQUEST_FAILED')) return { type: 'notTaken' }
    if (isNodeError(error)) return { type: 'answerLost' }
    throw error
  }
}

async function look(
  parts: PursuitParts,
  id: string,
  known: { readonly transaction: Transaction; readonly twins: ReturnType<typeof twinHashes> },
): Promise<PaymentStep> {
  const { book, view, confirmations, closing } = parts
  const payment = book.get(id)
  if (!isSigned(payment)) return 'rest'
  try {
    const { input, executedTwin } = await lookForPayment({ ...known, view, payment, confirmations })
    const step = await book.apply(id, input)
    if (executedTwin !== null) {
      book.emit({ type: 'twinExecuted', payment: book.info(id), twin: executedTwin })
    }
    return step
  } catch (error) {
    closing.throwIfAborted()
    if (!isNodeError(error)) throw error
    return book.apply(id, { type: 'unknown', reason: `the network cannot be asked (${error.code})` })
  }
}
