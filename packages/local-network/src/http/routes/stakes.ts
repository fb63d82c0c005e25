import {
  type Amount,
  activeStakeEndpoint,
  type DelegatedStake,
  delegationPageEndpoint,
  delegationsEndpoint,
  delegatorPageEndpoint,
  delegatorsEndpoint,
  type Hash,
  ownedPoolsEndpoint,
  rewardPools,
  stakePoolCountEndpoint,
  stakePoolEndpoint,
  stakePoolNamesEndpoint,
  stakePoolPageEndpoint,
  stakePoolsEndpoint,
  topDelegatorsEndpoint,
  totalStakeEndpoint,
  undelegationPageEndpoint,
  undelegationsEndpoint,
} from '@hailstone/protocol'
import type { ApiParts } from '../api-parts.ts'
import { PUBLIC_BLOCKS_PER_DAY } from '../one-day.ts'
import { LIST_SIZE, pageCount, pageOrFirst } from '../page-number.ts'
import { type Route, route } from '../route.ts'
import { partOf, type StakeFigures, stakeFigures } from '../stake-figures.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
/** The public database divides to four decimal places. */
const SHARE_UNITS = 10_000
const VOTING_BLOCKS = Number(PUBLIC_BLOCKS_PER_DAY)

async function stakeReward({ store, network }: ApiParts): Promise<bigint> {
  const native = await store.token(network.ledger.nativeTokenId)
  return rewardPools(native?.mining?.blockReward ?? 0n, network.ledger.rewardRatio).proofOfStake
}

/** Votes are counted in the macroblocks of a day, as far as there are so many. */
export async function currentStakes(parts: ApiParts): Promise<StakeFigures> {
  const { height } = await parts.store.tail()
  const sinceHeight = Math.max(0, height - VOTING_BLOCKS)
  return stakeFigures({
    pools: await parts.store.stakePools(sinceHeight),
    blocks: height - sinceHeight,
    rewardPerBlock: await stakeReward(parts),
    blocksPerYear: YEAR_MS / parts.blockTimeMs,
  })
}

const orNull = (units: bigint | null): Amount | null => units as Amount | null

async function allPools(parts: ApiParts) {
  const { pools, totalStake, activeTotalStake, effectiveTotalStake } = await currentStakes(parts)
  return {
    dailyReward: ((await stakeReward(parts)) * PUBLIC_BLOCKS_PER_DAY) as Amount,
    totalStake: orNull(totalStake),
    activeTotalStake: orNull(activeTotalStake),
    effectiveTotalStake: orNull(effectiveTotalStake),
    pools,
  }
}

/** A page of a list, and how many there are. */
function pageOf<T>(entries: readonly T[], pageText: string | undefined) {
  const page = pageOrFirst(pageText, 'page')
  return {
    entries: entries.slice(page * LIST_SIZE, (page + 1) * LIST_SIZE),
    pageCount: pageCount(entries.length),
  }
}

async function ownedPools({ store }: ApiParts, owner: string) {
  const pools = (await store.stakePools(0)).filter((pool) => pool.owner === owner.toLowerCase())
  return pools
    .map(({ id, feeBps, stake, name, ...pool }) => ({
      id,
      owner: pool.owner,
      feeBps,
      stake: (stake ?? 0n) as Amount,
      name,
    }))
    .sort((a, b) => (a.id > b.id ? -1 : 1))
}

async function delegatorPage({ store }: ApiParts, poolId: string, page: string | undefined) {
  const all = await store.delegatorsOf(poolId)
  const { entries, pageCount } = pageOf(all, page)
  const stake = sum(all)
  const delegators = entries.map(({ delegator, amount }) => ({
    delegator,
    amount: amount as Amount,
    share: Math.round(partOf(amount, stake) * SHARE_UNITS) / SHARE_UNITS,
  }))
  return { delegators, pageCount }
}

async function topDelegators(parts: ApiParts) {
  const { totalStake } = await currentStakes(parts)
  const top = await parts.store.topDelegators(LIST_SIZE)
  return {
    delegators: top.map(({ delegator, amount, reward }) => ({
      account: delegator,
      stake: amount as Amount,
      reward: reward as Amount,
      percent: 100 * partOf(amount, totalStake ?? 0n),
    })),
  }
}

/** Number of blocks for which undelegated coins stay locked. */
async function leavingOf({ store, network }: ApiParts, account: string) {
  const { height } = await store.tail()
  const leaving = await store.undelegationsOf(account)
  return leaving.map((one) => ({ ...one, isLocked: height < one.height + network.transferLockBlocks }))
}

