import {
  type Client,
  type ClientCore,
  createClientCore,
  getBalance,
  getExpectedReturn,
  getHeight,
  getMicroblock,
  getMinersOnline,
  getNativeToken,
  getNativeTokenId,
  getNetworkInfo,
  getPendingTransaction,
  getReferrerStake,
  getRewards,
  getStats,
  getToken,
  getTokenSlot,
  getTransaction,
  getTransactions,
  requestTestCoins,
} from '@hailstone/client'
import { ZERO_TOKEN_ID } from '@hailstone/protocol'
import type { EngineConfig } from './engine-config.ts'

// Loaded with the first account. `createClient` would add all actions of the library, such as the walk along the chain.

/** Actions that a page may call; the worker of the same tab answers them. Their names begin with `get` or `request`. */
const actions = {
  getToken,
  getTokenSlot,
  getNativeToken,
  getNativeTokenId,
  getBalance,
  getRewards,
  getMicroblock,
  getMinersOnline,
  getTransactions,
  getTransaction,
  getPendingTransaction,
  getStats,
  getNetworkInfo,
  getExpectedReturn,
  getReferrerStake,
  getHeight,
  requestTestCoins,
}

export type ClientCallName = keyof typeof actions

/** Client of the engine. */
export type NetworkClient = ClientCore & Pick<Client, ClientCallName>

export function openNetworkClient({
  apiUrl,
  gatewayUrls,
  tokenDecimals,
}: Pick<EngineConfig, 'apiUrl' | 'gatewayUrls' | 'tokenDecimals'>): NetworkClient {
  const core = createClientCore({
    network: {
      name: 'custom',
      apiUrl,
      gatewayUrl: gatewayUrls[0] ?? '',
      nativeTokenId: ZERO_TOKEN_ID,
      isNativeTokenAssumed: true,
      nativeSymbol: '',
      nativeDecimals: 10,
      tokenDecimals,
    },
  })
  const bound = Object.entries(actions).map(
    ([name, action]) => [name, (given: unknown = {}) => action(core, given as never)] as const,
  )
  return { ...core, ...(Object.fromEntries(bound) as Pick<Client, ClientCallName>) }
}
