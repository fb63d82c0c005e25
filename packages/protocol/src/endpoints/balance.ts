import { amount, decimals, optional, symbol, tokenId } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint, maybe, required } from './define-endpoint.ts'

/**
 * `GET /balance`. The four stake members are always native. For an unknown account or token, `tokenId` and `symbol`
 * are absent and `decimals` is 10, whatever the token has.
 */
export const balanceEndpoint = defineEndpoint({
  path: '/balance',
  parameters: { address: required('address', 'id'), tokenId: maybe('tokenId', 'token') },
  answer: record({
    amount,
    tokenId: ['token', optional(tokenId)],
    symbol: ['ticker', optional(symbol)],
    decimals,
    delegated: amount,
    stakingReward: ['reward', amount],
    inTransit: ['transit', amount],
    undelegated: amount,
  }),
})

/** Balance of an account in one token, the answer of `GET /balance`, in units. */
export type BalanceAnswer = Value<typeof balanceEndpoint.answer>
