import { type TransactionRecord, transactionsEndpoint } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { type HistoryOfParameters, historyOf } from './history.ts'

/**
 * Goes through an account's transfers, confirmed and rejected; always look at the status. Page by page, newest first, each record once.
 *
 * Source: `GET /account_transactions`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const transactionsOf = (
  client: ClientCore,
  parameters: HistoryOfParameters,
): AsyncGenerator<TransactionRecord, void, undefined> => historyOf(client, transactionsEndpoint, parameters)
