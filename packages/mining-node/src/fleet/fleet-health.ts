import type { Address, NodeError } from '@hailstone/protocol'
import type { SessionState } from '../session/state.ts'
import type { LeaderStatus } from '../store/mining-snapshot.ts'
import type { AccountTotals, AccountView } from './accounts-state.ts'
import type { GatewayView } from './gateway-choice.ts'
import type { SigningCounts } from './signer-pool.ts'

/** Status of the session of one node of a fleet. */
export type NodeStatus = SessionState['status']

/** Nodes that stand still for the same reason. */
export type FleetProblem = {
  /** One clause, such as "the gateway cannot be reached". */
  readonly why: string
  /** What a person can do; empty when there is nothing to do. */
  readonly nextStep: string
  /** Number of nodes that stand still for it. */
  readonly nodes: number
}

/** A key that did not become a node. */
export type RefusedKey = {
  /** Position among the keys, from 0. */
  readonly index: number
  readonly error: NodeError
}

/** All of a fleet in one view, as it is now. Times are milliseconds. */
export type FleetHealth = {
  /**
   * True if 9 of 10 nodes have a session, the newest block is fresh, and the newest signature is fresh or other miners were
   * chosen.
   */
  readonly isReady: boolean
  /** `READY`, or the stable code of what is wrong first. */
  readonly code: string
  /** One sentence about the code. */
  readonly why: string
  /** What a person can do; empty when there is nothing to do. */
  readonly nextStep: string
  readonly nodes: {
    /** Keys that became nodes. */
    readonly total: number
    /** Keys that did not; see `refusedKeys`. */
    readonly refused: number
  } & Readonly<Record<NodeStatus, number>>
  readonly publications: {
    /** Microblocks that were signed and sent. */
    readonly published: number
    /** Of the published, those that stand in a calculated macroblock. */
    readonly included: number
    /** Beacons that were not signed. */
    readonly refused: number
    /** Times that a reorganisation took one back; `included` is without those. */
    readonly excluded?: number | undefined
  }
  /** Work shared by all nodes. The ratio of `sharedFrames` to `frames` is the saving. */
  readonly beacons: {
    /** Beacons that came, over all nodes. */
    readonly frames: number
    /** Of the frames, those whose text another node had received already. */
    readonly sharedFrames: number
    /** Beacons that were verified. */
    readonly checked: number
    /** Transactions whose hash was computed. */
    readonly transactionsHashed: number
    /** Signatures of transactions and leaders that were verified. */
    readonly signaturesVerified: number
  }
  /** Verification of leaders' signatures, as in the snapshot of a single node. */
  readonly leaderCheck: LeaderStatus
  readonly signing: SigningCounts
  readonly gateways: readonly GatewayView[]
  /** Sockets to gateways that are open now. */
  readonly openSockets: number
  /** Error code of the system's current shortage, such as `EMFILE`. */
  readonly shortage: string | null
  /** `ageMs` is the age of the newest block of the API. Null without an API, or before it answered. */
  readonly tip: {
    /** Height of the open key block. */
    readonly height: number
    /** Age of the newest block, in ms. */
    readonly ageMs: number
    /** True if the last attempt to read the height failed. */
    readonly isStale: boolean
  } | null
  /** Rewards, balances and stakes of all accounts; null without an API. */
  readonly accounts: AccountTotals | null
  /** Since a beacon was verified and signed; null before the first. */
  readonly lastBeaconAgeMs: number | null
  /** Commonest first, at most ten. */
  readonly problems: readonly FleetProblem[]
  /** The first hundred. */
  readonly refusedKeys: readonly RefusedKey[]
}

/** One node, as it is now. */
export type FleetNodeView = {
  /** Position of its key among the keys, from 0. */
  readonly index: number
  readonly address: Address
  readonly status: NodeStatus
  /** Why it does not mine; empty while it does. */
  readonly why: string
  /** What a person can do; empty when there is nothing to do. */
  readonly nextStep: string
  /** Gateway that the node is connected to, or connects to next. */
  readonly gatewayUrl: string
  /** Microblocks that the node signed and sent. */
  readonly published: number
  /** The account as the API reports it; null without an API. */
  readonly account: AccountView | null
}

const PROBLEMS_SHOWN = 10

/** Groups what the nodes say by its words. */
export function problemsOf(
  nodes: Iterable<Pick<FleetNodeView, 'why' | 'nextStep'>>,
): readonly FleetProblem[] {
  const groups = new Map<string, { readonly nextStep: string; nodes: number }>()
  for (const { why, nextStep } of nodes) {
    if (why === '') continue
    const group = groups.get(why)
    if (group === undefined) groups.set(why, { nextStep, nodes: 1 })
    else group.nodes++
  }
  return [...groups]
    .map(([why, group]) => ({ why, ...group }))
    .sort((one, other) => other.nodes - one.nodes)
    .slice(0, PROBLEMS_SHOWN)
}
