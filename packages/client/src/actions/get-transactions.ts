import { type TransactionRecord, transactionsEndpoint } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { type GetHistoryParameters, getHistoryPage, type HistoryPageInfo } from './history.ts'

/**
 * Reads one page of an account's transfers, confirmed and rejected; always look at the status.
 *
 * Source: `GET /account_transactions`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getTransactions = (
  client: ClientCore,
  parameters: GetHistoryParameters,
): Promise<HistoryPageInfo<TransactionRecord>> => getHistoryPage(client, transactionsEndpoint, parameters)
