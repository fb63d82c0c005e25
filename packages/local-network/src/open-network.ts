import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hostError, type KeyBlock, NodeError, type VerifyText } from '@hailstone/protocol'
import { type BlockProducer, createBlockProducer, type ProducerEvents } from './chain/block-producer.ts'
import { createEvents, type Listen } from './chain/events.ts'
import { createFaucet, type Faucet } from './chain/faucet.ts'
import { createHouseMiner } from './chain/house-miner.ts'
import { createKeepAlive } from './chain/keep-alive.ts'
import { createMempool, type Mempool } from './chain/mempool.ts'
import { type AdjustableClock, type Clock, createAdjustableClock } from './clock.ts'
import { createFaults, type FaultLayers } from './faults/create-faults.ts'
import { createGateway, type Gateway } from './gateway/create-gateway.ts'
import type { GatewayEvents } from './gateway/gateway-events.ts'
import { type GatewayOptions, gatewaySettings } from './gateway/gateway-options.ts'
import { createGenesis, type Genesis, type NetworkParameters } from './genesis.ts'
import type { LedgerState } from './ledger/ledger-state.ts'
import { type Logger, reasonOf } from './logger.ts'
import { lockDataFolder } from './store/data-folder-lock.ts'
import { type ChainStore, openChainStore } from './store/index.ts'
import { refuseHighS } from './strict-signatures.ts'
import { createTextVerifier } from './verify-text.ts'

/** Signatures and hails as the public network takes them, or checked as strictly as they can be. */
export type NetworkMode = 'public' | 'strict'

export type OpenNetworkParameters = {
  /** In memory without one. */
  readonly dataDirectory: string | undefined
  /** Throws the stored chain away first. */
  readonly reset: boolean
  /** Undefined takes that of the stored chain. */
  readonly seed: string | undefined
  readonly blockTimeMs: number
  readonly keepAlive: boolean
  readonly houseMiner: boolean
  readonly emptyMacroblocks: boolean
  readonly faucetWaitMs: number
  readonly gateway: GatewayOptions
  /** `strict` takes low-S signatures alone. @default 'public' */
  readonly mode?: NetworkMode | undefined
  readonly clock: Clock
  readonly logger: Logger
}

export type NetworkEvents = ProducerEvents & GatewayEvents

/** A chain with everything that moves it; nothing of it listens or ticks yet. */
export type OpenNetwork = {
  readonly genesis: Genesis
  readonly parameters: NetworkParameters
  readonly store: ChainStore
  readonly ledger: LedgerState
  readonly mempool: Mempool
  readonly producer: BlockProducer
  readonly gateway: Gateway
  readonly faucet: Faucet
  readonly verify: VerifyText
  /** What time blocks and answers say it is. */
  readonly calendar: AdjustableClock
  readonly faults: FaultLayers
  readonly on: Listen<NetworkEvents>
}

export const DEFAULT_SEED = 'hailstone'

/** Only under the lock: another process may be writing there. */
async function removeChain(folder: string): Promise<void> {
  const unlock = await lockDataFolder(folder)
  try {
    for (const name of ['database', 'database.new']) {
      await rm(join(folder, name), { recursive: true, force: true })
    }
  } finally {
    await unlock()
  }
}

/** The genesis of the stored chain, or of a new one that is stored at once. */
async function settle(store: ChainStore, seed: string | undefined, clock: Clock): Promise<Genesis> {
  const stored = await store.parameters()
  const time = Math.floor(clock.now() / 1000)
  const genesis = createGenesis({ seed: stored?.seed ?? seed ?? DEFAULT_SEED, time })
  if (stored === undefined) {
    await store.initialise(genesis)
    return genesis
  }
  if (seed !== undefined && seed !== stored.seed) {
    const expected = `"${stored.seed}", with which the stored chain began`
    throw new NodeError('CONFIGURATION_INVALID', { path: 'seed', expected, found: `"${seed}"` })
  }
  if (stored.ledger.genesis !== genesis.parameters.ledger.genesis) {
    throw hostError('STORE_INVALID', { reason: 'another version of this software wrote it' })
  }
  return { ...genesis, parameters: stored }
}

/**
 * Opens the chain of a folder, or a new one, and puts producer, gateway and faucet around it.
 *
 * @throws {NodeError} `STORE_LOCKED`, `STORE_INVALID`, `CONFIGURATION_INVALID`
 */
export async function openNetwork(parameters: OpenNetworkParameters): Promise<OpenNetwork> {
  const { dataDirectory: folder, reset, seed, clock } = parameters
  if (reset && folder !== undefined) await removeChain(folder)
  const store = await openChainStore({ folder })
  try {
    const genesis = await settle(store, seed, clock)
    return assemble(parameters, {
      genesis,
      store,
      ledger: await store.loadLedger(),
      tail: await store.tail(),
      branch: await store.branch(),
    })
  } catch (error) {
    await store.close()
    throw error
  }
}

function assemble(
  given: OpenNetworkParameters,
  chain: Pick<OpenNetwork, 'genesis' | 'store' | 'ledger'> & {
    readonly tail: KeyBlock
    readonly branch: number
  },
): OpenNetwork {
  const { clock, logger } = given
  const { genesis, ledger } = chain
  const { accounts, parameters: network } = genesis
  const nativeToken = genesis.tokens.native
  const random = Math.random
  const mempool = createMempool(clock)
  const verify = given.mode === 'strict' ? refuseHighS(createTextVerifier()) : createTextVerifier()
  const calendar = createAdjustableClock(clock)
  const faults = createFaults(clock, mempool)
  const keepAlive = given.keepAlive
    ? createKeepAlive({ accounts: accounts.keepAlive, nativeToken, mempool, random })
    : null
  const houseMiner = given.houseMiner
    ? createHouseMiner({ account: accounts.houseMiner, nativeTokenId: nativeToken.id, verify })
    : null
  const common = { ledger, mempool, network, clock, logger, keepAlive }
  const producer = createBlockProducer({
    ...common,
    ...gatewaySettings(given.gateway),
    store: chain.store,
    tail: chain.tail,
    branch: chain.branch,
    blockTime: calendar.now,
    keyBlockPublisher: accounts.keyBlockPublisher.address,
    blockTimeMs: given.blockTimeMs,
    emptyMacroblocks: given.emptyMacroblocks,
    houseMiner,
  })
  const { on, emit } = eventsOf(producer, logger)
  const gateway = createGateway({
    ...common,
    producer,
    random,
    verify,
    faults,
    emit: (name, event) => emit(name, event as never),
    options: given.gateway,
  })
  const faucet = createFaucet({
    account: accounts.faucet,
    nativeToken,
    ledger,
    mempool,
    clock,
    random,
    waitMs: given.faucetWaitMs,
  })
  return {
    genesis,
    parameters: network,
    store: chain.store,
    ledger,
    mempool,
    producer,
    gateway,
    faucet,
    verify,
    calendar,
    faults,
    on,
  }
}

/** One place to listen to producer and gateway. */
function eventsOf(producer: BlockProducer, logger: Logger) {
  const events = createEvents<NetworkEvents>((error) =>
    logger.error('a listener failed', { reason: reasonOf(error) }),
  )
  for (const name of ['macroblockClosed', 'microblockAccepted', 'reorganised'] as const)
    producer.on(name, (event) => events.emit(name, event))
  return events
}
