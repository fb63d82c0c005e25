import {
  address,
  amount,
  count,
  decimal,
  decimals,
  feeType,
  flag,
  list,
  optional,
  orNull,
  symbol,
  text,
  tokenId,
} from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint, required } from './define-endpoint.ts'

const rawPrice = record({
  coinGecko: ['cg_price', orNull(count)],
  exchange: ['dex_price', orNull(count)],
  decimals: orNull(count),
})

/** Prices that public nodes add to a token. Networks without prices leave them out. */
export const priceFields = {
  coinGeckoPriceUsd: ['cg_price_usd', optional(orNull(decimal))],
  exchangePriceUsd: ['dex_price_usd', optional(orNull(decimal))],
  rawPrice: ['price_raw', optional(rawPrice)],
} as const

/** A token in answers of the API. The mining members are null for a token that is not mined. */
export const tokenAnswer = record({
  id: ['hash', tokenId],
  owner: address,
  feeType: ['fee_type', feeType],
  feeValue: ['fee_value', amount],
  feeMinimum: ['fee_min', orNull(amount)],
  symbol: ['ticker', symbol],
  decimals,
  totalSupply: ['total_supply', amount],
  caption: orNull(text),
  active: count,
  isReissuable: ['reissuable', flag],
  isMineable: ['minable', flag],
  maxSupply: ['max_supply', orNull(amount)],
  blockReward: ['block_reward', orNull(amount)],
  minimumStake: ['min_stake', orNull(amount)],
  referrerStake: ['referrer_stake', orNull(amount)],
  referralShareBps: ['ref_share', orNull(count)],
  /** Often too small: the first round with transfers of a token counts as one. */
  transferCount: ['txs_count', optional(count)],
  ...priceFields,
})

/** `GET /token_info`: a list with one token, or an empty one. */
export const tokenEndpoint = defineEndpoint({
  path: '/token_info',
  parameters: { tokenId: required('tokenId', 'hash') },
  answer: list(tokenAnswer),
})

/** `GET /native_token`: an empty body if the network has no such row. */
export const nativeTokenEndpoint = defineEndpoint({
  path: '/native_token',
  answer: tokenAnswer,
  mayBeEmpty: true,
})

const tokenName = record({ id: ['hash', tokenId], symbol: ['ticker', symbol], caption: orNull(text) })

/** `GET /get_tickers_all`: every token, unordered. */
export const tokenNamesEndpoint = defineEndpoint({ path: '/get_tickers_all', answer: list(tokenName) })

/** `GET /get_tickers_all_unfiltered`: the same; no filter of an operator applies. */
export const allTokenNamesEndpoint = defineEndpoint({
  path: '/get_tickers_all_unfiltered',
  answer: list(tokenName),
})

/** A token as `GET /token_info` answers it. */
export type TokenAnswer = Value<typeof tokenAnswer>
/** Id, symbol and caption of a token, an entry of `GET /get_tickers_all`. */
export type TokenName = Value<typeof tokenName>
