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
  /** Token of the rewards; null where the network does not say. */
  readonly tokenId: TokenId | null
  /** Number of rewards that still stand. */
  readonly count: number
  /** Everything that is not a referral reward. */
  readonly own: bigint
  /** Referral rewards. */
  readonly referral: bigint
  /** What came and was taken back by reorganisations; absent where nothing was. */
  readonly reverted?: { readonly own: bigint; readonly referral: bigint } | undefined
}

/** Source and age of a value. The value stays through failures and is stale then. */
export type Reading = ReadingStamp & {
  /** True if the last attempt to read the value again failed, or it is due. */
  readonly isStale: boolean
}

export type LeaderStatus = 'on' | 'on, unsigned accepted' | 'off' | 'noKey' | 'noVerifier'

/** Everything a mining node knows, at one moment. Never changed in place. */
export type MiningSnapshot = {
  /** Account that mines. */
  readonly address: Address
  /** Token that is mined. */
  readonly tokenId: TokenId
  /** Where the session stands, with what belongs to that state. */
  readonly state: MiningState
  /** Null until it was read. */
  readonly height:
    | (Omit<Reading, 'height'> & {
        /** Height of the open key block. */
        readonly value: number
        /** Unix milliseconds in the newest calculated macroblock; absent before one was read. */
        readonly minedAtMs?: number | undefined
      })
    | null
  /** Balance in units with its reading; null until it was read. */
  readonly balance:
    | (Reading & {
        /** Units of the mined token. */
        readonly amount: Amount
        /** False for an account that never held the token: then decimals mean nothing. */
        readonly isKnown: boolean
        /** Decimals of the token, 0 to 10. */
        readonly decimals: number
        /** Short name of the token; undefined when the network does not name one. */
        readonly symbol?: string | undefined
      })
    | null
  /** Since the node was made: what was signed before a stop may be included after it. */
  readonly publications: {
    /** Microblocks that were signed and sent. */
    readonly published: number
    /** Of the published, those that stand in a calculated macroblock. */
    readonly included: number
    /**
     * Of those that had ten macroblocks' time, how many came into none. Of the newest 4,096 alone: of what fell out while
     * the API stood still it is not known.
     */
    readonly missed: number
    /** Times that a reorganisation took one back; absent before the first. `included` is without those. */
    readonly excluded?: number | undefined
    /** Beacons that were not signed; `lastRefusal` says why. */
    readonly refused: number
    /** Of the refused, those that were not signed before the next one came; absent before the first. */
    readonly late?: number | undefined
  }
  /** Time with a hailed gateway since the node was made: `beforeMs` in all, and since this Unix time in ms; null without one. */
  readonly connected: {
    /** Time of all earlier connections together, in ms. */
    readonly beforeMs: number
    /** Unix milliseconds since when a gateway is hailed; null without one. */
    readonly sinceMs: number | null
  }
  /** The newest beacon, when it was not signed; null once one was. */
  readonly lastRefusal: BeaconRefusalInfo | null
  /** Macroblocks that others mined since this miner was introduced or last offered a microblock. */
  readonly othersMined: OthersMined
  /** Since the node was made. */
  readonly rewards: readonly RewardTotal[]
  /** The newest reward that came while this node was watching; null before the first. */
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
    /** Which signatures of leaders are accepted, in the words above. */
    readonly status: LeaderStatus
    /** Beacons whose signature was not the leader's, or missing where it is needed. */
    readonly refused: number
  }
  /** The HTTP interface, apart from the gateway: mining goes on without it. */
  readonly api: {
    /** `unused` without an API, `unknown` before the first answer. */
    readonly status: 'unused' | 'unknown' | 'reachable' | 'unreachable'
    /** Empty when it is reachable. */
    readonly why: string
    /** The error behind `why`; absent where `why` has no error. */
    readonly error?: NodeError | undefined
  }
  /** Requirements of the network for a miner; null until they were read. */
  readonly stakes: (StakeFacts & Reading) | null
  /** Whether the network lists this miner among those online: asked for while no microblock of it is included. */
  readonly seen: Seen
  /** What keeps the account from earning, or may; empty when there is nothing. */
  readonly warnings: readonly MiningWarning[]
  /** The newest failure that the node went on from by itself; null before the first. */
  readonly lastError: {
    /** A `switch` over its `code` narrows its `facts`. */
    readonly error: NodeError
    /** Unix milliseconds. */
    readonly atMs: number
  } | null
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
