import type { Address, Amount, NodeError, TokenId } from '@hailstone/protocol'
import type { MiningState } from '../mining-state.ts'
import type { MiningWarning, StakeFacts } from '../readiness.ts'
import type { BeaconRefusalInfo } from '../session/beacon-verdict.ts'
import type { GatewayView } from '../session/gateway-views.ts'
import type { ReadingStamp } from '../watchers/chain-tip.ts'
import { isReferral } from '../watchers/explain-reward.ts'
import type { OthersMined } from '../watchers/follow-others.ts'
import type { Reward } from '../watchers/reward.ts'
import type { Seen } from '../why/seen.ts'

/** Rewards of one token that came while this node was watching and still stand, in units. */
export type RewardTotal = {
  readonly tokenId: TokenId | null
  readonly count: number
  /** Everything that is not a referral reward. */
  readonly own: bigint
  readonly referral: bigint
  /** What came and was taken back by reorganisations; absent where nothing was. */
  readonly reverted?: { readonly own: bigint; readonly referral: bigint } | undefined
}

/** Source and age of a value. The value stays through failures and is stale then. */
export type Reading = ReadingStamp & { readonly isStale: boolean }

export type LeaderStatus = 'on' | 'on, unsigned accepted' | 'off' | 'noKey' | 'noVerifier'

/** Everything a mining node knows, at one moment. Never changed in place. */
export type MiningSnapshot = {
  readonly address: Address
  readonly tokenId: TokenId
  readonly state: MiningState
  /** Null until it was read. */
  readonly height:
    | (Omit<Reading, 'height'> & {
        readonly value: number
        /** Unix milliseconds in the newest calculated macroblock; absent before one was read. */
        readonly minedAtMs?: number | undefined
      })
    | null
  /** Balance in units with its reading; null until it was read. */
  readonly balance:
    | (Reading & {
        readonly amount: Amount
        /** False for an account that never held the token: then decimals mean nothing. */
        readonly isKnown: boolean
        readonly decimals: number
        readonly symbol?: string | undefined
      })
    | null
  /** Since the node was made: what was signed before a stop may be included after it. */
  readonly publications: {
    readonly published: number
    readonly included: number
    /**
     * Of those that had ten macroblocks' time, how many came into none. Of the newest 4,096 alone: of what fell out while
     * the API stood still it is not known.
     */
    readonly missed: number
    /** Times that a reorganisation took one back; absent before the first. `included` is without those. */
    readonly excluded?: number | undefined
    readonly refused: number
    /** Of the refused, those that were not signed before the next one came; absent before the first. */
    readonly late?: number | undefined
  }
  /** Time with a hailed gateway since the node was made: `beforeMs` in all, and since this Unix time in ms; null without one. */
  readonly connected: { readonly beforeMs: number; readonly sinceMs: number | null }
  /** The newest beacon, when it was not signed; null once one was. */
  readonly lastRefusal: BeaconRefusalInfo | null
  /** Macroblocks that others mined since this miner was introduced or last offered a microblock. */
  readonly othersMined: OthersMined
  /** Since the node was made. */
  readonly rewards: readonly RewardTotal[]
  readonly lastReward: Reward | null
  /** Last reading of the reward history. */
  readonly rewardsReading: Reading | null
  /** The gateways, which is in use and how they behaved. */
  readonly gateways: readonly GatewayView[]
  /**
   * Verification of leaders' signatures. `on`: beacons need a valid one. `on, unsigned accepted`: a beacon may also
   * have none, as on all current networks, until the first valid one arrives. `off`: none. `noKey`: the network names
   * no master key. `noVerifier`: this build cannot verify, so such a beacon is not signed.
   */
  readonly leaderCheck: {
    readonly status: LeaderStatus
    /** Beacons whose signature was not the leader's, or missing where it is needed. */
    readonly refused: number
  }
  /** The HTTP interface, apart from the gateway: mining goes on without it. */
  readonly api: {
    readonly status: 'unused' | 'unknown' | 'reachable' | 'unreachable'
    /** Empty when it is reachable. */
    readonly why: string
    /** The error behind `why`; absent where there is none. */
    readonly error?: NodeError | undefined
  }
  /** Requirements of the network for a miner; null until they were read. */
  readonly stakes: (StakeFacts & Reading) | null
  /** Whether the network lists this miner among those online: asked for while no microblock of it is included. */
  readonly seen: Seen
  readonly warnings: readonly MiningWarning[]
  readonly lastError: { readonly error: NodeError; readonly atMs: number } | null
}

/** The totals with one reward more, or one less. */
export function withReward(
  totals: readonly RewardTotal[],
  reward: Pick<Reward, 'tokenId' | 'amount' | 'recordType'>,
  count: 1 | -1 = 1,
): readonly RewardTotal[] {
  const { tokenId, amount, recordType } = reward
  const known: RewardTotal = totals.find((total) => total.tokenId === tokenId) ?? {
    tokenId,
    count: 0,
    own: 0n,
    referral: 0n,
  }
  const kind = isReferral(recordType) ? 'referral' : 'own'
  const next = { ...known, count: known.count + count, [kind]: known[kind] + BigInt(count) * amount }
  if (count < 0) {
    const reverted = { own: 0n, referral: 0n, ...known.reverted }
    next.reverted = { ...reverted, [kind]: reverted[kind] + amount }
  }
  return [...totals.filter((total) => total.tokenId !== tokenId), next]
}

/** Deeper than a reorganisation goes. */
const REMEMBERED = 4_096

/**
 * Returns a function that says whether a reward changes the sums: one that is taken back does if it was counted here, and
 * not if it was told before this run.
 *
 * @param limit the newest rewards that are remembered
 */
export function rememberCounted(limit: number = REMEMBERED) {
  const names = new Set<string>()
  return (reward: Pick<Reward, 'address' | 'role' | 'recordType' | 'recordHash'>, by: 1 | -1): boolean => {
    const { address, role, recordType, recordHash } = reward
    const name = [address, role, recordType, recordHash].join()
    if (by < 0) return names.delete(name)
    const [oldest = name] = names.add(name)
    if (names.size > limit) names.delete(oldest)
    return true
  }
}
