import { type MinedRecord, miningRewardsEndpoint } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { type GetHistoryParameters, getHistoryPage, type HistoryPageInfo } from './history.ts'

/**
 * Reads one page of an account's microblock rewards.
 *
 * Source: `GET /account_mreward`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getMiningRewards = (
  client: ClientCore,
  parameters: GetHistoryParameters,
): Promise<HistoryPageInfo<MinedRecord>> => getHistoryPage(client, miningRewardsEndpoint, parameters)
