import { type Hash, stakePoolSplit, stakeShare } from '@hailstone/protocol'
import type { StakePool } from './ledger-view.ts'
import type { BlockReward } from './pay-microblocks.ts'
import { type Payout, record, sum } from './payout.ts'

/** A statblock with the pool that signed it, and the coins delegated to that pool. */
type Vote = { readonly statBlockHash: Hash; readonly pool: StakePool | undefined; readonly stake: bigint }

function votesOf({ draft, macroblock }: Payout): readonly Vote[] {
  return macroblock.statBlocks.map(({ hash, publisher }) => ({
    statBlockHash: hash,
    pool: draft.stakePool(publisher),
    stake: sum(Array.from(draft.delegations(publisher), ({ amount }) => amount)),
  }))
}

/** Pays a pool's owner into its balance and the delegators into their claims; answers the units paid. */
function payStakePool(payout: Payout, pool: StakePool, reward: bigint, recordHash: Hash): bigint {
  const { draft, native, delegatorRewards } = payout
  const delegations = [...draft.delegations(pool.id)]
  const stakes = delegations.map(({ amount }) => amount)
  const { owner, delegators } = stakePoolSplit({ reward, feeBps: pool.feeBps, stakes })
  if (owner > 0n) draft.credit(pool.owner, native.id, owner)
  record(payout, 'iv', pool.owner, { hash: recordHash, value: owner })
  delegations.forEach((delegation, at) => {
    const amount = delegators[at] ?? 0n
    if (amount === 0n) return
    draft.putDelegation({ ...delegation, reward: delegation.reward + amount })
    delegatorRewards.push({ poolId: pool.id, delegator: delegation.delegator, amount })
  })
  return owner + sum(delegators)
}

/**
 * Pays the proof-of-stake pool to the contracts that voted, by their stakes (PROTOCOL 6.5). What an unknown pool
 * or pools without any stake would get is left for dust.
 */
export function payStatBlocks(payout: Payout, proofOfStakePool: bigint): readonly BlockReward[] {
  const votes = votesOf(payout)
  const totalStake = sum(votes.map(({ stake }) => stake))
  return votes.map(({ pool, statBlockHash: hash, stake }) => {
    if (pool === undefined) return { hash, reward: 0n }
    const value = stakeShare({ stake, pool: proofOfStakePool, totalStake })
    payout.paid.ofBlockReward += payStakePool(payout, pool, value, hash)
    record(payout, 'istat', pool.id, { hash, value })
    return { hash, reward: value }
  })
}

/** Pays the contracts' share of the fees, like their reward but named after the key block (PROTOCOL 6.6). */
export function payStakePoolFees(payout: Payout, proofOfStakeFees: bigint): void {
  const votes = votesOf(payout)
  const totalStake = sum(votes.map(({ stake }) => stake))
  for (const { pool, stake } of votes) {
    if (pool === undefined) continue
    const value = stakeShare({ stake, pool: proofOfStakeFees, totalStake })
    payout.paid.ofFees += payStakePool(payout, pool, value, payout.macroblock.keyBlock.hash)
  }
}
