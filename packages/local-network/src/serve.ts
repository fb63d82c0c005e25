import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { assertPlaceFree, type FaultScript, type NetworkFaults } from '@hailstone/fault-injection'
import type { BalanceKey, Genesis, GenesisAccounts, GenesisTokens } from '@hailstone/ledger'
import {
  type Address,
  type Hash,
  NodeError,
  parseAddress,
  parseTokenId,
  type TokenId,
} from '@hailstone/protocol'
import { canParseUrl, isLoopbackHost, type SettingKinds } from '@hailstone/runtime'
import { assertKinds, kindsOf } from './assert-kinds.ts'
import type { CalculatedMacroblock } from './chain/calculated-macroblock.ts'
import type { Listen } from './chain/events.ts'
import { type PoolOptions, poolLimits } from './chain/pool-limits.ts'
import { type Clock, systemClock } from './clock.ts'
import type { ClusterRole } from './cluster/create-cluster.ts'
import { createAutomine } from './control/automine.ts'
import { CONTROL_PREFIX } from './control/control-reference.ts'
import { controlRefused } from './control/control-refused.ts'
import { controlRoutes } from './control/control-routes.ts'
import { createControl, type NetworkControl } from './control/create-control.ts'
import { createMineUntil, type MineUntil } from './control/mine-until.ts'
import { createMineUntilRewarded, type MineUntilRewarded } from './control/mine-until-rewarded.ts'
import { createSendData } from './control/send-data.ts'
import type { Gateway } from './gateway/create-gateway.ts'
import { type GatewayOptions, gatewaySettings } from './gateway/gateway-options.ts'
import { type BootNodeOptions, openBootNode } from './gateway/open-boot-node.ts'
import type { AppVersion } from './http/api-parts.ts'
import { type Logger, silentLogger } from './logger.ts'
import { type OpenApi, openApi } from './open-api.ts'
import { type NetworkEvents, type NetworkMode, type OpenNetwork, openNetwork } from './open-network.ts'
import { type ForkOptions, readRecordedState } from './read-recorded-state.ts'
import { postgresAddress } from './store/index.ts'
import { createOrders, type SendOrder } from './tokens/create-orders.ts'
import { createTokenActions, type TokenActions } from './tokens/create-token-actions.ts'

