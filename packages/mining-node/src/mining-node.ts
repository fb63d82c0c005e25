import type { ClientCore, Clock, Logger, Network } from '@hailstone/client'
import type { Address, VerifyText } from '@hailstone/protocol'
import type { ExpectedEvent } from './assert-listens.ts'
import type { CursorStore } from './cursors/cursor-store.ts'
import type { OnMiningEvent } from './events.ts'
import type { MiningState } from './mining-state.ts'
import type { OpenChannel } from './session/channel.ts'
import type { VerifyLeader } from './session/leader-check.ts'
import type { VerifyAhead } from './session/newest-check.ts'
import type { WatchConnectivity } from './session/run-session.ts'
import type { SignLater } from './session/sign-later.ts'
import type { MiningSigner } from './session/signer.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import type { WatchMissedReferrals } from './watchers/watch-missed-referrals.ts'

/** Parameters of {@link createMiningNode}. */
export type MiningNodeParameters = {
  /**
   * A wallet, or another signer: in a worker, on a device, behind a network. Its key never leaves it. What is no wallet
   * may answer later, and its signatures are verified before they are sent.
   */
  readonly wallet: MiningSigner
  /**
   * Lets a signer that is no wallet answer later; `signLater` of `@hailstone/mining-node/signer`.
   * @default that very one on Node, none in a browser, where pages usually have a wallet
   */
  readonly signLater?: SignLater | undefined
  /**
   * Time limit for one signature of a signer that is no wallet, in ms. What comes later is dropped. @default 5000
   */
  readonly signingTimeoutMs?: number | undefined
  /**
   * A client to share; it is not closed when the node stops. For several API nodes of a network, of which another is
   * asked when one does not answer well, `createClient({ apiUrls })` of `@hailstone/client`.
   */
  readonly client?: ClientCore | undefined
  /** One of `networks` of `@hailstone/client`, or your own: names API and gateway. */
  readonly network?: Network | undefined
  /**
   * Base of the API, when no client is shared: this node alone is asked. Without any API the mining node mines and
   * watches nothing. @default the network's first
   */
  readonly apiUrl?: string | undefined
  /** `ws:` or `wss:` address of the proof-of-activity gateway. @default the network's */
  readonly gatewayUrl?: string | undefined
  /** Several gateways, equal among each other: which is used follows from chance and from how they behave. */
  readonly gatewayUrls?: readonly string[] | undefined
  /**
   * `ws:` or `wss:` addresses that name a gateway and close: nothing is hailed there. They are asked after the gateways
   * above, if there are any. @default the network's, where neither is given
   */
  readonly bootNodeUrls?: readonly string[] | undefined
  /**
   * Refuses unencrypted connections to other machines: `ws:` gateways, redirects to them, and the API where the node
   * makes its own client. A shared client has a setting of its own. Without it, `ws:` to a public host is a warning.
   *
   * @default false
   */
  readonly requireEncryption?: boolean | undefined
  /**
   * 64 hex digits. In a token that the API does not know nothing is hailed.
   *
   * @default the network's native token, as the API names it: before it does, nothing is hailed, unless the network
   * was named
   */
  readonly tokenId?: string | undefined
  /** Account that invited this miner: an address, or the `ref_` code that people pass on. @default none */
  readonly referralAgent?: string | undefined
  /**
   * Reaction to another device that mines with the same key: wait a minute, and longer each time up to a quarter of
   * an hour, or stop for good when every gateway says so again after two minutes. Two devices that wait take turns and earn less than one. Some gateways let anybody who
   * knows an address pretend to be that device, which stops a miner that does not wait.
   *
   * @default 'wait'
   */
  readonly onDuplicateKey?: 'stop' | 'wait' | undefined
  /**
   * Mines also while the balance is known to be below the minimum stake: the gateway refuses what is published, and
   * cuts the connection each time. Otherwise the node holds back until the balance suffices. @default false
   */
  readonly mineBelowStake?: boolean | undefined
  /**
   * Store of the positions up to which rewards and balance were reported, and of the time this key last mined, so
   * that the next run continues there. @default not stored
   */
  readonly cursors?: CursorStore | undefined
  /**
   * `watchMissedReferrals` of the entry `/watch` looks through every microblock for those of people we invited that
   * paid us nothing. @default nobody does
   */
  readonly followReferrals?: WatchMissedReferrals | undefined
  /**
   * Verifies the leader's signature of beacons that carry one, where the network names a master key; `verifyLeader`
   * of `@hailstone/mining-node/leader`. Without it such a beacon is not signed, and a warning says so. Must not reject.
   * @default that very one on Node, none in a browser, which would load it without need: no current network signs
   */
  readonly verifyLeader?: VerifyLeader | undefined
  /**
   * Refuses beacons without a leader's signature from the beginning; otherwise this node does so once a valid one came.
   * No current network signs its beacons: with this nothing is mined there. Needs a network with a master key.
   *
   * @default false
   */
  readonly requireLeaderSignature?: boolean | undefined
  /** Signs beacons whatever their leader's signature. @default false */
  readonly dangerouslySkipLeaderCheck?: boolean | undefined
  /** The network's time between blocks. Below 10 s the polling interval follows from it. @default 15000 */
  readonly blockTimeMs?: number | undefined
  /**
   * Poll interval of the height in ms. @default asked when the next macroblock is due by the times of the chain, after
   * 30 s at the latest; a fifth of blockTimeMs (at least 100) where that is below 10 s
   */
  readonly pollIntervalMs?: number | undefined
  /** @default none: the library is silent */
  readonly logger?: Logger | undefined
  /** Timers and times of the node, for tests. @default the system's */
  readonly clock?: Clock | undefined
  /** Uniform in [0, 1), for waiting times, not for keys. */
  readonly randomness?: (() => number) | undefined
  /**
   * Largest frame of a gateway that is read. It also bounds the values in one: a thirty-second of it.
   *
   * @default 524288, more than twice the largest beacon of the public networks
   */
  readonly frameLimitBytes?: number | undefined
  /** Opens sockets. @default undici on Node, the browser's own in a browser */
  readonly openChannel?: OpenChannel | undefined
  /** Verifies signatures in beacons. @default OpenSSL on Node, the pure verifier in a browser */
  readonly verify?: VerifyText | undefined
}

