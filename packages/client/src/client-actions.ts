import { assertArgument } from '@hailstone/protocol'
import { getAgentInfo } from './actions/get-agent-info.ts'
import { getBalance } from './actions/get-balance.ts'
import { getContractPrices } from './actions/get-contract-prices.ts'
import { getExpectedReturn } from './actions/get-expected-return.ts'
import { getHeight } from './actions/get-height.ts'
import { getHoldings } from './actions/get-holdings.ts'
import { getKeyBlockHeight } from './actions/get-key-block-height.ts'
import { getLastBlocks } from './actions/get-last-blocks.ts'
import { getMacroblock } from './actions/get-macroblock.ts'
import { getMacroblockByHash } from './actions/get-macroblock-by-hash.ts'
import { getMacroblockOutline } from './actions/get-macroblock-outline.ts'
import { getMicroblock } from './actions/get-microblock.ts'
import { getMicroblockHeader } from './actions/get-microblock-header.ts'
import { getMinersOnline } from './actions/get-miners-online.ts'
import { getMiningRewards } from './actions/get-mining-rewards.ts'
import { getMiningRules } from './actions/get-mining-rules.ts'
import { getNativeToken } from './actions/get-native-token.ts'
import { getNativeTokenId } from './actions/get-native-token-id.ts'
import { getNetworkInfo } from './actions/get-network-info.ts'
import { getOriginHash } from './actions/get-origin-hash.ts'
import { getPendingTransaction } from './actions/get-pending-transaction.ts'
import { getPoolSize } from './actions/get-pool-size.ts'
import { getRecordsOfHash } from './actions/get-records-of-hash.ts'
import { getReferralRewards } from './actions/get-referral-rewards.ts'
import { getReferrerStake } from './actions/get-referrer-stake.ts'
import { getRewards } from './actions/get-rewards.ts'
import { getStakeLimits } from './actions/get-stake-limits.ts'
import { getStats } from './actions/get-stats.ts'
import { getToken } from './actions/get-token.ts'
import { getTokenNames } from './actions/get-token-names.ts'
import { getTransaction } from './actions/get-transaction.ts'
import { getTransactions } from './actions/get-transactions.ts'
import { latestTransactions } from './actions/latest-transactions.ts'
import { miningRewardsOf } from './actions/mining-rewards-of.ts'
import { prepareTransaction } from './actions/prepare-transaction.ts'
import { referralRewardsOf } from './actions/referral-rewards-of.ts'
import { requestTestCoins } from './actions/request-test-coins.ts'
import { rewardsOf } from './actions/rewards-of.ts'
import { sendSignedTransaction } from './actions/send-signed-transaction.ts'
import { sendTransaction } from './actions/send-transaction.ts'
import { transactionsOf } from './actions/transactions-of.ts'
import { waitForTransaction } from './actions/wait-for-transaction.ts'
import { walkChain } from './actions/walk-chain.ts'
import type { ClientCore } from './client-core.ts'

export const actions = {
  getHeight,
  getMacroblock,
  getMacroblockByHash,
  getMacroblockOutline,
  getKeyBlockHeight,
  getMicroblock,
  getMicroblockHeader,
  getTransaction,
  getPendingTransaction,
  getPoolSize,
  getRecordsOfHash,
  getAgentInfo,
  getBalance,
  getHoldings,
  getToken,
  getNativeToken,
  getNativeTokenId,
  getMiningRules,
  getTokenNames,
  getNetworkInfo,
  getOriginHash,
  getReferrerStake,
  getStakeLimits,
  getContractPrices,
  getExpectedReturn,
  getStats,
  getLastBlocks,
  getMinersOnline,
  getRewards,
  getReferralRewards,
  getMiningRewards,
  getTransactions,
  rewardsOf,
  referralRewardsOf,
  miningRewardsOf,
  transactionsOf,
  prepareTransaction,
  sendTransaction,
  sendSignedTransaction,
  waitForTransaction,
  requestTestCoins,
  walkChain,
  latestTransactions,
}

type Bound<Action> = Action extends (client: ClientCore, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never

/** Every action of this package with its first argument filled in. */
export type ClientActions = { readonly [Name in keyof typeof actions]: Bound<(typeof actions)[Name]> }

type AnyAction = (client: ClientCore, ...rest: readonly unknown[]) => unknown

/** Binds every action to a client. */
export const bindActions = (client: ClientCore): ClientActions =>
  Object.fromEntries(
    Object.entries(actions).map(([name, action]) => [
      name,
      (given: unknown = {}, ...rest: readonly unknown[]) => {
        assertGiven(name, given)
        client.diagnostics?.names?.action(name, given)
        return (action as AnyAction)(client, given, ...rest)
      },
    ]),
  ) as ClientActions

/** @throws {NodeError} `ARGUMENT_INVALID` */
export function assertGiven(name: string, given: unknown): void {
  const expected = 'an object that names its parameters, as in getBalance({ address })'
  assertArgument(Object(given) === given, `of ${name}`, expected, given)
}