/** Options of {@link startLocalNetwork}. */
export type LocalNetworkOptions = {
  /** @default '127.0.0.1'; whoever reaches another address can spend the development accounts */
  readonly host?: string | undefined
  /**
   * Names of this machine that requests may come under besides loopback names and the host; `*` for any. Others are
   * refused: a web page can let its own name point here.
   *
   * @default none
   */
  readonly allowHosts?: readonly string[] | undefined
  /**
   * Origins of pages that may mine here besides those of this machine, such as `https://app.example`; `*` for any. Every
   * page may read the HTTP interface.
   *
   * @default none
   */
  readonly allowOrigins?: readonly string[] | undefined
  /** @default 0, any free port */
  readonly apiPort?: number | undefined
  /** @default 0, any free port */
  readonly gatewayPort?: number | undefined
  /** @default 15000 */
  readonly blockTimeMs?: number | undefined
  /** Same seed, same accounts and tokens. @default that of the stored chain, else 'hailstone' */
  readonly seed?: string | undefined
  /**
   * 64 hex digits, lower case. There are networks whose native token is 63 zeros and a 1.
   *
   * @default that of the stored chain, else that of the environment's HAILSTONE_NATIVE_TOKEN, else 64 zeros
   */
  readonly nativeTokenId?: string | undefined
  /** Keeps the chain between runs; one process at a time. @default in memory */
  readonly dataDirectory?: string | undefined
  /**
   * Keeps the chain on a server that speaks the protocol of PostgreSQL, instead of a folder:
   * `postgres://user:password@host:port/database`. Several processes may use the same one, see DATABASE.md. Of several
   * hosts, separated by commas, the one that takes writes is used.
   */
  readonly database?: string | undefined
  /**
   * Address of a copy of the database, such as a standby, for the reads of clients. It answers while it is as far as this
   * process, else the database itself does. Of several hosts the first that answers is used.
   */
  readonly readDatabase?: string | undefined
  /**
   * Closes no macroblock and takes no transaction while the server acknowledges commits without a standby, and does not
   * start then either. With a database on a server.
   *
   * @default false
   */
  readonly requireReplica?: boolean | undefined
  /**
   * Host under which other processes over the same database reach this one. @default the host, or the name of this
   * machine
   */
  readonly advertise?: string | undefined
  /**
   * Begins with a dump of `control.dump()` or `hailstone-network --dump`: bytes, or the path of a file. The chain has to
   * be a new one: in memory, in a new folder, or with `reset`.
   */
  readonly load?: string | Uint8Array | undefined
  /**
   * Begins with balances and tokens of accounts of another network, which are read once from its API. The native token
   * has the identifier of that network's. The chain has to be a new one.
   */
  readonly fork?: ForkOptions | undefined
  /** Throws the stored chain away and begins a new one. @default false */
  readonly reset?: boolean | undefined
  /** Makes small payments, so that there is always something to mine. @default true */
  readonly keepAlive?: boolean | undefined
  /** Mines when nobody else does, so that payments always confirm. @default true */
  readonly fallbackMiner?: boolean | undefined
  /** Closes macroblocks without a native microblock too. @default false */
  readonly emptyMacroblocks?: boolean | undefined
  /**
   * Closes six macroblocks after each transaction that is posted, at once: it is calculated, and as deep as payments need
   * to be settled. For tests; one process alone.
   *
   * @default false
   */
  readonly automine?: boolean | undefined
  /**
   * `public` takes high-S signatures and never looks at the signature of a hail, as the public network does;
   * `strict` takes low-S alone, in posted transactions, beacons and publications, and hails that prove their key.
   *
   * @default 'public'
   */
  readonly mode?: NetworkMode | undefined
  /**
   * Takes `+` and `=` in the `data` of payments too, as newer nodes of the public network do.
   *
   * @default false
   */
  readonly newerData?: boolean | undefined
  /** Answer of `/ver`, so that a forced update of an app can be rehearsed. @default none: an empty object */
  readonly appVersion?: AppVersion | undefined
  /** Refuses hails without a valid signature. @default whether the mode is `strict` */
  readonly strictHail?: boolean | undefined
  /** Time that an address waits for its next test coins, in ms. @default 10000 */
  readonly faucetWaitMs?: number | undefined
  /** Bounds of the pool of waiting transactions. */
  readonly pool?: PoolOptions | undefined
  /** Pace and limits of the gateway. */
  readonly gateway?: Omit<GatewayOptions, 'strictHail'> | undefined
  /** Plays a boot node too, which names this gateway to whoever connects and closes. @default none */
  readonly bootNode?: BootNodeOptions | undefined
  /**
   * Lets `POST /control/v1/…` move the clock, the chain and the money. Loopback addresses alone.
   *
   * @default false
   */
  readonly control?: boolean | undefined
  /**
   * Compares every answer of the HTTP interface with its reference; one that does not fit ends the process. For tests.
   *
   * @default whether the environment sets HAILSTONE_VALIDATE_ANSWERS to 1
   */
  readonly validateAnswers?: boolean | undefined
  /** Trouble to make from the start. @default none */
  readonly faults?: FaultScript | undefined
  /** Timers and times of the network, for tests. @default the system's */
  readonly clock?: Clock | undefined
  /** @default silent */
  readonly logger?: Logger | undefined
}

/** Every option: a name that resembles one of them is refused, and a value of another kind. */
const kinds: SettingKinds<LocalNetworkOptions> = {
  host: 'string',
  allowHosts: 'list',
  allowOrigins: 'list',
  apiPort: 'number',
  gatewayPort: 'number',
  blockTimeMs: 'number',
  seed: 'string',
  nativeTokenId: 'string',
  dataDirectory: 'string',
  database: 'string',
  readDatabase: 'string',
  requireReplica: 'boolean',
  advertise: 'string',
  load: true,
  fork: true,
  reset: 'boolean',
  keepAlive: 'boolean',
  fallbackMiner: 'boolean',
  emptyMacroblocks: 'boolean',
  automine: 'boolean',
  mode: true,
  newerData: 'boolean',
  appVersion: true,
  strictHail: 'boolean',
  faucetWaitMs: 'number',
  pool: true,
  gateway: true,
  bootNode: true,
  control: 'boolean',
  validateAnswers: 'boolean',
  faults: true,
  clock: true,
  logger: true,
}

