import { systemClock } from '@hailstone/client'
import { type Address, NodeError } from '@hailstone/protocol'
import { findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'
import { judgeHealth } from '../health/judge-health.ts'
import { openNodeChannel } from '../node/open-node-channel.ts'
import type { OpenChannel } from '../session/channel.ts'
import { type SessionClock, sessionClock } from '../session/clock.ts'
import { createBeaconDesk } from './beacon-desk.ts'
import { createBeaconReader } from './beacon-reader.ts'
import { createDescriptorGuard, type DescriptorGuard } from './descriptor-guard.ts'
import type { Fleet } from './fleet.ts'
import { systemSessionClock } from './fleet-clock.ts'
import { createFleetCrew, type FleetCrew } from './fleet-crew.ts'
import { createFleetStream } from './fleet-events.ts'
import { type FleetHealth, problemsOf, type RefusedKey } from './fleet-health.ts'
import { type FleetKeys, openKeys } from './fleet-keys.ts'
import { type CreateFleetParameters, fleetSettings } from './fleet-settings.ts'
import { type FleetTip, followFleetTip } from './fleet-tip.ts'
import { createGatewayChoice } from './gateway-choice.ts'
import { createLauncher } from './launcher.ts'
import { createLocalSigning } from './local-signing.ts'
import { logFleet } from './log-fleet.ts'
import { loadWsChannel } from './open-ws-channel.ts'
import { sessionsObstacle } from './sessions-obstacle.ts'
import type { LoadedKey, MiningTerms, SigningDesk } from './signing-desk.ts'
import { createThreadSigning } from './thread-signing.ts'

/** What exists from the start of a fleet to its end. */
type Running = {
  readonly crew: FleetCrew
  readonly signing: SigningDesk
  readonly guard: DescriptorGuard
  readonly tip: FleetTip | null
  readonly endRebalancing: () => void
}

const REBALANCE_EVERY_MS = 5_000
const REFUSED_KEYS_SHOWN = 100

/**
 * Makes a fleet: many wallets that mine in one process, over one poll of the height, one check of each shared
 * beacon and one bounded queue of signatures. It does nothing before `start`.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 * @example
 * const fleet = createFleet({ keys: () => readLines('keys.txt'), network: networks.bit, client })
 * fleet.subscribe((event) => event.type === 'included' && console.log(event.address, event.reward))
 * await fleet.start()
 */
export const createFleet = (parameters: CreateFleetParameters): Fleet => {
  const { clock } = parameters
  return assembleFleet(parameters, clock === undefined ? systemSessionClock() : sessionClock(clock))
}

/** As {@link createFleet}, with a clock made of callbacks. */
export function assembleFleet(parameters: CreateFleetParameters, clock: SessionClock): Fleet {
  const settings = fleetSettings(parameters)
  const { terms, gatewayUrls, onDuplicateKey, parallelism } = settings
  const { client, logger, openChannel: givenChannel } = parameters
  const { randomness: random = Math.random, clock: { now: wallNow } = systemClock } = parameters
  let source: CreateFleetParameters | null = parameters
  const stream = createFleetStream()
  if (logger !== undefined) logFleet(stream, logger)
  const gateways = createGatewayChoice(gatewayUrls, clock.now)
  const reader = createBeaconReader()
  const beacons = createBeaconDesk({ verify: (questions) => requireRunning().signing.verify(questions) })
  const refusedKeys: RefusedKey[] = []
  let refusedKeyCount = 0
  let included = 0
  let running: Running | null = null
  let starting: Promise<void> | null = null
  let ending: Promise<void> | null = null

  function requireRunning(): Running {
    if (running === null) throw new NodeError('SIGNER_FAILED', { reason: 'the fleet does not run' })
    return running
  }

  async function open(): Promise<Running> {
    const given = source
    source = null
    const signing = await openSigning(given ?? {}, terms, clock, settings.signingThreads, () =>
      stream.emit({
        type: 'failed',
        address: null,
        error: new NodeError('SIGNER_FAILED', { reason: 'a signing thread ended' }),
      }),
    )
    const openChannel: OpenChannel = givenChannel ?? (await loadWsChannel()) ?? openNodeChannel
    const guard = createDescriptorGuard({
      openChannel,
      now: clock.now,
      onShortage: (code, openSockets) => stream.emit({ type: 'shortage', code, openSockets }),
    })
    const crew = createFleetCrew({
      openChannel: guard.openChannel,
      clock,
      random,
      signing,
      beacons,
      reader,
      gateways,
      onDuplicateKey,
      emit: stream.emit,
      onPublished: (microblockHash, node) => running?.tip?.published(microblockHash, node),
    })
    return {
      crew,
      signing,
      guard,
      tip: client === undefined ? null : openTip(crew),
      endRebalancing: rebalance(crew),
    }
  }

  function openTip(crew: FleetCrew): FleetTip {
    if (client === undefined) throw new TypeError('no client')
    return followFleetTip({
      client,
      pollIntervalMs: settings.pollIntervalMs,
      now: wallNow,
      onHeight: ({ height, isStale }) => stream.emit({ type: 'heightChanged', height, isStale }),
      onError: (error) => stream.emit({ type: 'failed', address: null, error }),
      onIncluded: (microblock, node) => {
        included++
        const address = crew.addressOf(node)
        if (address !== undefined) stream.emit({ type: 'included', address, ...microblock })
      },
    })
  }

  /** Needed where there is more than one gateway. */
  function rebalance(crew: FleetCrew): () => void {
    if (gatewayUrls.length < 2) return () => undefined
    let end: () => void = () => undefined
    const later = (): void => {
      end = clock.after(REBALANCE_EVERY_MS, () => {
        crew.rebalance()
        later()
      })
    }
    later()
    return () => end()
  }

  function refuse(index: number, error: NodeError): void {
    refusedKeyCount++
    if (refusedKeys.length < REFUSED_KEYS_SHOWN) refusedKeys.push({ index, error })
    stream.emit({ type: 'keyRefused', index, error })
  }

  function admit(crew: FleetCrew, key: LoadedKey): boolean {
    if ('error' in key) refuse(key.index, key.error)
    else if (crew.add(key.index, key.address)) return true
    else refuse(key.index, keyTwice(key.address))
    return false
  }

  async function begin(): Promise<void> {
    const opened = await open()
    running = opened
    const { crew, signing } = opened
    const launcher = createLauncher(crew, parallelism, clock)
    await signing.load((key) => {
      if (ending === null && admit(crew, key)) launcher.add(key.index)
    })
    await launcher.done(() => ending !== null)
    if (ending === null) stream.emit({ type: 'started', nodes: crew.size() })
  }

  async function end(): Promise<void> {
    source = null
    await starting?.catch(() => undefined)
    if (running === null) return
    const { crew, signing, guard, tip, endRebalancing } = running
    endRebalancing()
    await Promise.all([crew.stop(parallelism), tip?.stop()])
    await signing.stop()
    guard.release()
  }

  function stop(): Promise<void> {
    ending ??= end()
    return ending
  }

  async function start(): Promise<void> {
    if (ending !== null) throw new NodeError('CONFIGURATION_INVALID', STOPPED)
    starting ??= begin()
    try {
      await starting
    } catch (error) {
      // A failed start undoes itself.
      await stop()
      throw error
    }
  }

  function health(): FleetHealth {
    const counts = running?.crew.counts() ?? NOTHING_YET
    const height = running?.tip?.height() ?? null
    const tipAgeMs = height === null ? null : wallNow() - height.readAtMs
    const lastBeaconAgeMs = counts.lastBeaconAt === null ? null : clock.now() - counts.lastBeaconAt
    const total = running?.crew.size() ?? 0
    const { status } = counts
    const verdict = judgeHealth({
      obstacle: sessionsObstacle(status.mining + status.waitingForBeacon, total),
      lastBeaconAgeMs,
      windowMs: settings.blockTimeMs,
      tipAgeMs: client === undefined ? 'unused' : tipAgeMs,
    })
    return {
      isReady: verdict.code === 'READY',
      ...verdict,
      nodes: { total, refused: refusedKeyCount, ...status },
      publications: { published: counts.published, included, refused: counts.refused },
      beacons: { ...reader.counts(), ...beacons.counts() },
      signing: running?.signing.counts() ?? { threads: 0, arithmetic: '', waiting: 0, signed: 0 },
      gateways: gateways.view(),
      openSockets: running?.guard.open() ?? 0,
      shortage: running?.guard.shortage() ?? null,
      tip: height === null ? null : { height: height.height, ageMs: tipAgeMs ?? 0, isStale: height.isStale },
      lastBeaconAgeMs,
      problems: problemsOf(running?.crew.views() ?? []),
      refusedKeys: [...refusedKeys],
    }
  }

  return {
    start,
    stop,
    subscribe: stream.subscribe,
    health,
    nodes: () => running?.crew.views() ?? [].values(),
    node: (address) => running?.crew.view(address),
    [Symbol.asyncDispose]: stop,
  }
}

const STOPPED = { path: 'start', expected: 'called once, before stop', found: 'a fleet that was stopped' }

const NOTHING_YET = {
  status: { idle: 0, connecting: 0, waitingForBeacon: 0, mining: 0, waiting: 0, stopped: 0 },
  published: 0,
  refused: 0,
  lastBeaconAt: null,
}

const keyTwice = (address: Address): NodeError =>
  new NodeError('CONFIGURATION_INVALID', {
    path: 'keys',
    expected: 'each account once',
    found: `${address} a second time`,
  })

async function openSigning(
  { wallets, keys }: CreateFleetParameters,
  terms: MiningTerms,
  clock: SessionClock,
  threads: number,
  onThreadEnded: () => void,
): Promise<SigningDesk> {
  if (keys !== undefined && threads > 0) {
    return createThreadSigning({ keys, threads, terms, clock, onThreadEnded })
  }
  const ecdsa = await findAcceleratedEcdsa()
  const signers = wallets ?? openKeys(keys as FleetKeys, ecdsa)
  return createLocalSigning({ signers, terms, ecdsa })
}
