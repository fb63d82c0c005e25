import {
  assertArgument,
  type Hash,
  isNodeError,
  type NodeError,
  type PostTransactionAnswer,
  paymentError,
  postTransactionEndpoint,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'
import { throwIfAborted } from '@hailstone/runtime'
import { answerFault, isSameName } from '../answer-fault.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { postEndpoint } from '../post-endpoint.ts'
import { wasNeverSent } from '../transport/never-sent.ts'
import { getPendingTransaction } from './get-pending-transaction.ts'
import { getTransaction } from './get-transaction.ts'

/** A transaction that the network has in its pool, or has already calculated. */
export type SentTransaction = {
  /** Name of the payment in the chain, known before it is sent. */
  readonly hash: Hash
  /** The signed bytes. Sending them again is the same payment. */
  readonly transaction: Transaction
  /** The node took it; whether it is executed, `waitForTransaction` says. */
  readonly status: 'pending'
}

/** Parameters of {@link sendSignedTransaction}. */
export type SendSignedTransactionParameters = Cancellable & {
  /** With its signature, as `wallet.signTransaction` returns it. */
  readonly transaction: Transaction
}

/** Answers to bytes that the pool holds, and to bytes that are calculated: what we wanted. */
const alreadyThere = ['TX is already in txpool', 'Transactions already exist in blockchain']

/**
 * Sends a signed transaction, or sends it again: the same bytes are the same payment, however often they are
 * sent. After a lost answer the network is asked for the hash; only if it cannot tell, the outcome is
 * `TRANSACTION_UNCERTAIN`, and the thing to do is to send the same bytes again.
 *
 * Source: `POST /tx`, `GET /pending_tx_hash`, `GET /tx`.
 *
 * @throws {NodeError} `TRANSACTION_REFUSED` (this node does not take it now; what was taken before may still be executed),
 *   `TRANSACTION_UNCERTAIN`, `TRANSACTION_HASH_DIFFERS`, `ARGUMENT_INVALID`; `HTTP_STATUS` of a request that was turned away
 *   and `REQUEST_FAILED` of one that was never sent (it was not taken)
 */
export async function sendSignedTransaction(
  client: ClientCore,
  { transaction, signal }: SendSignedTransactionParameters,
): Promise<SentTransaction> {
  const expected = 'a signed transaction, of wallet.signTransaction(fields)'
  assertArgument(typeof transaction?.signature === 'string', 'transaction', expected, transaction)
  const hash = transactionHash(transaction)
  try {
    assertAccepted(await postEndpoint(client, postTransactionEndpoint, [transaction], { signal }), hash)
  } catch (error) {
    throwIfAborted(signal)
    if (!leavesDoubt(error)) throw error
    if (!(await isKnown(client, hash, signal))) {
      const reason = `the answer is missing (${error.code})`
      throw paymentError('TRANSACTION_UNCERTAIN', { hash, transaction, reason }, { cause: error })
    }
    client.logger.info('transaction found after a lost answer', { hash, code: error.code })
  }
  return { hash, transaction, status: 'pending' }
}

function assertAccepted(answer: PostTransactionAnswer | undefined, hash: Hash): void {
  const { path } = postTransactionEndpoint
  if (answer === undefined) throw answerFault(path, 'the body is empty')
  const { error, message = 'no reason given', result } = answer
  if (error !== 0) {
    if (alreadyThere.includes(message)) return
    throw paymentError('TRANSACTION_REFUSED', { message: message.slice(0, 500), hash })
  }
  const received = result?.[0]?.hash
  if (received === undefined) throw answerFault(path, 'it accepts without naming a hash')
  if (!isSameName(received, hash)) {
    throw paymentError('TRANSACTION_HASH_DIFFERS', { expected: hash, received })
  }
}

const doubtful = new Set([
  'REQUEST_TIMEOUT',
  'REQUEST_FAILED',
  'RESPONSE_INVALID',
  'RESPONSE_TOO_LARGE',
  'URL_REFUSED',
])

/** Statuses by which the request itself is refused, so that nobody took what was in it. */
const turnedAway: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 411, 413, 414, 415, 426, 431])

/** True if the network may have accepted the transaction although no answer arrived. */
function leavesDoubt(error: unknown): error is NodeError {
  if (!isNodeError(error) || wasNeverSent(error)) return false
  if (isNodeError(error, 'HTTP_STATUS')) return !turnedAway.has(error.facts.status)
  return doubtful.has(error.code)
}

/** True when pool or chain know the hash; false also when neither could be asked. */
async function isKnown(client: ClientCore, hash: Hash, signal: AbortSignal | undefined): Promise<boolean> {
  const found = await Promise.allSettled([
    getPendingTransaction(client, { hash, signal }),
    getTransaction(client, { hash, signal }),
  ])
  throwIfAborted(signal)
  return found.some((result) => result.status === 'fulfilled' && result.value !== undefined)
}
