import { amount, decimals, flag, list, symbol, tokenId } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint, required } from './define-endpoint.ts'

const holdingFields = {
  amount,
  tokenId: ['token', tokenId],
  symbol: ['ticker', symbol],
  decimals,
} as const
const holding = record({
  ...holdingFields,
  isMineable: ['minable', flag],
  isReissuable: ['reissuable', flag],
})
const plainHolding = record(holdingFields)

const ofAddress = { address: required('address', 'id') } as const

/** `GET /balance_all`: tokens on the operator's list on the public network, every token on a local one. */
export const balanceAllEndpoint = defineEndpoint({
  path: '/balance_all',
  parameters: ofAddress,
  answer: list(holding),
})

/** `GET /balance_all_unfiltered`: every token with a row of the account, zero amounts included, unordered. */
export const balanceAllUnfilteredEndpoint = defineEndpoint({
  path: '/balance_all_unfiltered',
  parameters: ofAddress,
  answer: list(holding),
})

/** `GET /balance_mineable`: the account's mineable tokens, unordered. */
export const balanceMineableEndpoint = defineEndpoint({
  path: '/balance_mineable',
  parameters: ofAddress,
  answer: list(plainHolding),
})

/** `GET /balance_reissuable`: the account's reissuable tokens, unordered. */
export const balanceReissuableEndpoint = defineEndpoint({
  path: '/balance_reissuable',
  parameters: ofAddress,
  answer: list(plainHolding),
})

/** A token in the balances of an account, in units, with the kind of the token. */
export type Holding = Value<typeof holding>
/** A token in the balances of an account, in units. */
export type PlainHolding = Value<typeof plainHolding>