const ofBootNode: SettingKinds<BootNodeOptions> = { port: 'number', form: true }

/** A local network as `createClient`, `createMiningNode` and others take one: the `Network` of `@hailstone/client`. */
export type NetworkDescription = {
  readonly name: 'local'
  /** Base of the HTTP interface. */
  readonly apiUrl: string
  /** `ws:` address of the proof-of-activity gateway. */
  readonly gatewayUrl: string
  readonly bootNodeUrls: readonly string[]
  readonly nativeTokenId: TokenId
  /** Short name of the native token. */
  readonly nativeSymbol: string
  /** Decimals of the native token, 0 to 10. */
  readonly nativeDecimals: number
  /** Name of key block 0. */
  readonly originHash: string
  readonly genesisAddress: Address
}

/** A whole network on this machine. Whoever started it stops it. */
export type LocalNetwork = AsyncDisposable & {
  /** For `createClient({ network })` and `createMiningNode({ wallet, network })`. */
  readonly network: NetworkDescription
  /** Base of the HTTP interface, without a slash at the end. */
  readonly apiUrl: string
  /** `ws:` address of the proof-of-activity gateway. */
  readonly gatewayUrl: string
  /** Null without one. */
  readonly bootNodeUrl: string | null
  /** The interactive reference of the HTTP interface. */
  readonly docsUrl: string
  /** Base of control over HTTP, without a slash at the end; null when it is off. */
  readonly controlUrl: string | null
  /** Text that the accounts are made from. */
  readonly seed: string
  /** Of several processes over one database, one leads and the others follow. */
  readonly role: () => ClusterRole
  /** With private keys: they have value on this machine only. */
  readonly accounts: GenesisAccounts
  /** Tokens of the genesis, and functions that create others. */
  readonly tokens: GenesisTokens & TokenActions
  /** The stake pool that votes in every macroblock. */
  readonly stakePoolId: Hash
  /** Sends a contract: stakes, pools, tokens. Resolves when a macroblock has calculated it. */
  readonly sendOrder: SendOrder
  /** Height of the open key block, as `GET /height` answers it. */
  readonly height: () => number
  /**
   * Confirmed units of an account.
   *
   * @param tokenId by default the native token
   * @throws {NodeError} `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`; `CONTROL_REFUSED` where the chain has more than 100,000
   * balances and this one is not in use: the API answers it
   */
  readonly balance: (address: string, tokenId?: string) => bigint
  /** Closes the open macroblock without waiting for the clock; null when nothing is there to be mined. */
  readonly closeNow: () => Promise<CalculatedMacroblock | null>
  /**
   * Closes macroblocks until one pays a miner for its own microblock; for tests. Takes an address, or anything that has
   * one, such as a wallet or a started mining node. Rejects with the cause after a minute without a reward.
   */
  readonly mineUntilRewarded: MineUntilRewarded
  /**
   * Closes macroblocks, mined by the fallback miner where nobody else did, until a promise is settled, and returns what it
   * resolves to; for tests. Gives up after a minute.
   *
   * @example
   * const { state } = await network.mineUntil(payment.settled())
   */
  readonly mineUntil: MineUntil
  /** Calls back at every event of a name. Returns the unsubscribe function. */
  readonly on: Listen<NetworkEvents>
  /** Moves time, chain and money. */
  readonly control: NetworkControl
  /** Makes trouble on purpose, in answers and on connections. */
  readonly faults: NetworkFaults
  /** The sessions of miners: how many there are, and messages to one of them. */
  readonly gateway: Pick<Gateway, 'minersOnline' | 'sendPeer' | 'sendProbe' | 'disconnect'>
  /** Ends every connection and timer and stores what is being stored. Idempotent. */
  readonly stop: () => Promise<void>
}

