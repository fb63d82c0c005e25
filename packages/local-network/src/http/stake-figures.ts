import type { Amount, StakePoolAnswer } from '@hailstone/protocol'
import type { StakePoolState } from '../store/index.ts'

export type StakeSums = {
  readonly totalStake: bigint | null
  /** Of pools that voted within the window. */
  readonly activeTotalStake: bigint | null
  /** Each pool's stake times its uptime, rounded. */
  readonly effectiveTotalStake: bigint | null
}

export type StakeFigures = StakeSums & {
  /** The largest stake first. */
  readonly pools: readonly StakePoolAnswer[]
}

export type StakeParameters = {
  readonly pools: readonly StakePoolState[]
  /** Macroblocks that votes were counted in. */
  readonly blocks: number
  /** Units for all pools in one macroblock. */
  readonly rewardPerBlock: bigint
  readonly blocksPerYear: number
}

const WHOLE = 10_000

/** Null for no summands, as a database sums. */
const sumOf = (units: readonly bigint[]): bigint | null =>
  units.length === 0 ? null : units.reduce((sum, one) => sum + one, 0n)

const stakesOf = (pools: readonly StakePoolState[]): readonly bigint[] =>
  pools.flatMap(({ stake }) => (stake === null ? [] : [stake]))

const share = (part: number, whole: bigint | null): number | null =>
  whole === null || whole === 0n ? null : part / Number(whole)

/** Part of a whole as a double; 0 of nothing. */
export const partOf = (units: bigint, whole: bigint): number => share(Number(units), whole) ?? 0

const uptimeOf = ({ votes }: StakePoolState, blocks: number): number => (blocks === 0 ? 0 : votes / blocks)

const effectiveStakeOf = (pool: StakePoolState, blocks: number): number =>
  Number(pool.stake ?? 0n) * uptimeOf(pool, blocks)

export function stakeSums({ pools, blocks }: Pick<StakeParameters, 'pools' | 'blocks'>): StakeSums {
  const active = pools.filter(({ votes }) => votes > 0)
  return {
    totalStake: sumOf(stakesOf(pools)),
    activeTotalStake: sumOf(stakesOf(active)),
    effectiveTotalStake: sumOf(active.map((pool) => BigInt(Math.round(effectiveStakeOf(pool, blocks))))),
  }
}

/** A year's reward of a delegator in ten-thousandths of the stake; 0 where nothing is paid. */
function yearlyReturn(
  pool: StakePoolState,
  effectivePower: number | null,
  { rewardPerBlock, blocksPerYear }: StakeParameters,
): number {
  const reward = Number(rewardPerBlock) * blocksPerYear * (effectivePower ?? 0)
  const bps = Math.round((reward / Number(pool.stake ?? 0n)) * WHOLE * (1 - pool.feeBps / WHOLE))
  return Number.isSafeInteger(bps) ? bps : 0
}

function standingOf(
  pool: StakePoolState,
  rank: number,
  parameters: StakeParameters,
  sums: StakeSums,
): StakePoolAnswer {
  const stake = pool.stake ?? 0n
  const isActive = pool.votes > 0
  const effectiveStake = effectiveStakeOf(pool, parameters.blocks)
  const effectiveStakePower = share(effectiveStake, sums.effectiveTotalStake)
  const rivals = sums.activeTotalStake === null ? null : sums.activeTotalStake + stake
  return {
    rank,
    isActive,
    id: pool.id,
    owner: pool.owner,
    name: pool.name,
    feeBps: pool.feeBps,
    stake: stake as Amount,
    effectiveStake,
    stakePower: share(Number(stake), sums.totalStake),
    effectiveStakePower,
    activeStakePower: isActive ? share(Number(stake), sums.activeTotalStake) : 0,
    activeStakeShare: isActive ? 0 : share(Number(stake), rivals),
    yearlyReturnBps: yearlyReturn(pool, effectiveStakePower, parameters),
    uptime: uptimeOf(pool, parameters.blocks),
  }
}

function byStake(a: StakePoolState, b: StakePoolState): number {
  const [left, right] = [a.stake ?? 0n, b.stake ?? 0n]
  if (left !== right) return left > right ? -1 : 1
  return a.id > b.id ? -1 : 1
}

/** Ranks, shares and expected returns of all stake pools (PROTOCOL 3.5.22). */
export function stakeFigures(parameters: StakeParameters): StakeFigures {
  const sums = stakeSums(parameters)
  const pools = [...parameters.pools]
    .sort(byStake)
    .map((pool, at) => standingOf(pool, at + 1, parameters, sums))
  return { ...sums, pools }
}
