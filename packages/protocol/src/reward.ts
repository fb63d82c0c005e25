import { assertArgument } from './errors/assert-argument.ts'
import { assertUnits } from './values/amount.ts'

/**
 * Arithmetic of the rewards of one macroblock (PROTOCOL 6): units in, units out, every division rounds down. The
 * ledger decides who is paid and in which order.
 */

/** Shares are in ten-thousandths. */
const WHOLE = 10_000n

/** Callers without a compiler would meet an error of the engine, or a sum of texts. */
function assertShares(shares: object, ...names: readonly string[]): void {
  for (const name of names) {
    const bps: unknown = Reflect.get(Object(shares), name)
    assertArgument(Number.isInteger(bps), name, 'a whole number of ten-thousandths', bps)
  }
}

/** The same for units. */
function assertAmounts(amounts: object, ...names: readonly string[]): void {
  for (const name of names) assertUnits(name, Reflect.get(Object(amounts), name))
}

const share = (units: bigint, bps: number): bigint => (units * BigInt(bps)) / WHOLE

/** Division of a macroblock's native reward, in ten-thousandths. */
export type RewardRatio = {
  readonly proofOfActivityBps: number
  readonly proofOfStakeBps: number
  readonly proofOfWorkBps: number
}

/** Division of the collected native fees, in ten-thousandths. The leader's share is not paid; it becomes dust. */
export type FeeShares = {
  readonly keyBlockPublisherBps: number
  readonly genesisBps: number
  readonly leaderBps: number
  readonly proofOfStakeBps: number
}

/** The three parts of the native reward. What remains pays referrals; the rest is dust. */
export type RewardPools = {
  readonly proofOfActivity: bigint
  readonly proofOfStake: bigint
  readonly proofOfWork: bigint
}

/** Returns the parts of a block reward for activity, stake and work, in units, each rounded down (PROTOCOL 6.2). */
export function rewardPools(blockReward: bigint, ratio: RewardRatio): RewardPools {
  assertUnits('blockReward', blockReward)
  assertShares(ratio, 'proofOfActivityBps', 'proofOfStakeBps', 'proofOfWorkBps')
  return {
    proofOfActivity: share(blockReward, ratio.proofOfActivityBps),
    proofOfStake: share(blockReward, ratio.proofOfStakeBps),
    proofOfWork: share(blockReward, ratio.proofOfWorkBps),
  }
}

/**
 * Returns the mining pool of a custom token: its block reward without the referral part (PROTOCOL 6.2). Zero once the
 * supply has no room for a full block reward, so the last remainder is never mined.
 */
export function tokenMiningPool(parameters: {
  readonly blockReward: bigint
  readonly maxSupply: bigint
  readonly totalSupply: bigint
  readonly referralShareBps: number
}): bigint {
  assertAmounts(parameters, 'blockReward', 'maxSupply', 'totalSupply')
  assertShares(parameters, 'referralShareBps')
  const { blockReward, maxSupply, totalSupply, referralShareBps } = parameters
  if (blockReward > maxSupply - totalSupply) return 0n
  return (blockReward * WHOLE) / (WHOLE + BigInt(referralShareBps))
}

/** Returns one stake's part of a pool; zero if there is no stake at all. */
export function stakeShare(parameters: {
  readonly stake: bigint
  readonly pool: bigint
  readonly totalStake: bigint
}): bigint {
  assertAmounts(parameters, 'stake', 'pool', 'totalStake')
  const { stake, pool, totalStake } = parameters
  return totalStake === 0n ? 0n : (stake * pool) / totalStake
}

/**
 * Status of an agent at payment: `qualified` has a balance row in the mined token and at least the referrer stake,
 * `unqualified` has the row only, `absent` has no row or was not named.
 */
export type ReferralAgentStatus = 'qualified' | 'unqualified' | 'absent'

/** Parts of a referral reward in units of the mined token. Their sum is the referral reward. */
export type ReferralReward = {
  readonly publisher: bigint
  readonly agent: bigint
  readonly owner: bigint
  /** The odd unit left by halving. */
  readonly dust: bigint
}

/** Returns what one microblock pays in addition because of its referral agent (PROTOCOL 6.4). */
export function referralReward(parameters: {
  readonly microblockReward: bigint
  readonly referralShareBps: number
  readonly agent: ReferralAgentStatus
}): ReferralReward {
  assertAmounts(parameters, 'microblockReward')
  assertShares(parameters, 'referralShareBps')
  const total = share(parameters.microblockReward, parameters.referralShareBps)
  if (parameters.agent === 'absent') return { publisher: 0n, agent: 0n, owner: total, dust: 0n }
  const half = total / 2n
  const dust = total - 2n * half
  return parameters.agent === 'qualified'
    ? { publisher: half, agent: half, owner: 0n, dust }
    : { publisher: half, agent: 0n, owner: half, dust }
}

/** Divides a stake pool's part of a reward between owner and delegators (PROTOCOL 6.5). */
export function stakePoolSplit(parameters: {
  readonly reward: bigint
  readonly feeBps: number
  readonly stakes: readonly bigint[]
}): { readonly owner: bigint; readonly delegators: readonly bigint[] } {
  assertAmounts(parameters, 'reward')
  assertShares(parameters, 'feeBps')
  const { reward, feeBps, stakes } = parameters
  const areUnits = Array.isArray(stakes) && stakes.every((stake) => typeof stake === 'bigint')
  assertArgument(areUnits, 'stakes', 'bigints of units, such as [25n]', stakes)
  const owner = share(reward, feeBps)
  const totalStake = stakes.reduce((sum, stake) => sum + stake, 0n)
  return { owner, delegators: stakes.map((stake) => stakeShare({ stake, pool: reward - owner, totalStake })) }
}

/** Returns the shares of the collected native fees that are paid (PROTOCOL 6.6). */
export function feePools(
  fees: bigint,
  shares: FeeShares,
): { readonly keyBlockPublisher: bigint; readonly genesis: bigint; readonly proofOfStake: bigint } {
  assertUnits('fees', fees)
  assertShares(shares, 'keyBlockPublisherBps', 'genesisBps', 'leaderBps', 'proofOfStakeBps')
  return {
    keyBlockPublisher: share(fees, shares.keyBlockPublisherBps),
    genesis: share(fees, shares.genesisBps),
    proofOfStake: share(fees, shares.proofOfStakeBps),
  }
}
