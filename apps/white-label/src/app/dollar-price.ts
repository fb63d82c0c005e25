import type { TokenId } from '@hailstone/protocol'
import type { MiningHost } from '../host/mining-host.ts'
import { createSeenSource, type SeenSource } from './seen-source.ts'

/** Price of one coin as the network reported it. */
export type DollarPrice = {
  /** US dollars times ten to the power of `decimals`. */
  readonly price: bigint
  readonly decimals: number
  readonly source: 'exchange' | 'service'
  /** Unix milliseconds of the reading. */
  readonly readAtMs: number
}

const READ_EVERY_MS = 5 * 60_000
const KEPT_MS = 60 * 60_000
/** No price has more, and a power of ten with any number of digits would fill the memory. */
const MAX_DECIMALS = 30

type Client = Pick<MiningHost['client'], 'getToken'>
type Reading = Pick<NonNullable<Awaited<ReturnType<Client['getToken']>>>, 'rawPrice'>

/** Returns the price of a reading: that of the exchange, else that of the price service; null for none. */
export function priceOf({ rawPrice }: Reading, readAtMs: number): DollarPrice | null {
  const { exchange = null, coinGecko = null, decimals = null } = rawPrice ?? {}
  if (decimals === null || decimals < 0 || decimals > MAX_DECIMALS) return null
  const source = exchange !== null && exchange > 0 ? 'exchange' : 'service'
  const price = source === 'exchange' ? exchange : coinGecko
  return price !== null && price > 0 ? { price: BigInt(price), decimals, source, readAtMs } : null
}

/** Returns the worth of an amount in whole cents, never rounded up. */
export const centsOf = (
  units: bigint,
  { price, decimals }: Pick<DollarPrice, 'price' | 'decimals'>,
  tokenDecimals: number,
): bigint => (units * price * 100n) / 10n ** BigInt(decimals + tokenDecimals)

/** Returns a price up to an hour after its reading. One that was read in the future is of another clock. */
export const agedAt = (price: DollarPrice | null, nowMs: number): DollarPrice | null =>
  price !== null && nowMs >= price.readAtMs && nowMs - price.readAtMs <= KEPT_MS ? price : null

/** Follows the price of a token. It is gone an hour after the last reading. */
export const openDollarPrice = (client: Client, tokenId: TokenId): SeenSource<DollarPrice | null> =>
  createSeenSource<DollarPrice | null>(null, {
    everyMs: READ_EVERY_MS,
    read: async () => {
      const token = await client.getToken({ tokenId })
      // A node without the token or its price says nothing about the price that was read, which ages.
      return (before) => (token && priceOf(token, Date.now())) ?? before
    },
    agedAt,
  })