/**
 * A miner of one key. Whoever started it stops it. Calls may overlap: they take effect in the order they were made,
 * so the last one decides.
 */
export type MiningNode = AsyncDisposable & {
  /** Account that mines. */
  readonly address: Address
  /** Readable at any time; says why when it is not mining. */
  readonly state: MiningState
  /** Everything the node knows, as one value that is replaced and never changed. */
  readonly snapshot: () => MiningSnapshot
  /** Calls `listener` after every change of the snapshot. Returns the unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void
  /** Calls back at every event of a name. Returns the unsubscribe function. */
  readonly on: OnMiningEvent
  /** Like `on`, for the next event of that name alone. */
  readonly once: OnMiningEvent
  /** Follows height, balance and rewards, mining or not, until `close`. Resolves at once. */
  readonly watch: () => Promise<void>
  /**
   * Begins to mine, and to watch while it mines. Resolves when the first connection is under way: an absent gateway
   * or API is a state, not a failure. A node that mines already goes on; one that was stopped begins anew.
   *
   * @throws {NodeError} `CONFIGURATION_INVALID`, `URL_REFUSED`
   */
  readonly start: () => Promise<void>
  /** Ends mining. What `watch` began goes on; without it nothing is left that keeps the process alive. */
  readonly stop: () => Promise<void>
  /**
   * Ends everything and waits for what is in flight. May be called at any time and again. Other than a client or payments,
   * which refuse after their `close`, a node can be started again.
   */
  readonly close: () => Promise<void>
}

/** Functions that differ between Node and browsers. */
export type Platform = {
  readonly openChannel: OpenChannel
  readonly expectedEvent?: ExpectedEvent | undefined
  readonly verifyLeader?: VerifyLeader | undefined
  /** Not used where a program brings a verifier of its own. */
  readonly verifyAhead?: VerifyAhead | undefined
  readonly signLater?: SignLater | undefined
  readonly connectivity?: WatchConnectivity | undefined
  /** Shortest standstill that counts as sleep. */
  readonly minGapMs?: number | undefined
}
