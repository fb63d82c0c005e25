import { removeDatabase } from '@hailstone/database'
import { createFaults, type FaultLayers } from '@hailstone/fault-injection'
import {
  type BalanceKey,
  balancesOfTransaction,
  createGenesis,
  type DevelopmentAccount,
  type Genesis,
  type LedgerState,
  type NetworkParameters,
  type RecordedState,
} from '@hailstone/ledger'
import {
  type Hash,
  hostError,
  type KeyBlock,
  NodeError,
  parseTokenId,
  type TokenId,
  type Transaction,
  type VerifyText,
} from '@hailstone/protocol'
import { type BalanceReader, createBalanceReader } from './chain/balance-reader.ts'
import {
  type BlockProducer,
  createBlockProducer,
  type ProducerEvents,
  producerEvents,
} from './chain/block-producer.ts'
import { createCoverage } from './chain/coverage.ts'
import { createEvents, type Listen } from './chain/events.ts'
import { createFallbackMiner } from './chain/fallback-miner.ts'
import { createFaucet, type Faucet } from './chain/faucet.ts'
import { createKeepAlive } from './chain/keep-alive.ts'
import { type BoundedMempool, createMempool, type Mempool } from './chain/mempool.ts'
import type { PoolOptions } from './chain/pool-limits.ts'
import { createSignedTransactions, type SignedTransactions } from './chain/signed-transactions.ts'
import { watchReplays } from './chain/watch-replays.ts'
import { type AdjustableClock, type Clock, createAdjustableClock } from './clock.ts'
import { alone, type Cluster, type ClusterRole, createCluster } from './cluster/create-cluster.ts'
import { createLines, type Lines } from './cluster/create-lines.ts'
import { createSharedMempool, type SharedMempool } from './cluster/shared-mempool.ts'
import { createGateway, type Gateway } from './gateway/create-gateway.ts'
import type { GatewayEvents } from './gateway/gateway-events.ts'
import { type GatewayOptions, gatewaySettings } from './gateway/gateway-options.ts'
import type { OnlineMiner } from './gateway/online-miner.ts'
import type { PendingPool } from './http/api-parts.ts'
import { createLeader, type Leader } from './leader/create-leader.ts'
import { type Logger, reasonOf } from './logger.ts'
import { createOtherNodes, type LaggingNodes } from './other-nodes/create-other-nodes.ts'
import { chainOwner } from './store/chain-database.ts'
import { dropChain } from './store/drop-chain.ts'
import { type OpenedStore, openChainStore } from './store/index.ts'
import type { ClientReads } from './store/open-chain-store.ts'
import { refuseHighS } from './strict-signatures.ts'
import { systemRandomness } from './system-randomness.ts'
import { createTextVerifier } from './verify-text.ts'

/** Signatures and hails as the public network takes them, or checked as strictly as they can be. */
export type NetworkMode = 'public' | 'strict'

export type OpenNetworkParameters = {
  /** Folder in which the chain is kept; undefined keeps it in memory. */
  readonly dataDirectory: string | undefined
  /** Address of a PostgreSQL server that keeps the chain instead of a folder. Other processes may use it too. */
  readonly database?: string | undefined
  /** Address of a replica of that database, which answers reads. */
  readonly readDatabase?: string | undefined
  /** True if nothing is acknowledged before a standby of the database has it. @default false */
  readonly requireReplica?: boolean | undefined
  /** A dump with which a new chain begins. */
  readonly load?: Uint8Array<ArrayBuffer> | undefined
  /** Balances and tokens of another network, with which a new chain begins besides its own. */
  readonly recorded?: RecordedState | undefined
  /** Balances in memory; of a network that has more, those in use. @default 100,000 */
  readonly maxBalances?: number | undefined
  /** Throws the stored chain away first. */
  readonly reset: boolean
  /** Seed of a new chain; undefined takes the seed of the stored one. */
  readonly seed: string | undefined
  /** Native token of a new chain; undefined takes the one of the stored chain. */
  readonly nativeTokenId?: TokenId | undefined
  readonly blockTimeMs: number
  readonly keepAlive: boolean
  readonly fallbackMiner: boolean
  readonly emptyMacroblocks: boolean
  readonly faucetWaitMs: number
  readonly gateway: GatewayOptions
  /** Bounds of the pool of waiting transactions. */
  readonly pool?: PoolOptions | undefined
  /** `strict` takes low-S signatures alone. @default 'public' */
  readonly mode?: NetworkMode | undefined
  /** @default Node's own curve arithmetic, with a cache of keys */
  readonly verify?: VerifyText | undefined
  readonly clock: Clock
  readonly logger: Logger
}

