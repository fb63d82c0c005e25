import { type RewardRecord, rewardsEndpoint } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { type GetHistoryParameters, getHistoryPage, type HistoryPageInfo } from './history.ts'

/**
 * Reads one page of all rewards of an account: mining, referral and the operator's kinds.
 *
 * Source: `GET /account_rewards`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getRewards = (
  client: ClientCore,
  parameters: GetHistoryParameters,
): Promise<HistoryPageInfo<RewardRecord>> => getHistoryPage(client, rewardsEndpoint, parameters)