const DEFAULT_HOST = '127.0.0.1'
const BLOCK_TIME_MS = 15_000

/** Ends what was begun, the last first. */
type Undo = (() => Promise<void>)[]

/**
 * Starts a network: chain, block producer, HTTP interface and proof-of-activity gateway. When any part fails to
 * start, the parts before it are ended.
 *
 * @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED`, `STORE_LOCKED`, `STORE_INVALID`, `STORE_UNREACHABLE`,
 * `STORE_NOT_REPLICATED`, `CONFIGURATION_INVALID`, `TOKEN_ID_MALFORMED`, `ARGUMENT_INVALID`
 * @example
 * await using network = await startLocalNetwork({ seed: 'mine' })
 * console.log(network.apiUrl, network.gatewayUrl)
 */
export async function startLocalNetwork(options: LocalNetworkOptions = {}): Promise<LocalNetwork> {
  const undo: Undo = []
  let ending: Promise<void> | undefined
  const stop = (): Promise<void> => {
    ending ??= endAll(undo)
    return ending
  }
  try {
    return await start(options, undo, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function endAll(undo: Undo): Promise<void> {
  const failures: unknown[] = []
  for (const end of undo.reverse()) await end().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

const invalid = (path: string, expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found })

/** @throws {NodeError} `CONFIGURATION_INVALID` for options that are wrong by themselves */
function assertOptions(options: LocalNetworkOptions): void {
  assertKinds('of startLocalNetwork', options, kinds)
  assertKinds('gateway', options.gateway, kindsOf(gatewaySettings({})), 'gateway.')
  assertKinds('pool', options.pool, kindsOf(poolLimits()), 'pool.')
  assertKinds('bootNode', options.bootNode, ofBootNode, 'bootNode.')
  const { host = DEFAULT_HOST, blockTimeMs = BLOCK_TIME_MS, mode = 'public', control } = options
  const { database, dataDirectory, readDatabase, requireReplica, load, fork } = options
  for (const address of [database, readDatabase]) if (address !== undefined) postgresAddress(address)
  const isServer = database !== undefined
  const onServer = ['used with a database on a server', 'a chain in a folder or in memory'] as const
  const demands: readonly (readonly [isMet: boolean, ...Parameters<typeof invalid>])[] = [
    [blockTimeMs > 0, 'blockTimeMs', 'a positive number', String(blockTimeMs)],
    [['public', 'strict'].includes(mode), 'mode', '"public" or "strict"', String(mode)],
    [
      control !== true || isLoopbackHost(host),
      'control',
      'used with a loopback host such as 127.0.0.1',
      host,
    ],
    [!isServer || dataDirectory === undefined, 'database', 'used without a folder', 'both'],
    [isServer || readDatabase === undefined, 'readDatabase', ...onServer],
    [isServer || requireReplica !== true, 'requireReplica', ...onServer],
    [load === undefined || fork === undefined, 'fork', 'used without load', 'both'],
    [load === undefined || !isServer, 'load', 'used without a database server', 'both'],
    [fork === undefined || canParseUrl(fork.apiUrl), 'fork.apiUrl', 'a URL', String(fork?.apiUrl)],
  ]
  for (const [isMet, ...words] of demands) if (!isMet) throw invalid(...words)
}

/** Opens the chain that the options name, with everything around it. */
async function openChain(options: LocalNetworkOptions): Promise<OpenNetwork> {
  const { host = DEFAULT_HOST, apiPort = 0, gatewayPort = 0, bootNode, load, fork } = options
  const { blockTimeMs = BLOCK_TIME_MS } = options
  const state = fork === undefined ? undefined : await readRecordedState(fork)
  const { nativeTokenId = state?.nativeTokenId } = options
  if (state !== undefined && nativeTokenId !== state.nativeTokenId) {
    const expected = `${state.nativeTokenId}, as the forked network has`
    throw invalid('nativeTokenId', expected, String(nativeTokenId))
  }
  await assertPlaceFree({ host, port: apiPort, scheme: 'http' })
  await assertPlaceFree({ host, port: gatewayPort, scheme: 'ws' })
  await assertPlaceFree({ host, port: bootNode?.port ?? 0, scheme: 'ws' })
  return openNetwork({
    dataDirectory: options.dataDirectory,
    database: options.database,
    readDatabase: options.readDatabase,
    requireReplica: options.requireReplica ?? false,
    reset: options.reset ?? false,
    seed: options.seed,
    nativeTokenId: nativeTokenId === undefined ? undefined : parseTokenId(nativeTokenId),
    load:
      load === undefined ? undefined : new Uint8Array(typeof load === 'string' ? await readFile(load) : load),
    recorded: state === undefined ? undefined : { tokens: state.tokens, balances: state.balances },
    blockTimeMs,
    keepAlive: options.keepAlive ?? true,
    fallbackMiner: options.fallbackMiner ?? true,
    emptyMacroblocks: options.emptyMacroblocks ?? false,
    faucetWaitMs: options.faucetWaitMs ?? 10_000,
    gateway: gatewayOptions(options, blockTimeMs),
    pool: options.pool,
    mode: options.mode ?? 'public',
    clock: options.clock ?? systemClock,
    logger: options.logger ?? silentLogger,
  })
}

async function start(
  options: LocalNetworkOptions,
  undo: Undo,
  stop: () => Promise<void>,
): Promise<LocalNetwork> {
  assertOptions(options)
  const { host = DEFAULT_HOST, apiPort = 0, gatewayPort = 0, blockTimeMs = BLOCK_TIME_MS } = options
  const { allowHosts = [], clock = systemClock, logger = silentLogger } = options
  const network = await openChain(options)
  const { store, cluster, producer } = network
  if (options.database === undefined) undo.push(store.close, cluster.leave, producer.stop)
  else undo.push(store.close, ...[cluster.leave, producer.stop].map(createFarewell()))
  undo.push(network.otherNodes.close)
  if (options.faults !== undefined) network.faults.control.set(options.faults)
  let api: OpenApi | undefined
  const control = createControl(network, { clock, apiListener: () => api?.listener })
  const { address: payee } = network.genesis.accounts.developers[0] ?? network.genesis.accounts.faucet
  const sendOrder = createOrders(network)
  const { tokenOwner: from } = network.genesis.accounts
  const sendData = createSendData({ sendOrder, mineUntil: createMineUntil(control.mine), from })
  const faults = network.faults.control
  const more = options.control === true ? controlRoutes({ control, faults, sendData, payee }) : undefined
  const automine = options.automine === true ? createAutomine(control.mine) : null
  if (automine !== null) undo.push(automine.stop)
  api = await openApi(automine === null ? network : { ...network, pool: automine.watched(network.pool) }, {
    host,
    port: apiPort,
    allowHosts,
    blockTimeMs,
    clock,
    logger,
    more,
    validateAnswers: options.validateAnswers,
    newerData: options.newerData,
    appVersion: options.appVersion,
  })
  undo.push(api.close)
  const origins = { bound: host, allowed: allowHosts, origins: options.allowOrigins ?? [] }
  const gatewayAt = await network.gateway.listen({ host, port: gatewayPort, origins })
  network.leader.start()
  undo.push(
    network.gateway.stop,
    async () => network.leader.stop(),
    async () => network.faults.stop(),
  )
  const bootNode =
    options.bootNode && (await openBootNode({ host, options: options.bootNode, gatewayPort: gatewayAt.port }))
  if (bootNode !== undefined) undo.push(bootNode.close)
  const { lines } = network
  const line = lines === null ? null : await lines.listen(host)
  if (lines !== null) undo.push(lines.close)
  const advertised = options.advertise ?? (isEverywhere(host) ? hostname() : host)
  await cluster.join(line === null ? null : { host: advertised, port: line.port })
  if (cluster.role() === 'alone') producer.start()
  await network.balances.whenHeld(shownBalances(network.genesis))
  const at = {
    host,
    apiPort: api.port,
    gatewayPort: gatewayAt.port,
    bootNodePort: bootNode?.port ?? null,
    hasControl: more !== undefined,
  }
  return handle({ ...network, control, sendOrder }, stop, at)
}

/** Balances that whoever starts a network asks it for first, such as the command that lists them. */
const shownBalances = ({ accounts, tokens }: Genesis): readonly BalanceKey[] =>
  [...accounts.developers, accounts.faucet].flatMap(({ address }) =>
    [tokens.native, tokens.mineable].map(({ id }) => ({ account: address, tokenId: id })),
  )

/** Time that a database on a server gets to finish what was begun when a network stops, in ms. */
const FAREWELL_MS = 3000

/**
 * Returns a limit for steps that wait for a database which may never answer: a commit waits for a standby that is away
 * without any limit. All steps together have the time, from the first one on; each is begun, for what it stops at once.
 * Closing the store then ends its connections.
 */
function createFarewell() {
  let limit: Promise<void> | undefined
  return (end: () => Promise<void>) => async (): Promise<void> => {
    // The connections keep the process from ending meanwhile, and nothing does after them.
    limit ??= new Promise((resolve) => void setTimeout(resolve, FAREWELL_MS).unref())
    await Promise.race([end(), limit])
  }
}

/** Beacons end a little before the block time does, so that answers still come in time (PROTOCOL 5.7). */
const gatewayOptions = (options: LocalNetworkOptions, blockTimeMs: number): GatewayOptions => ({
  watchdogMs: 0.8 * blockTimeMs,
  ...options.gateway,
  strictHail: options.strictHail ?? options.mode === 'strict',
})

const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Returns the host as a client on this machine writes it. */
const urlHost = (host: string): string => {
  if (isEverywhere(host)) return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

function handle(
  network: OpenNetwork & Pick<LocalNetwork, 'control' | 'sendOrder'>,
  stop: () => Promise<void>,
  at: {
    readonly host: string
    readonly apiPort: number
    readonly gatewayPort: number
    readonly bootNodePort: number | null
    readonly hasControl: boolean
  },
): LocalNetwork {
  const { genesis, ledger, producer, gateway, faults, control, sendOrder, cluster, on } = network
  const host = urlHost(at.host)
  const apiUrl = `http://${host}:${at.apiPort}/api/v1`
  const gatewayUrl = `ws://${host}:${at.gatewayPort}`
  const bootNodeUrl = at.bootNodePort === null ? null : `ws://${host}:${at.bootNodePort}`
  const { native } = genesis.tokens
  return {
    network: {
      name: 'local',
      apiUrl,
      gatewayUrl,
      bootNodeUrls: bootNodeUrl === null ? [] : [bootNodeUrl],
      nativeTokenId: native.id,
      nativeSymbol: native.symbol,
      nativeDecimals: native.decimals,
      originHash: genesis.origin.hash,
      genesisAddress: genesis.accounts.genesis.address,
    },
    apiUrl,
    gatewayUrl,
    bootNodeUrl,
    docsUrl: `http://${host}:${at.apiPort}/docs`,
    controlUrl: at.hasControl ? `http://${host}:${at.apiPort}${CONTROL_PREFIX}` : null,
    seed: genesis.parameters.seed,
    role: cluster.role,
    accounts: genesis.accounts,
    tokens: { ...genesis.tokens, ...createTokenActions({ accounts: genesis.accounts, ledger, sendOrder }) },
    stakePoolId: genesis.parameters.votingPoolId,
    sendOrder,
    height: () => producer.openKeyBlock().height,
    balance(address, tokenId = genesis.tokens.native.id) {
      const key = { account: parseAddress(address), tokenId: parseTokenId(tokenId) }
      if (!ledger.holdsBalance(key))
        throw controlRefused(`the balance of ${address} is not in memory; ask the API`)
      return ledger.balance(key.account, key.tokenId) ?? 0n
    },
    closeNow: () => producer.closeNow(),
    mineUntil: createMineUntil(control.mine),
    mineUntilRewarded: createMineUntilRewarded({
      on,
      closeNow: producer.closeNow,
      publishers: () => (producer.openMacroblock()?.microblocks ?? []).map(({ publisher }) => publisher),
      minersOnline: network.minersOnline,
    }),
    on,
    control,
    faults: faults.control,
    gateway: { ...gateway, minersOnline: network.minersOnline },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