/** Events of a network by name. */
export type NetworkEvents = ProducerEvents &
  GatewayEvents & {
    /** Of several processes over one database this one leads now, or follows. */
    readonly roleChanged: ClusterRole
  }

/** A chain with everything that moves it; nothing of it listens or ticks yet. */
export type OpenNetwork = {
  readonly genesis: Genesis
  readonly parameters: NetworkParameters
  readonly store: OpenedStore
  /** Reads that answer clients. */
  readonly clients: ClientReads
  readonly ledger: LedgerState
  readonly balances: BalanceReader
  readonly mempool: Mempool
  /** Pool of posted transactions. Adding resolves when every process has them. */
  readonly pool: PendingPool
  readonly cluster: Cluster
  /** Between the processes over one database; null for a process alone. */
  readonly lines: Lines | null
  /** At all gateways. */
  readonly minersOnline: () => readonly OnlineMiner[]
  readonly producer: BlockProducer
  readonly gateway: Gateway
  readonly leader: Leader
  readonly faucet: Faucet
  readonly verify: VerifyText
  readonly signed: SignedTransactions
  /** Clock of the time that blocks and answers state. */
  readonly calendar: AdjustableClock
  readonly faults: FaultLayers
  /** Nodes that rules of the faults answer as. */
  readonly otherNodes: LaggingNodes
  readonly on: Listen<NetworkEvents>
}

const DEFAULT_SEED = 'hailstone'

/** The genesis of the stored chain, or of a new one that is stored at once. */
async function settle(
  store: OpenedStore,
  wanted: Pick<OpenNetworkParameters, 'seed' | 'nativeTokenId' | 'recorded' | 'clock'>,
): Promise<Genesis> {
  const { seed, nativeTokenId, recorded, clock } = wanted
  const stored = await store.parameters()
  const time = Math.floor(clock.now() / 1000)
  const genesis = createGenesis({
    seed: stored?.seed ?? seed ?? DEFAULT_SEED,
    time,
    nativeTokenId: stored?.ledger.nativeTokenId ?? nativeTokenId ?? usualNativeToken(),
    recorded: stored === undefined ? recorded : stored.recorded,
  })
  if (stored === undefined) {
    assertApart(genesis)
    try {
      await store.initialise(genesis)
      return genesis
    } catch (error) {
      // Another process was quicker; what it began is the chain.
      if (store.shared === null || (await store.parameters()) === undefined) throw error
      return settle(store, wanted)
    }
  }
  if (recorded !== undefined) {
    const expected = 'used with a new chain: with a new folder, --memory or --reset'
    throw new NodeError('CONFIGURATION_INVALID', {
      path: 'fork',
      expected,
      found: 'a chain that began before',
    })
  }
  assertBegan('seed', stored.seed, seed)
  assertBegan('nativeTokenId', stored.ledger.nativeTokenId, nativeTokenId)
  if (stored.ledger.genesis !== genesis.parameters.ledger.genesis) {
    throw hostError('STORE_INVALID', { reason: 'another version of this software wrote it' })
  }
  // A chain with another beginning holds coins of somebody: this network gives its keys to everybody.
  const origin = await store.keyBlockAt(0)
  if (origin !== undefined && origin.hash !== genesis.origin.hash) {
    throw hostError('STORE_INVALID', {
      reason: `its chain begins with ${origin.hash}, that of another network`,
    })
  }
  return { ...genesis, parameters: stored }
}

/** A network with the same seed has the same development accounts, with other balances. */
function assertApart({ accounts, parameters: { seed, recorded } }: Genesis): void {
  const own: readonly DevelopmentAccount[] = Object.values(accounts).flat()
  const found = recorded?.balances.find(({ account }) => own.some(({ address }) => address === account))
  if (found === undefined) return
  throw new NodeError('CONFIGURATION_INVALID', {
    path: 'seed',
    expected: 'another one than that of the forked network',
    found: `"${seed}", which gives this network the account ${found.account} too`,
  })
}

/** Lets every test run on a network of either native token. */
function usualNativeToken(): TokenId | undefined {
  const { HAILSTONE_NATIVE_TOKEN: text = '' } = process.env
  return text === '' ? undefined : parseTokenId(text)
}

