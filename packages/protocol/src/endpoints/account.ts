import { address, amount, count, decimals, flag, list, orNull, symbol, tokenId } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint, maybe, required } from './define-endpoint.ts'

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

const agentInfo = record({
  id: address,
  referralCount: ['ref_count', count],
  referralReward: ['ref_reward', orNull(amount)],
  keyBlockReward: ['k_reward', orNull(amount)],
  statBlockReward: ['s_reward', orNull(amount)],
  calculatedAt: ['lastcalc', count],
})

/** `GET /stat/agent_info`: figures of the last 24 hours; an empty body if they were never computed. */
export const agentInfoEndpoint = defineEndpoint({
  path: '/stat/agent_info',
  parameters: { address: maybe('address', 'id') },
  answer: agentInfo,
  mayBeEmpty: true,
})

/** A token in the balances of an account, in units, with the kind of the token. */
export type Holding = Value<typeof holding>
/** A token in the balances of an account, in units. */
export type PlainHolding = Value<typeof plainHolding>
/**
 * Figures of an account for 24 hours, computed by the node now and then: number of miners it referred, and its
 * rewards.
 */
export type AgentInfo = Value<typeof agentInfo>
