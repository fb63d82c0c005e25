import type { Address, NodeError } from '@hailstone/protocol'
import type { SessionState } from '../session/state.ts'
import type { LeaderStatus } from '../store/mining-snapshot.ts'
import type { AccountTotals, AccountView } from './accounts-state.ts'
import type { GatewayView } from './gateway-choice.ts'
import type { SigningCounts } from './signer-pool.ts'

/** Status of the session of one node of a fleet. */
export type NodeStatus = SessionState['status']

/** Nodes that stand still for the same reason. */
export type FleetProblem = { readonly why: string; readonly nextStep: string; readonly nodes: number }

/** A key that did not become a node. */
export type RefusedKey = { readonly index: number; readonly error: NodeError }

/** All of a fleet in one view, as it is now. Times are milliseconds. */
export type FleetHealth = {
  /**
   * True if 9 of 10 nodes have a session, the newest block is fresh, and the newest signature is fresh or other miners were
   * chosen.
   */
  readonly isReady: boolean
  /** `READY`, or the stable code of what is wrong first. */
  readonly code: string
  readonly why: string
  readonly nextStep: string
  readonly nodes: { readonly total: number; readonly refused: number } & Readonly<Record<NodeStatus, number>>
  readonly publications: {
    readonly published: number
    readonly included: number
    readonly refused: number
    /** Times that a reorganisation took one back; `included` is without those. */
    readonly excluded?: number | undefined
  }
  /** Work shared by all nodes. The ratio of `sharedFrames` to `frames` is the saving. */
  readonly beacons: {
    readonly frames: number
    readonly sharedFrames: number
    readonly checked: number
    readonly transactionsHashed: number
    readonly signaturesVerified: number
  }
  /** Verification of leaders' signatures, as in the snapshot of a single node. */
  readonly leaderCheck: LeaderStatus
  readonly signing: SigningCounts
  readonly gateways: readonly GatewayView[]
  readonly openSockets: number
  /** Error code of the system's current shortage, such as `EMFILE`. */
  readonly shortage: string | null
  /** `ageMs` is the age of the newest block of the API. Null without an API, or before it answered. */
  readonly tip: { readonly height: number; readonly ageMs: number; readonly isStale: boolean } | null
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
  readonly index: number
  readonly address: Address
  readonly status: NodeStatus
  readonly why: string
  readonly nextStep: string
  readonly gatewayUrl: string
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
