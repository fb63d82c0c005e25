import {
  type ContractOrder,
  encodeContractOrder,
  formatAmount,
  parseAmount,
  tokenOrder,
} from '@hailstone/protocol'

/** A mineable token as a partner types it; amounts are coins, such as `1000` or `0.5`. */
export type TokenWish = {
  /** 1 to 6 capital letters. */
  readonly symbol: string
  /** Up to 40 of `0-9 a-z A-Z blank _ - / .`. */
  readonly name: string
  /** 0 to 10. */
  readonly decimals: number
  /** Coins that the creator gets. */
  readonly supply: string
  /** Coins that there will ever be. */
  readonly maxSupply: string
  /** Coins that a block pays, the referral rewards included. */
  readonly blockReward: string
  /** Coins that a miner and a referral agent have to hold. */
  readonly minimumStake: string
}

/** Share of each reward that goes to the agent, in ten-thousandths. */
const REFERRAL_SHARE_BPS = 1000

/**
 * Returns the order that creates the token.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `AMOUNT_MALFORMED`, `AMOUNT_TOO_PRECISE`, `AMOUNT_OUT_OF_RANGE`
 */
function orderOfWish(wish: TokenWish): Extract<ContractOrder, { type: 'create_token' }> {
  const { symbol, name, decimals } = wish
  const units = (coins: string): bigint => parseAmount(coins, { decimals })
  const minimumStake = units(wish.minimumStake)
  const order = tokenOrder({
    symbol,
    name,
    decimals,
    supply: units(wish.supply),
    mining: {
      maxSupply: units(wish.maxSupply),
      blockReward: units(wish.blockReward),
      minimumStake,
      referrerStake: minimumStake,
      referralShareBps: REFERRAL_SHARE_BPS,
    },
  })
  if (order.type !== 'create_token') throw new TypeError('the order creates a token')
  return order
}

/** Returns the encoded order, for `data` of the transaction. */
export const dataOfWish = (wish: TokenWish): string => encodeContractOrder(orderOfWish(wish))

/** Returns the command that creates the same token on a local network. */
export const commandOfWish = (wish: TokenWish): string =>
  [
    'hailstone-network token create --as token-owner --mineable',
    `--symbol ${wish.symbol} --name '${wish.name}' --decimals ${wish.decimals}`,
    `--supply ${wish.supply} --max-supply ${wish.maxSupply}`,
    `--block-reward ${wish.blockReward} --min-stake ${wish.minimumStake}`,
  ].join(' ')

/** Returns sentences on the effect of an order, decoded from the bytes that are signed. */
export function linesOfOrder({ token }: Extract<ContractOrder, { type: 'create_token' }>): readonly string[] {
  const coins = (units: bigint): string => `${formatAmount(units, token)} ${token.symbol}`
  const { mining } = token
  return [
    `It creates ${token.symbol}${token.caption ? ` (${token.caption})` : ''} with ${token.decimals} decimals.`,
    `The account that signs gets ${coins(token.totalSupply)} and is the owner of the token.`,
    ...(mining === null
      ? []
      : [
          `A block pays ${coins(mining.blockReward)}, until there are ${coins(mining.maxSupply)}.`,
          `A miner has to hold ${coins(mining.minimumStake)}, an agent ${coins(mining.referrerStake)} for ${mining.referralShareBps / 100}% of each reward.`,
        ]),
    'None of this can be changed later.',
  ]
}