type PoolShare = Pick<DelegatedStake, 'delegated' | 'undelegated' | 'inTransit' | 'reward'>

const nothing: PoolShare = {
  delegated: 0n as Amount,
  undelegated: 0n as Amount,
  inTransit: 0n as Amount,
  reward: 0n as Amount,
}

const sum = (units: readonly { readonly amount: bigint }[]): Amount =>
  units.reduce((total, { amount }) => total + amount, 0n) as Amount

/** Pools with a delegation come first, then those that only hold undelegated coins. */
async function delegatedStakes(parts: ApiParts, account: string): Promise<readonly DelegatedStake[]> {
  const delegations = (await parts.store.delegationsOf(account)).filter(
    ({ amount, reward }) => amount > 0n || reward > 0n,
  )
  const leaving = await leavingOf(parts, account)
  const shares = new Map<Hash, PoolShare>()
  for (const { poolId, amount, reward } of delegations)
    shares.set(poolId, { ...nothing, delegated: amount as Amount, reward: reward as Amount })
  for (const poolId of new Set(leaving.map((one) => one.poolId))) {
    const ofPool = leaving.filter((one) => one.poolId === poolId)
    shares.set(poolId, {
      ...(shares.get(poolId) ?? nothing),
      undelegated: sum(ofPool.filter(({ isLocked }) => !isLocked)),
      inTransit: sum(ofPool.filter(({ isLocked }) => isLocked)),
    })
  }
  const { pools } = await currentStakes(parts)
  return [...shares].flatMap(([poolId, share]) => {
    const pool = pools.find(({ id }) => id === poolId)
    if (pool === undefined) return []
    const { rank, owner, feeBps, stake, stakePower } = pool
    return [{ rank, poolId, owner, feeBps, stake, stakePower, ...share }]
  })
}

const undelegatedStakes = async (parts: ApiParts, account: string) =>
  (await leavingOf(parts, account)).map(({ id, poolId, amount, height, time, isLocked }) => ({
    transactionHash: id,
    poolId,
    amount: amount as Amount,
    height,
    time,
    isLocked,
  }))

export const stakeRoutes = (parts: ApiParts): readonly Route[] => [
  route(stakePoolsEndpoint, () => allPools(parts)),
  route(stakePoolPageEndpoint, async ({ page }) => {
    const { entries: pools, pageCount } = pageOf((await currentStakes(parts)).pools, page)
    return { pools, pageCount }
  }),
  route(stakePoolCountEndpoint, async () => ({ count: (await parts.store.stakePools(0)).length })),
  route(stakePoolNamesEndpoint, async () =>
    (await parts.store.stakePools(0)).map(({ id, name }) => ({ id, name })),
  ),
  route(activeStakeEndpoint, async () => ({
    activeTotalStake: orNull((await currentStakes(parts)).activeTotalStake),
  })),
  route(delegationsEndpoint, ({ delegator = '' }) => delegatedStakes(parts, delegator)),
  route(undelegationsEndpoint, ({ delegator = '' }) => undelegatedStakes(parts, delegator)),
  route(totalStakeEndpoint, async () => ({ totalStake: orNull((await currentStakes(parts)).totalStake) })),
  route(ownedPoolsEndpoint, ({ owner = '' }) => ownedPools(parts, owner)),
  route(stakePoolEndpoint, async ({ poolId = '' }) =>
    (await currentStakes(parts)).pools.filter(({ id }) => id === poolId.toLowerCase()),
  ),
  route(delegatorsEndpoint, async ({ poolId = '' }) =>
    (await parts.store.delegatorsOf(poolId)).map(({ delegator, amount, reward }) => ({
      poolId: poolId.toLowerCase() as Hash,
      delegator,
      amount: amount as Amount,
      reward: reward as Amount,
    })),
  ),
  route(delegatorPageEndpoint, ({ poolId = '', page }) => delegatorPage(parts, poolId, page)),
  route(delegationPageEndpoint, async ({ delegator = '', page }) => {
    const { entries: delegations, pageCount } = pageOf(await delegatedStakes(parts, delegator), page)
    return { delegations, pageCount }
  }),
  route(undelegationPageEndpoint, async ({ delegator = '', page }) => {
    const { entries: undelegations, pageCount } = pageOf(await undelegatedStakes(parts, delegator), page)
    return { undelegations, pageCount }
  }),
  route(topDelegatorsEndpoint, () => topDelegators(parts)),
]
