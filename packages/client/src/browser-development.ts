// The default entry for pages that a bundler builds for development. It refuses misspelt settings and parameters as the
// one for Node does; what is delivered to users leaves that out.
import type { CreateClientCoreParameters } from './assemble-core.ts'
import * as page from './browser.ts'
import { assembleClient, type Client, type CreateClientParameters } from './client.ts'
import type { ClientCore } from './client-core.ts'
import { nameChecks } from './name-checks.ts'
import { createFetchTransport } from './web/fetch-transport.ts'

export * from './browser.ts'
export {
  getAgentInfo,
  getBalance,
  getContractPrices,
  getExpectedReturn,
  getHeight,
  getHoldings,
  getKeyBlockHeight,
  getLastBlocks,
  getMacroblock,
  getMacroblockByHash,
  getMacroblockOutline,
  getMicroblock,
  getMicroblockHeader,
  getMinersOnline,
  getMiningRewards,
  getMiningRules,
  getNativeToken,
  getNativeTokenId,
  getNetworkInfo,
  getOriginHash,
  getPendingTransaction,
  getPoolSize,
  getRecordsOfHash,
  getReferralRewards,
  getReferrerStake,
  getRewards,
  getStakeLimits,
  getStats,
  getToken,
  getTokenNames,
  getTokenSlot,
  getTransaction,
  getTransactions,
  latestTransactions,
  miningRewardsOf,
  prepareTransaction,
  referralRewardsOf,
  requestTestCoins,
  rewardsOf,
  sendSignedTransaction,
  sendTransaction,
  transactionsOf,
  waitForTransaction,
  walkChain,
} from './checked-actions.ts'

/**
 * Makes a client of one network; HTTP goes through `fetch`.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `URL_REFUSED`, `ARGUMENT_INVALID`
 * @example
 * await using client = createClient({ network: networks.bit })
 * const height = await client.getHeight()
 */
export const createClient = (parameters: CreateClientParameters): Client =>
  assembleClient(parameters, createFetchTransport, nameChecks)

/**
 * Creates a client without bound methods, for one API node (of several that a network names, the first). Use it with
 * the actions as functions, so that a bundle contains only the actions it calls.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `URL_REFUSED`, `ARGUMENT_INVALID`
 */
export function createClientCore(parameters: CreateClientCoreParameters): ClientCore {
  nameChecks.core(parameters)
  return page.createClientCore(parameters)
}
