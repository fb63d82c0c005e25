import { availableParallelism } from 'node:os'
import type { Client, Clock, Logger, Network } from '@hailstone/client'
import { NodeError, written } from '@hailstone/protocol'
import type { MiningNodeParameters } from '../mining-node.ts'
import {
  bootNodeUrlsOf,
  gatewayUrlsOf,
  leaderCheckOf,
  parseReferralAgent,
  pollIntervalOf,
  tokenToMine,
} from '../mining-settings.ts'
import { verifyLeader } from '../node/verify-leader.ts'
import type { OpenChannel } from '../session/channel.ts'
import type { LeaderCheck } from '../session/leader-check.ts'
import type { FleetKeys } from './fleet-keys.ts'
import type { FleetSigner, MiningTerms } from './signer-pool.ts'

/** Parameters of {@link createFleet}. */
export type CreateFleetParameters = {
  /** Signers that are here already; they sign on this thread. Either these or `keys`. */
  readonly wallets?: Iterable<FleetSigner> | AsyncIterable<FleetSigner> | undefined
  /** Private keys, read once, and again by a function. With signing threads this thread keeps none of them. */
  readonly keys?: FleetKeys | undefined
  /** A client to share; it is not closed when the fleet stops. Without one the fleet mines and follows nothing. */
  readonly client?: Client | undefined
  /** One of `networks` of `@hailstone/client`, or your own: names the gateway and the native token. */
  readonly network?: Network | undefined
  /** `ws:` or `wss:` addresses; the nodes are spread over them. @default the network's */
  readonly gatewayUrl?: string | readonly string[] | undefined
  /** See the option of a single node. */
  readonly bootNodeUrls?: readonly string[] | undefined
  /** See the option of a single node. @default false */
  readonly requireEncryption?: boolean | undefined
  /** 64 hex digits. @default the network's native token */
  readonly tokenId?: string | undefined
  /** Account that invited the miners: an address, or the `ref_` code. @default none */
  readonly referralAgent?: string | undefined
  /** See the option of a single node. @default 'wait' */
  readonly onDuplicateKey?: 'stop' | 'wait' | undefined
  /** See the option of a single node; applies to every account. @default false */
  readonly mineBelowStake?: boolean | undefined
  /**
   * Signs beacons whatever their leader's signature. Without it a signature that a beacon carries is verified
   * under the master key of the network, once for the whole process. @default false
   */
  readonly dangerouslySkipLeaderCheck?: boolean | undefined
  /** See the option of a single node. The verdict of one node holds for all. @default false */
  readonly requireLeaderSignature?: boolean | undefined
  /** The network's time between blocks. @default 15000 */
  readonly blockTimeMs?: number | undefined
  /** Poll interval of the height in ms, once for all nodes. @default timed by the chain, as for a single node */
  readonly pollIntervalMs?: number | undefined
  /** Threads that sign; 0 signs on this thread. @default with `keys` one less than the cores, 1 … 4; else 0 */
  readonly signingThreads?: number | undefined
  /** Nodes that connect, or part, at the same time while the fleet starts or stops. @default 250 */
  readonly parallelism?: number | undefined
  /** @default none: the library is silent */
  readonly logger?: Logger | undefined
  /** Timers and times of the fleet, for tests. @default the system's */
  readonly clock?: Clock | undefined
  /** Uniform in [0, 1), for waiting times, not for keys. */
  readonly randomness?: (() => number) | undefined
  /** Opens sockets. @default the package `ws` when it is installed, else undici */
  readonly openChannel?: OpenChannel | undefined
}

export type FleetSettings = {
  readonly terms: MiningTerms
  /** Boot nodes among them. */
  readonly gatewayUrls: readonly string[]
  readonly bootNodeUrls: readonly string[]
  readonly requireEncryption: boolean
  readonly onDuplicateKey: 'stop' | 'wait'
  readonly mineBelowStake: boolean
  /** Undefined where no master key is known, or where the check was turned off. */
  readonly leader: LeaderCheck | undefined
  readonly blockTimeMs: number
  readonly pollIntervalMs: number | undefined
  readonly signingThreads: number
  readonly parallelism: number
}

const MAX_DEFAULT_THREADS = 4

const refuse = (path: string, expected: string, found: unknown): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found: written(found) })

function whole(path: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value
  throw refuse(path, `a whole number from ${least}`, value)
}

/** Settings that mean the same for a single node are read by the same code; the wallet plays no part there. */
const asOfOneNode = (parameters: object): MiningNodeParameters => parameters as MiningNodeParameters

function placesOf(parameters: CreateFleetParameters): Pick<FleetSettings, 'gatewayUrls' | 'bootNodeUrls'> {
  const { gatewayUrl = [], bootNodeUrls = [] } = parameters
  const gatewayUrls = [gatewayUrl].flat()
  const isNone = parameters.gatewayUrl !== undefined && gatewayUrls.length + bootNodeUrls.length === 0
  if (isNone) throw refuse('gatewayUrl', 'at least one ws: or wss: address', 'none')
  const given = asOfOneNode({ ...parameters, gatewayUrl: undefined, gatewayUrls })
  return { gatewayUrls: gatewayUrlsOf(given), bootNodeUrls: bootNodeUrlsOf(given) }
}

/**
 * Reads what a fleet is started with.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 */
export function fleetSettings(parameters: CreateFleetParameters): FleetSettings {
  const { wallets, keys, onDuplicateKey = 'wait', blockTimeMs = 15_000, parallelism = 250 } = parameters
  if ((wallets === undefined) === (keys === undefined)) {
    throw refuse('keys', 'given, or wallets in their place', wallets === undefined ? 'neither' : 'both')
  }
  const spareCores = Math.min(MAX_DEFAULT_THREADS, Math.max(1, availableParallelism() - 1))
  const { signingThreads = keys === undefined ? 0 : spareCores } = parameters
  if (keys === undefined && signingThreads > 0) {
    throw refuse('signingThreads', '0 for wallets, which cannot be moved to another thread', signingThreads)
  }
  return {
    terms: {
      tokenId: tokenToMine(asOfOneNode(parameters)),
      referralAgent: parseReferralAgent(parameters.referralAgent),
    },
    ...placesOf(parameters),
    requireEncryption: parameters.requireEncryption === true,
    onDuplicateKey,
    mineBelowStake: parameters.mineBelowStake === true,
    leader: leaderCheckOf(asOfOneNode(parameters), { verifyLeader }),
    blockTimeMs,
    pollIntervalMs: pollIntervalOf(asOfOneNode(parameters)),
    signingThreads: whole('signingThreads', signingThreads, 0),
    parallelism: whole('parallelism', parallelism, 1),
  }
}
