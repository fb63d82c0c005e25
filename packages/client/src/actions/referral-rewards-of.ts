import { type ReferralRewardRecord, referralRewardsEndpoint } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import { type HistoryOfParameters, historyOf } from './history.ts'

/**
 * Goes through an account's referral rewards, as miner, as agent or as token owner. Page by page, newest first, each record once.
 *
 * Source: `GET /account_refreward`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const referralRewardsOf = (
  client: ClientCore,
  parameters: HistoryOfParameters,
): AsyncGenerator<ReferralRewardRecord, void, undefined> =>
  historyOf(client, referralRewardsEndpoint, parameters)