/** Asserts that a setting equals the one the chain began with. */
function assertBegan(path: string, began: string, wanted: string | undefined): void {
  if (wanted === undefined || wanted === began) return
  const expected = `"${began}", with which the stored chain began`
  throw new NodeError('CONFIGURATION_INVALID', { path, expected, found: `"${wanted}"` })
}

/**
 * Opens the chain of a folder, or a new one, and puts producer, gateway and faucet around it.
 *
 * @throws {NodeError} `STORE_LOCKED`, `STORE_INVALID`, `STORE_UNREACHABLE`, `STORE_NOT_REPLICATED`,
 * `CONFIGURATION_INVALID`
 */
export async function openNetwork(parameters: OpenNetworkParameters): Promise<OpenNetwork> {
  const {
    dataDirectory: folder,
    database,
    load,
    reset,
    requireReplica,
    readDatabase,
    maxBalances,
  } = parameters
  if (reset && database !== undefined) await dropChain(database)
  else if (reset && folder !== undefined) await removeDatabase(folder, chainOwner)
  const store = await openChainStore(
    database === undefined
      ? { folder, load, maxBalances }
      : { database, requireReplica, readDatabase, maxBalances },
  )
  try {
    const genesis = await settle(store, parameters)
    return assemble(parameters, { genesis, store, ...(await loadChain(store)) })
  } catch (error) {
    await store.close()
    throw error
  }
}

const loadChain = async (store: OpenedStore) =>
  store.shared === null
    ? { ledger: await store.loadLedger(), tail: await store.tail(), branch: await store.branch() }
    : store.shared.loadChain()

type Chain = Pick<OpenNetwork, 'genesis' | 'ledger' | 'store'> & {
  readonly tail: KeyBlock
  readonly branch: number
}

/** The pool of waiting transactions, and the balances that it is judged by. */
function openPool(
  { clock, pool }: OpenNetworkParameters,
  { genesis, ledger, store }: Chain,
  producer: () => BlockProducer,
) {
  const height = (): number => producer().openKeyBlock().height
  const balances = createBalanceReader({ ledger, store, tip: () => producer().tip() })
  const coverage = createCoverage({
    ...{ ledger, rules: genesis.parameters.ledger, height },
    onLacking: reconsiderOnceHeld(balances, () => mempool.reconsider()),
  })
  const localPool = createMempool({ ...clock, coverage, limits: pool })
  const sharedPool = store.shared === null ? null : createSharedMempool(localPool, store.shared)
  const mempool = sharedPool ?? localPool
  localPool.onAdded(watchReplays({ ledger, store, height, markReplayed: (all) => mempool.markReplayed(all) }))
  return { balances, sharedPool, mempool }
}

