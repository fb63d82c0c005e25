import { type Amount, defineEndpoint, required, type TokenId } from '@hailstone/protocol'
import { amount, count, flag, list, orNull, record, text, tokenId } from '@hailstone/protocol/schema'
import type { ClientCore } from '../client-core.ts'
import { type GetTokenParameters, readToken } from './read-token.ts'

/** What mining a token asks; the last two are null where the token has no such rule. */
export type MiningRules = {
  readonly id: TokenId
  readonly symbol: string
  readonly decimals: number
  readonly isMineable: boolean
  readonly minimumStake: Amount | null
  readonly referrerStake: Amount | null
}

/** What a miner needs of a token: pages that mine need not carry the rest. */
const rulesEndpoint = defineEndpoint({
  path: '/token_info',
  parameters: { tokenId: required('tokenId', 'hash') },
  answer: list(
    record({
      id: ['hash', tokenId],
      symbol: ['ticker', text],
      decimals: count,
      isMineable: ['minable', flag],
      minimumStake: ['min_stake', orNull(amount)],
      referrerStake: ['referrer_stake', orNull(amount)],
    }),
  ),
})

/**
 * Reads what mining a token asks; undefined when the network does not know it.
 *
 * Source: `GET /token_info`, as `getToken`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getMiningRules = (
  client: ClientCore,
  parameters: GetTokenParameters,
): Promise<MiningRules | undefined> => readToken(client, rulesEndpoint, parameters)
