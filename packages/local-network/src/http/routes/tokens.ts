import {
  allTokenNamesEndpoint,
  nativeTokenEndpoint,
  type TokenAnswer,
  tokenEndpoint,
  tokenNamesEndpoint,
} from '@hailstone/protocol'
import type { CountedToken } from '../../store/index.ts'
import type { ApiParts } from '../api-parts.ts'
import { type Route, route } from '../route.ts'

/** No exchange knows a local token, so its prices are null. */
export const unpriced = {
  coinGeckoPriceUsd: null,
  exchangePriceUsd: null,
  rawPrice: { coinGecko: null, exchange: null, decimals: null },
} as const

/** A token as the API shows it. `active` means nothing and is 0 on the network. */
export const tokenAnswer = (token: CountedToken): TokenAnswer => ({
  id: token.id,
  owner: token.owner,
  feeType: token.feeType,
  feeValue: token.feeValue,
  feeMinimum: token.feeMinimum,
  symbol: token.symbol,
  decimals: token.decimals,
  totalSupply: token.totalSupply,
  caption: token.caption,
  active: 0,
  isReissuable: token.isReissuable,
  isMineable: token.mining !== null,
  maxSupply: token.mining?.maxSupply ?? null,
  blockReward: token.mining?.blockReward ?? null,
  minimumStake: token.mining?.minimumStake ?? null,
  referrerStake: token.mining?.referrerStake ?? null,
  referralShareBps: token.mining?.referralShareBps ?? null,
  transferCount: token.transferCount,
  ...unpriced,
})

const names = async ({ store }: ApiParts) =>
  (await store.tokens()).map(({ id, symbol, caption }) => ({ id, symbol, caption }))

export const tokenRoutes = (parts: ApiParts): readonly Route[] => [
  route(
    tokenEndpoint,
    async ({ tokenId }) => {
      const token = tokenId === undefined ? undefined : await parts.store.token(tokenId)
      return token === undefined ? [] : [tokenAnswer(token)]
    },
    { lasting: () => 'until next' },
  ),
  route(
    nativeTokenEndpoint,
    async () => {
      const token = await parts.store.token(parts.network.ledger.nativeTokenId)
      return token && tokenAnswer(token)
    },
    { lasting: () => 'until next' },
  ),
  route(tokenNamesEndpoint, () => names(parts)),
  route(allTokenNamesEndpoint, () => names(parts)),
]
