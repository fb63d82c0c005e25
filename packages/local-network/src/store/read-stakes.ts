import type { Address, Hash } from '@hailstone/protocol'
import type { Reads } from './reads.ts'

export const stakeReads = {
  async stakePools(queries, sinceHeight) {
    const pools = await queries.selectFrom('stake_pool').selectAll().execute()
    const stakes = await queries
      .selectFrom('delegation')
      .select(['pool_id', ({ fn }) => fn.sum<bigint>('amount').as('stake')])
      .groupBy('pool_id')
      .execute()
    const votes = await queries
      .selectFrom('stat_block')
      .select(['publisher', ({ fn }) => fn.countAll<bigint>().as('count')])
      .where('height', '>=', sinceHeight)
      .groupBy('publisher')
      .execute()
    const stakeOf = new Map(stakes.map((row) => [row.pool_id, row.stake]))
    const votesOf = new Map(votes.map((row) => [row.publisher, Number(row.count)]))
    return pools.map((row) => ({
      id: row.id as Hash,
      owner: row.owner as Address,
      feeBps: row.fee_bps,
      name: row.name,
      stake: stakeOf.get(row.id) ?? null,
      votes: votesOf.get(row.id) ?? 0,
    }))
  },
  async delegationsOf(queries, account) {
    const rows = await queries
      .selectFrom('delegation')
      .selectAll()
      .where('delegator', '=', account.toLowerCase())
      .execute()
    return rows.map((row) => ({ poolId: row.pool_id as Hash, amount: row.amount, reward: row.reward }))
  },
  async delegatorsOf(queries, poolId) {
    const rows = await queries
      .selectFrom('delegation')
      .select(['delegator', 'amount', 'reward'])
      .where('pool_id', '=', poolId.toLowerCase())
      .where((where) => where.or([where('amount', '>', 0n), where('reward', '>', 0n)]))
      .orderBy('amount', 'desc')
      .orderBy('delegator')
      .execute()
    return rows.map((row) => ({ ...row, delegator: row.delegator as Address }))
  },
  async topDelegators(queries, limit) {
    const rows = await queries
      .selectFrom('delegation')
      .select(({ fn }) => [
        'delegator',
        fn.sum<bigint>('amount').as('amount'),
        fn.sum<bigint>('reward').as('reward'),
      ])
      .groupBy('delegator')
      .orderBy('amount', 'desc')
      .orderBy('delegator')
      .limit(limit)
      .execute()
    return rows.map((row) => ({ ...row, delegator: row.delegator as Address }))
  },
  async undelegationsOf(queries, account) {
    const rows = await queries
      .selectFrom('undelegation')
      .innerJoin('key_block', 'key_block.height', 'undelegation.height')
      .selectAll('undelegation')
      .select('key_block.time')
      .where('delegator', '=', account.toLowerCase())
      .where('is_claimed', '=', false)
      .orderBy('amount', 'desc')
      .orderBy('id')
      .execute()
    return rows.map((row) => ({
      id: row.id as Hash,
      poolId: row.pool_id as Hash,
      amount: row.amount,
      height: row.height,
      time: Number(row.time),
    }))
  },
} satisfies Reads