function assemble(given: OpenNetworkParameters, chain: Chain): OpenNetwork {
  const { clock, logger } = given
  const { genesis, ledger } = chain
  const { accounts, parameters: network } = genesis
  const nativeToken = genesis.tokens.native
  const random = systemRandomness
  const { shared } = chain.store
  const { balances, sharedPool, mempool } = openPool(given, chain, () => producer)
  const verifyAny = given.verify ?? createTextVerifier()
  const verify = given.mode === 'strict' ? refuseHighS(verifyAny) : verifyAny
  const signed = createSignedTransactions(verify)
  const calendar = createAdjustableClock(clock)
  const otherNodes = createOtherNodes({ source: chain.store, genesis, logger })
  const faults = createFaults(clock, mempool, otherNodes)
  const keepAlive = given.keepAlive
    ? createKeepAlive({ accounts: accounts.keepAlive, nativeToken, mempool, signed, random })
    : null
  const fallbackMiner = given.fallbackMiner
    ? createFallbackMiner({ account: accounts.fallbackMiner, nativeTokenId: nativeToken.id, signed })
    : null
  const common = { ledger, balances, mempool, network, clock, logger, keepAlive }
  const settings = gatewaySettings(given.gateway)
  const producer = createBlockProducer({
    ...common,
    ...settings,
    store: chain.store,
    tail: chain.tail,
    branch: chain.branch,
    blockTime: calendar.now,
    keyBlockPublisher: accounts.keyBlockPublisher.address,
    blockTimeMs: given.blockTimeMs,
    emptyMacroblocks: given.emptyMacroblocks,
    fallbackMiner,
    requireReplica: given.requireReplica,
    isLeading: () => cluster.isLeaseFresh(),
    untilLeadKnown: () => cluster.untilLeaseFresh(),
  })
  const { on, emit } = eventsOf(producer, logger)
  on('macroblockClosed', mempool.reconsider)
  on('reorganised', mempool.reconsider)
  const clients = chain.store.forClients({
    announced: () => producer.openKeyBlock(),
    wentBack: (fromHeight) => emit('reorganised', { fromHeight, toHeight: producer.openKeyBlock().height }),
    logger,
  })
  on('reorganised', clients.reset)
  on('macroblockClosed', clients.noteAnnounced)
  const leader = createLeader({ ...common, producer, random, options: given.gateway })
  const gateway = createGateway({
    ...{ ledger, balances, network, clock, logger, producer, random, verify, signed, faults },
    emit: (name, event) => emit(name, event as never),
    options: given.gateway,
  })
  const lines =
    shared === null
      ? null
      : createLines({
          ...{ gateway, leader, producer, mempool, signed, clock, logger },
          standIntervalMs: settings.feederIntervalMs,
          beaconIntervalMs: settings.beaconIntervalMs,
          onTip: () => cluster.lookNow(),
        })
  if (lines === null) gateway.follow(leader.connect(gateway))
  const cluster: Cluster =
    shared === null || sharedPool === null || lines === null
      ? alone
      : createCluster({
          ...{ store: chain.store, ledger, producer, lines, shared, clock, logger },
          ...{ parameters: network, mempool: sharedPool },
          ...{ blockTimeMs: given.blockTimeMs, requireReplica: given.requireReplica },
          onRole: (role) => emit('roleChanged', role),
        })
  const faucet = createFaucet({
    ...{ accounts, nativeToken, ledger, balances, mempool, clock, random },
    waitMs: given.faucetWaitMs,
  })
  return {
    ...{ genesis, parameters: network, store: chain.store, clients, ledger, balances, mempool },
    pool: pendingPool(mempool, signed, (transaction, hash) => {
      const of = { ledger, parameters: network.ledger }
      return balances.whenHeld(balancesOfTransaction({ ...transaction, hash }, of), POST_WAIT_MS)
    }),
    ...{
      cluster,
      lines,
      producer,
      gateway,
      leader,
      faucet,
      verify,
      signed,
      calendar,
      faults,
      otherNodes,
      on,
    },
    minersOnline: () => lines?.minersOnline() ?? gateway.minersOnline(),
  }
}

/** Shortest time between two looks at all that wait, for balances that were not in memory. */
const RECONSIDER_MS = 1000

function reconsiderOnceHeld(
  balances: BalanceReader,
  reconsider: () => void,
): (keys: readonly BalanceKey[]) => void {
  let isDue = false
  return (keys) => {
    void balances.whenHeld(keys)
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      reconsider()
    }, RECONSIDER_MS).unref()
  }
}

/** Longest wait of a post for balances that are not in memory, in ms. */
const POST_WAIT_MS = 2000
const UNREAD = hostError('STORE_UNREACHABLE', { reason: 'balances cannot be read now' })

/**
 * The pool as those who post see it.
 *
 * @param whenCovered reads what tells whether a transaction is covered
 */
const pendingPool = (
  pool: SharedMempool | BoundedMempool,
  signed: SignedTransactions,
  whenCovered: (transaction: Transaction, hash: Hash) => boolean | Promise<boolean>,
): PendingPool => ({
  async add(transaction, hash) {
    if (!(await whenCovered(transaction, hash))) throw UNREAD
    const outcome = pool.post(transaction, hash)
    // The signature was verified before. One that no block can hold is of something else than what is stored.
    if (pool.get(hash)?.isMineable === true) signed.note(transaction)
    return outcome
  },
  refusal: pool.refusal,
  get: pool.get,
  ofAccount: pool.ofAccount,
  get size() {
    return pool.size
  },
})

/** One place to listen to producer and gateway. */
function eventsOf(producer: BlockProducer, logger: Logger) {
  const names = {
    ...producerEvents,
    beaconOffered: true,
    publicationJudged: true,
    roleChanged: true,
  } as const
  const events = createEvents<NetworkEvents>(names, (error) =>
    logger.error('a listener failed', { reason: reasonOf(error) }),
  )
  for (const name of ['macroblockClosed', 'microblockAccepted', 'reorganised'] as const)
    producer.on(name, (event) => events.emit(name, event))
  return events
}
