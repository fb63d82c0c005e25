import type { Client } from '@hailstone/client'
import { type Address, keystoreError } from '@hailstone/protocol'
import { findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'
import { fitForJson } from '../health/fit-for-json.ts'
import { openNodeChannel } from '../node/open-node-channel.ts'
import type { OpenChannel } from '../session/channel.ts'
import type { SessionClock } from '../session/clock.ts'
import { watchGaps } from '../session/gap-watch.ts'
import type { Began } from '../watchers/first-open-block.ts'
import { type BeaconReader, createBeaconReader } from './beacon-reader.ts'
import { type BeaconVerifier, createBeaconVerifier } from './beacon-verifier.ts'
import { createDescriptorGuard, type DescriptorGuard } from './descriptor-guard.ts'
import { type FleetAccounts, followFleetAccounts } from './fleet-accounts.ts'
import type { FleetStream } from './fleet-events.ts'
import type { FleetNodeView } from './fleet-health.ts'
import { type FleetKeys, openKeys } from './fleet-keys.ts'
import { createFleetPool, type FleetPool, type PooledNodeView } from './fleet-pool.ts'
import type { CreateFleetParameters, FleetSettings } from './fleet-settings.ts'
import { type FleetTip, followFleetTip } from './fleet-tip.ts'
import { createGatewayChoice, type GatewayChoice } from './gateway-choice.ts'
import { createLocalSigning } from './local-signing.ts'
import { loadWsChannel } from './open-ws-channel.ts'
import type { SignerPool } from './signer-pool.ts'
import { createThreadSigning } from './thread-signing.ts'

/** Everything of a fleet that lives from its start to its end. */
export type OpenFleet = {
  readonly pool: FleetPool
  readonly signing: SignerPool
  readonly beacons: BeaconVerifier
  readonly reader: BeaconReader
  readonly gateways: GatewayChoice
  readonly guard: DescriptorGuard
  /** Null without an API. */
  readonly tip: FleetTip | null
  /** Null without an API. */
  readonly accounts: FleetAccounts | null
  readonly views: () => IterableIterator<FleetNodeView>
  readonly view: (address: Address) => FleetNodeView | undefined
  /** Microblocks of ours that are in the chain, and how often one was taken back. */
  readonly inclusions: () => { readonly included: number; readonly excluded: number }
  readonly close: () => Promise<void>
}

export type OpenFleetParameters = Began & {
  /** Source of the keys; not kept. */
  readonly source: Pick<CreateFleetParameters, 'wallets' | 'keys'>
  readonly settings: FleetSettings
  /** True if the program named the token. */
  readonly isTokenChosen: boolean
  readonly openChannel: OpenChannel | undefined
  readonly client: Client | undefined
  readonly stream: FleetStream
  readonly clock: SessionClock
  readonly random: () => number
}

const REBALANCE_EVERY_MS = 5_000
/** Shortest standstill that counts as sleep. */
const MIN_GAP_MS = 15_000

/** Puts the parts of a fleet together; nothing connects yet. */
export async function openFleet(parameters: OpenFleetParameters): Promise<OpenFleet> {
  const { settings, stream, clock, random } = parameters
  const { gatewayUrls, bootNodeUrls, onDuplicateKey, requireEncryption, parallelism } = settings
  const signing = await openSigning(parameters)
  const gateways = createGatewayChoice({ urls: gatewayUrls, bootNodeUrls, now: clock.now })
  const reader = createBeaconReader()
  const beacons = createBeaconVerifier({ verify: signing.verify, leader: settings.leader })
  const guard = createDescriptorGuard({
    openChannel: parameters.openChannel ?? (await loadWsChannel()) ?? openNodeChannel,
    now: clock.now,
    onShortage: (code, openSockets) => stream.emit({ type: 'shortage', code, openSockets }),
  })
  const pool = createFleetPool({
    openChannel: guard.openChannel,
    clock,
    random,
    signing,
    beacons,
    reader,
    gateways,
    settings: { bootNodeUrls, onDuplicateKey, requireEncryption },
    emit: stream.emit,
    onPublished: (microblockHash, node, keyBlockHash) => {
      tip?.published(microblockHash, node, keyBlockHash)
      accounts?.published(keyBlockHash)
    },
    onOffered: () => accounts?.offered(),
    onRefused: () => accounts?.refused(),
    onSuspected: (address) => accounts?.check(address),
  })
  const inclusions = { included: 0, excluded: 0 }
  const tip = openTip(parameters, {
    pool,
    gateways,
    onIncluded: () => {
      inclusions.included++
    },
    onExcluded: () => {
      inclusions.included--
      inclusions.excluded++
    },
  })
  const accounts = openAccounts(parameters, { pool, tip })
  /** With what the API says of the account. */
  const completed = (view: PooledNodeView): FleetNodeView => {
    if (accounts === null) return { ...view, account: null }
    const { address, status } = view
    const areOthersMining = pool.state().status.mining > 0
    const why = status === 'waitingForBeacon' ? accounts.explain(address, areOthersMining) : null
    return fitForJson({ ...view, ...why, account: accounts.view(address) })
  }
  const endRebalancing = rebalanceAgainAndAgain(pool, settings, clock)
  const endGaps = watchGaps(clock, { minGapMs: MIN_GAP_MS, onGap: pool.resume })
  const close = async (): Promise<void> => {
    endRebalancing()
    endGaps()
    await Promise.all([pool.stop(parallelism), tip?.stop(), accounts?.stop()])
    await signing.stop()
    guard.release()
  }
  return {
    ...{ pool, signing, beacons, reader, gateways, guard, tip, accounts, close },
    inclusions: () => ({ ...inclusions }),
    views: function* () {
      for (const view of pool.views()) yield completed(view)
    },
    view: (address) => {
      const view = pool.view(address)
      return view && completed(view)
    },
  }
}

async function openSigning({ source, settings, stream, clock }: OpenFleetParameters): Promise<SignerPool> {
  const { wallets, keys } = source
  const { terms, signingThreads: threads } = settings
  const onThreadEnded = (): void => {
    const error = keystoreError('SIGNER_FAILED', { reason: 'a signing thread ended' })
    stream.emit({ type: 'failed', address: null, error })
  }
  if (keys !== undefined && threads > 0) {
    return createThreadSigning({ keys, threads, terms, clock, onThreadEnded })
  }
  const ecdsa = await findAcceleratedEcdsa()
  const signers = wallets ?? openKeys(keys as FleetKeys, ecdsa)
  return createLocalSigning({ signers, terms, ecdsa, clock, mayDiffer: wallets !== undefined })
}

function openTip(
  { client, settings, stream, clock }: OpenFleetParameters,
  parts: Pick<OpenFleet, 'pool' | 'gateways'> & {
    readonly onIncluded: () => void
    readonly onExcluded: () => void
  },
): FleetTip | null {
  if (client === undefined) return null
  const { pool, gateways, onIncluded, onExcluded } = parts
  return followFleetTip({
    client,
    pollIntervalMs: settings.pollIntervalMs,
    size: pool.size,
    clock,
    blockTimeMs: settings.blockTimeMs,
    onMined: gateways.chainGrew,
    onHeight: ({ height, isStale }) => stream.emit({ type: 'heightChanged', height, isStale }),
    onError: (error) => stream.emit({ type: 'failed', address: null, error }),
    onExcluded,
    onIncluded: (microblock, node) => {
      onIncluded()
      const address = pool.addressOf(node)
      if (address !== undefined) stream.emit({ type: 'included', address, ...microblock })
    },
    onMissed: (microblockHash, node) => {
      const address = pool.addressOf(node)
      if (address !== undefined) stream.emit({ type: 'missed', address, microblockHash })
    },
  })
}

function openAccounts(
  { client, settings, isTokenChosen, beganAtMs, stream }: OpenFleetParameters,
  { pool, tip }: Pick<OpenFleet, 'pool' | 'tip'>,
): FleetAccounts | null {
  if (client === undefined) return null
  return followFleetAccounts({
    client,
    terms: settings.terms,
    isTokenChosen,
    beganAtMs,
    pollIntervalMs: settings.pollIntervalMs,
    accounts: pool.addresses,
    size: pool.size,
    isOurs: pool.has,
    isPublished: (microblockHash) => tip?.has(microblockHash) === true,
    behind: () => tip?.behind() ?? null,
    mineBelowStake: settings.mineBelowStake,
    hold: pool.hold,
    onRefused: pool.end,
    emit: stream.emit,
    onError: (error) => stream.emit({ type: 'failed', address: null, error }),
  })
}

/** Rebalances at intervals, if there is more than one gateway. */
function rebalanceAgainAndAgain(
  pool: FleetPool,
  { gatewayUrls }: FleetSettings,
  clock: SessionClock,
): () => void {
  if (gatewayUrls.length < 2) return () => undefined
  let end: () => void = () => undefined
  const later = (): void => {
    end = clock.after(REBALANCE_EVERY_MS, () => {
      pool.rebalance()
      later()
    })
  }
  later()
  return () => end()
}
