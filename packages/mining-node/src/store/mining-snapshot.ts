import type { Address, Amount, Hash, NodeError, TokenId } from '@hailstone/protocol'
import type { MiningState } from '../mining-state.ts'
import type { MiningWarning, StakeFacts } from '../readiness.ts'
import type { Reward } from '../watchers/reward.ts'
import { isReferral } from '../watchers/reward.ts'

/** Rewards of one token that came while this node was watching, in units. */
export type RewardTotal = {
  readonly tokenId: TokenId | null
  readonly count: number
  /** Everything that is not a referral reward. */
  readonly own: bigint
  readonly referral: bigint
}

/** Everything a mining node knows, at one moment. Never changed in place. */
export type MiningSnapshot = {
  readonly address: Address
  readonly tokenId: TokenId
  readonly state: MiningState
  /** Null until it was read; the value stays through failures and is stale then. */
  readonly height: { readonly value: number; readonly readAtMs: number; readonly isStale: boolean } | null
  /** As height. Times are Unix milliseconds. */
  readonly balance: {
    readonly amount: Amount
    /** False for an account that never held the token: then decimals mean nothing. */
    readonly isKnown: boolean
    readonly decimals: number
    readonly symbol: string | undefined
    readonly readAtMs: number
    readonly isStale: boolean
  } | null
  /** Since the last start. */
  readonly publications: { readonly published: number; readonly included: number; readonly refused: number }
  /** The newest beacon, when it was not signed; null once one was. */
  readonly lastRefusal: { readonly microblockHash: Hash; readonly why: string } | null
  /** Since the node was made. */
  readonly rewards: readonly RewardTotal[]
  readonly lastReward: Reward | null
  /** The HTTP interface, apart from the gateway: mining goes on without it. */
  readonly api: {
    readonly status: 'unused' | 'unknown' | 'reachable' | 'unreachable'
    /** Empty when it is reachable. */
    readonly why: string
  }
  /** What the network asks of a miner; null until it was read. */
  readonly stakes: StakeFacts | null
  readonly warnings: readonly MiningWarning[]
  readonly lastError: { readonly error: NodeError; readonly atMs: number } | null
}

/** The totals with one reward more. */
export function withReward(totals: readonly RewardTotal[], reward: Reward): readonly RewardTotal[] {
  const { tokenId, amount, recordType } = reward
  const known = totals.find((total) => total.tokenId === tokenId) ?? {
    tokenId,
    count: 0,
    own: 0n,
    referral: 0n,
  }
  const next = isReferral(recordType)
    ? { ...known, count: known.count + 1, referral: known.referral + amount }
    : { ...known, count: known.count + 1, own: known.own + amount }
  return [...totals.filter((total) => total.tokenId !== tokenId), next]
}
