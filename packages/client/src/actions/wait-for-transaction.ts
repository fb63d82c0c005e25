import { assertArgument, isNodeError, type NodeError, paymentError } from '@hailstone/protocol'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { getPendingTransaction } from './get-pending-transaction.ts'
import { getTransaction, type TransactionInfo } from './get-transaction.ts'

/** Parameters of {@link waitForTransaction}. */
export type WaitForTransactionParameters = Cancellable & {
  /** 64 hex digits. */
  readonly hash: string
  /** @default 120000, eight blocks of the public networks */
  readonly timeoutMs?: number | undefined
  /** Pause between two questions. @default 2000 */
  readonly pollMs?: number | undefined
}

/** A question at the very end still gets a chance to be answered. */
const SHORTEST_QUESTION_MS = 250
/** Time limit for the last look into the pool, after the wait has timed out, in ms. */
const LAST_QUESTION_MS = 2_000

/**
 * Waits until a transaction has a final status: confirmed, rejected or duplicate. A network that cannot be
 * asked for a while is no end; only time is.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`; `TRANSACTION_TIMEOUT`: no final status yet, which does not mean that there will be none.
 *   `isPending` tells whether the pool still holds it, null when it could not be asked
 */
export async function waitForTransaction(
  client: ClientCore,
  parameters: WaitForTransactionParameters,
): Promise<TransactionInfo> {
  const { hash, timeoutMs = 120_000, pollMs = 2_000, signal } = parameters
  assertArgument(timeoutMs > 0, 'timeoutMs', 'a number above 0', timeoutMs)
  assertArgument(pollMs > 0, 'pollMs', 'a number above 0', pollMs)
  const { clock } = client
  const startedAtMs = clock.monotonicMs()
  const leftMs = (): number => timeoutMs - (clock.monotonicMs() - startedAtMs)
  for (;;) {
    const hurried = within(client, leftMs())
    const transaction = await unlessUnreachable(client, () => getTransaction(hurried, { hash, signal }))
    if (transaction !== undefined && transaction !== null) return transaction
    if (leftMs() <= 0) break
    await clock.sleep(Math.min(pollMs, leftMs()), signal)
  }
  const hurried = within(client, LAST_QUESTION_MS)
  const entry = await unlessUnreachable(client, () => getPendingTransaction(hurried, { hash, signal }))
  const isPending = entry === null ? null : entry !== undefined
  const waitedMs = Math.round(clock.monotonicMs() - startedAtMs)
  throw paymentError('TRANSACTION_TIMEOUT', { hash, waitedMs, isPending })
}

/** The same client in a hurry: no single question may outlast what it is asked for. */
const within = (client: ClientCore, timeoutMs: number): ClientCore => ({
  ...client,
  timeoutMs: Math.max(SHORTEST_QUESTION_MS, Math.min(client.timeoutMs, timeoutMs)),
})

/** Null when the network could not be asked; answers that break the protocol are thrown. */
async function unlessUnreachable<T>(client: ClientCore, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (!isUnreachable(error)) throw error
    client.logger.warn('transaction status not available', { code: error.code })
    return null
  }
}

const isUnreachable = (error: unknown): error is NodeError =>
  isNodeError(error, 'REQUEST_FAILED') ||
  isNodeError(error, 'REQUEST_TIMEOUT') ||
  // Whatever stands before the network may answer 404 or 403 for a while.
  isNodeError(error, 'HTTP_STATUS')
