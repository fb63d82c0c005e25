import { type MinedRecord, miningRewardsEndpoint } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { type HistoryOfParameters, historyOf } from './history.ts'

/**
 * Goes through an account's microblock rewards. Page by page, newest first, each record once.
 *
 * Source: `GET /account_mreward`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const miningRewardsOf = (
  client: ClientCore,
  parameters: HistoryOfParameters,
): AsyncGenerator<MinedRecord, void, undefined> => historyOf(client, miningRewardsEndpoint, parameters)
