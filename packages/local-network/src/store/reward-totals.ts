import type { RecordType } from '@hailstone/ledger'
import type { Hash, TokenId } from '@hailstone/protocol'
import type { MacroblockClosing, PaidRewards } from './chain-store.ts'
import type { Queries } from './queries.ts'

/** Role that a reward is counted for; transfers, claims and shares of fees have none. */
const paidTo: Partial<Record<RecordType, keyof PaidRewards>> = {
  im: 'miners',
  iref: 'miners',
  ik: 'keyBlocks',
  istat: 'stakePools',
}

/** Largest value of a column of heights. */
const HIGHEST = 2_147_483_647

const nothing: PaidRewards = { miners: 0n, keyBlocks: 0n, stakePools: 0n }

/** Referral rewards are recorded in the mined token, so those of other tokens than the native one are left out. */
function rewardsOf({ macroblock, closed }: MacroblockClosing, nativeTokenId: TokenId): PaidRewards {
  const tokenOf = new Map<Hash, TokenId>(macroblock.microblocks.map(({ hash, tokenId }) => [hash, tokenId]))
  const paid = { ...nothing }
  for (const { type, hash, value } of closed.report.records) {
    const receiver = paidTo[type]
    if (receiver !== undefined && (tokenOf.get(hash) ?? nativeTokenId) === nativeTokenId)
      paid[receiver] += value
  }
  return paid
}

/** Of all macroblocks up to the height; nothing before the first one. */
async function totalsUpTo(queries: Queries, height: number): Promise<PaidRewards> {
  const row = await queries
    .selectFrom('reward_total')
    .selectAll()
    .where('height', '<=', height)
    .orderBy('height', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined
    ? nothing
    : { miners: row.miners, keyBlocks: row.key_blocks, stakePools: row.stake_pools }
}

/** Part of storing a macroblock. */
export async function addRewardTotals(
  queries: Queries,
  closing: MacroblockClosing,
  nativeTokenId: TokenId,
): Promise<void> {
  const { height } = closing.macroblock.keyBlock
  const before = await totalsUpTo(queries, height - 1)
  const paid = rewardsOf(closing, nativeTokenId)
  const row = {
    height,
    miners: before.miners + paid.miners,
    key_blocks: before.keyBlocks + paid.keyBlocks,
    stake_pools: before.stakePools + paid.stakePools,
  }
  await queries.insertInto('reward_total').values(row).execute()
}

/** Native units paid by the macroblocks from the height on: the difference of two rows, however many there are. */
export async function rewardsSince(queries: Queries, height: number): Promise<PaidRewards> {
  const all = await totalsUpTo(queries, HIGHEST)
  const before = await totalsUpTo(queries, height - 1)
  return {
    miners: all.miners - before.miners,
    keyBlocks: all.keyBlocks - before.keyBlocks,
    stakePools: all.stakePools - before.stakePools,
  }
}
