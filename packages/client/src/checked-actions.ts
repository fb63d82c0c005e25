import { assertArgument } from '@hailstone/protocol'
import { actions, callChecked } from './client-actions.ts'
import type { ClientCore } from './client-core.ts'
import { nameChecks } from './name-checks.ts'

type AnyAction = (client: ClientCore, given: unknown, ...rest: readonly unknown[]) => unknown

/** The actions as functions, which refuse what the methods of a client refuse. */
const checked = Object.fromEntries(
  Object.entries(actions).map(([name, action]) => [
    name,
    (client: ClientCore, given: unknown = {}, ...rest: readonly unknown[]) => {
      const check = () => {
        assertArgument(Object(client).transport, 'client', 'a client, of createClient({ apiUrl })', client)
        nameChecks.action(name, given)
      }
      return callChecked(name, given, check, () => (action as AnyAction)(client, given, ...rest))
    },
  ]),
) as typeof actions

export const {
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
  getTokenSlot,
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
} = checked
