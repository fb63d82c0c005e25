import { type RewardRecord, rewardsEndpoint } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { type HistoryOfParameters, historyOf } from './history.ts'

/**
 * Goes through all rewards of an account: mining, referral and the operator's kinds. Page by page, newest first, each record once.
 *
 * Source: `GET /account_rewards`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const rewardsOf = (
  client: ClientCore,
  parameters: HistoryOfParameters,
): AsyncGenerator<RewardRecord, void, undefined> => historyOf(client, rewardsEndpoint, parameters)
