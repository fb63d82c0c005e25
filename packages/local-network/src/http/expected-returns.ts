import { type Address, type Amount, MAX_AMOUNT, rewardPools } from '@hailstone/protocol'
import type { ApiParts } from './api-parts.ts'
import { PUBLIC_BLOCKS_PER_DAY } from './one-day.ts'

/** The public operator's list of native stakes, in coins (PROTOCOL 9.1). */
const STAKES_IN_COINS = [25n, 125n, 250n, 1250n, 2500n, 12_500n, 25_000n]

/** A miner counts as active while online and for so many blocks after its last microblock. */
const ACTIVE_BLOCKS = 20

/** A stake, and the same with the expected reward of one day on top; native units. */
export type ExpectedReturn = { readonly stake: Amount; readonly stakeAfterOneDay: Amount }

async function activeMiners({ store, minersOnline }: ApiParts): Promise<readonly Address[]> {
  const { height } = await store.tail()
  const publishers = await store.nativePublishers(height - ACTIVE_BLOCKS)
  return [...new Set([...publishers, ...minersOnline().map(({ address }) => address)])]
}

/** `Math.min` knows no bigint. */
function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/** Capped native stakes of all active miners that may mine. */
export async function totalActiveStake(parts: ApiParts, miners: readonly Address[]): Promise<bigint> {
  const { store, network } = parts
  const native = await store.token(network.ledger.nativeTokenId)
  const least = native?.mining?.minimumStake ?? 0n
  const most = network.ledger.maximumNativeStake
  const balances = await store.nativeBalances(miners)
  return [...balances.values()]
    .filter((balance) => balance >= least)
    .reduce((sum, balance) => sum + smaller(balance, most), 0n)
}

/**
 * What each stake of the list earns in a day if the pool is shared among today's miners (PROTOCOL 3.5.13). Empty
 * while nobody mines.
 */
export async function expectedReturns(parts: ApiParts): Promise<readonly ExpectedReturn[]> {
  const { store, network } = parts
  const total = await totalActiveStake(parts, await activeMiners(parts))
  const native = await store.token(network.ledger.nativeTokenId)
  if (total === 0n || native === undefined) return []
  const pool = rewardPools(native.mining?.blockReward ?? 0n, network.ledger.rewardRatio).proofOfActivity
  const coin = 10n ** BigInt(native.decimals)
  return STAKES_IN_COINS.map((coins) => {
    const stake = coins * coin
    const after = stake + (stake * pool * PUBLIC_BLOCKS_PER_DAY) / total
    return { stake: stake as Amount, stakeAfterOneDay: smaller(after, MAX_AMOUNT) as Amount }
  })
}

/** Reward of one day by stake, read off the table or between two of its lines; undefined outside of it. */
export function dailyRatio(table: readonly ExpectedReturn[], stake: number): number | undefined {
  const lines = table.map((line) => ({ stake: Number(line.stake), after: Number(line.stakeAfterOneDay) }))
  const at = lines.findIndex((line) => line.stake >= stake)
  const upper = lines[at]
  const lower = upper?.stake === stake ? upper : lines[at - 1]
  if (upper === undefined || lower === undefined) return undefined
  const share = upper === lower ? 0 : (stake - lower.stake) / (upper.stake - lower.stake)
  const after = lower.after + share * (upper.after - lower.after)
  return (after - stake) / stake
}
