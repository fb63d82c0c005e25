import { type Amount, defineEndpoint, required, type TokenId } from '@hailstone/protocol'
import { amount, decimals, flag, list, orNull, record, text, tokenId } from '@hailstone/protocol/schema'
import type { ClientCore } from '../client-core.ts'
import { type GetTokenParameters, readToken } from './read-token.ts'

/** Requirements for mining a token. The last two are null if the token has no such rule. */
export type MiningRules = {
  readonly id: TokenId
  /** Short name of the token. */
  readonly symbol: string
  /** Decimals of the token, 0 to 10. */
  readonly decimals: number
  /** True if the token is mined, as the native token is. */
  readonly isMineable: boolean
  /** Units that a miner has to hold; null when the network does not say. */
  readonly minimumStake: Amount | null
  /** Units that an agent has to hold; null when the network does not say. */
  readonly referrerStake: Amount | null
}

/** Reads only the members that a miner needs, so that pages that mine load no more. */
const rulesEndpoint = defineEndpoint({
  path: '/token_info',
  parameters: { tokenId: required('tokenId', 'hash') },
  answer: list(
    record({
      id: ['hash', tokenId],
      symbol: ['ticker', text],
      decimals,
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
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`, `DECIMALS_DIFFER`
 */
export const getMiningRules = (
  client: ClientCore,
  parameters: GetTokenParameters,
): Promise<MiningRules | undefined> => readToken(client, rulesEndpoint, parameters)
