import { type TransactionAnswer, type TransactionStatus, transactionEndpoint } from '@hailstone/protocol'
import { answerFault, isSameName } from '../answer-fault.ts'
import { lookUp } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Final outcome of a transaction. It never changes again. */
export type FinalStatus = Exclude<TransactionStatus, 'pending'>

/**
 * A calculated transaction. Fee and net amount come from the token's present parameters, also for rejected
 * ones; both are absent for a token that the network does not know.
 */
export type TransactionInfo = Omit<TransactionAnswer, 'status'> & { readonly status: FinalStatus }

/** Parameters of {@link getTransaction}. */
export type GetTransactionParameters = Cancellable & {
  /** 64 hex digits. */
  readonly hash: string
}

/**
 * Reads a transaction; undefined while it waits, before it is calculated, and when it is unknown.
 *
 * Source: `GET /tx`, an empty body for "nothing". Of several copies it shows the best status.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export async function getTransaction(
  client: ClientCore,
  { hash, signal }: GetTransactionParameters,
): Promise<TransactionInfo | undefined> {
  const answer = await lookUp(client, transactionEndpoint, { hash }, { signal })
  if (answer === undefined) return undefined
  if (!isSameName(answer.hash, hash)) throw answerFault(transactionEndpoint.path, 'it is another transaction')
  const { status } = answer
  return status === 'pending' ? undefined : { ...answer, status }
}
