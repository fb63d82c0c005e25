import { type ReferralRewardRecord, referralRewardsEndpoint } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { type GetHistoryParameters, getHistoryPage, type HistoryPageInfo } from './history.ts'

/**
 * Reads one page of an account's referral rewards, as miner, as agent or as token owner.
 *
 * Source: `GET /account_refreward`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getReferralRewards = (
  client: ClientCore,
  parameters: GetHistoryParameters,
): Promise<HistoryPageInfo<ReferralRewardRecord>> =>
  getHistoryPage(client, referralRewardsEndpoint, parameters)
