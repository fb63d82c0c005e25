import {
  circulatingSupplyEndpoint,
  difficultyEndpoint,
  eligibleMinersEndpoint,
  hashRateEndpoint,
  maximumSupplyEndpoint,
  totalSupplyEndpoint,
  transactionsPerSecondEndpoint,
} from '@hailstone/protocol'
import type { ApiParts } from '../api-parts.ts'
import { difficultyText } from '../chain-statistics.ts'
import { PUBLIC_BLOCKS_PER_DAY } from '../one-day.ts'
import { type Route, route } from '../route.ts'

/** Window of `/tps`, in seconds. */
const WINDOW_SECONDS = 300
/** Key blocks that `/difficulty` takes the mean of. */
const DIFFICULTY_BLOCKS = 100
const COIN_DECIMALS = 10

/** Coins with all ten digits after the point, as price services expect them. */
function coinText(units: bigint): string {
  const digits = units.toString().padStart(COIN_DECIMALS + 1, '0')
  return `${digits.slice(0, -COIN_DECIMALS)}.${digits.slice(-COIN_DECIMALS)}`
}

async function transactionsPerSecond({ store, clock }: ApiParts): Promise<number> {
  const since = Math.floor(clock.now() / 1000) - WINDOW_SECONDS
  return Math.round((await store.transactionsSince(since)) / WINDOW_SECONDS)
}

async function supply({ store, network }: ApiParts) {
  const { nativeTokenId, genesis } = network.ledger
  const native = await store.token(nativeTokenId)
  const total = native?.totalSupply ?? 0n
  const held = (await store.balance(genesis, nativeTokenId)) ?? 0n
  return { total, circulating: total - held, maximum: native?.mining?.maxSupply ?? 0n }
}

async function eligibleMiners({ store, network }: ApiParts): Promise<number> {
  const native = await store.token(network.ledger.nativeTokenId)
  return store.accountsHolding(network.ledger.nativeTokenId, native?.mining?.minimumStake ?? 0n)
}

async function hashRate({ store }: ApiParts): Promise<string> {
  const mean = await store.meanDifficulty(Number(PUBLIC_BLOCKS_PER_DAY))
  return String(2 ** Number(difficultyText(mean ?? 0)))
}

export const figureRoutes = (parts: ApiParts): readonly Route[] => [
  route(transactionsPerSecondEndpoint, async () => ({
    transactionsPerSecond: await transactionsPerSecond(parts),
  })),
  route(difficultyEndpoint, async () => {
    const mean = await parts.store.meanDifficulty(DIFFICULTY_BLOCKS)
    return { difficulty: mean === undefined ? -1 : difficultyText(mean) }
  }),
  route(eligibleMinersEndpoint, async () => ({ count: await eligibleMiners(parts) })),
  route(circulatingSupplyEndpoint, async () => coinText((await supply(parts)).circulating)),
  route(totalSupplyEndpoint, async () => coinText((await supply(parts)).total)),
  route(maximumSupplyEndpoint, async () => coinText((await supply(parts)).maximum)),
  route(hashRateEndpoint, () => hashRate(parts)),
]
