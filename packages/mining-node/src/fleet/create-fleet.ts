import { systemRandomness } from '@hailstone/client'
import { type Address, NodeError, type TokenId } from '@hailstone/protocol'
import type { SettingKinds } from '@hailstone/runtime'
import { assertKinds } from '../assert-kinds.ts'
import { assertFleet, assertListener } from '../check-arguments.ts'
import { followToken } from '../follow-token.ts'
import type { HealthVerdict } from '../health/judge-health.ts'
import { sessionObstacle } from '../health/session-obstacle.ts'
import { API_WAIT_MS } from '../hold-reason.ts'
import { leaderStatus } from '../mining-settings.ts'
import { clause } from '../readiness.ts'
import { type SessionClock, sessionClock } from '../session/clock.ts'
import { createConnectionLimiter } from './connection-limiter.ts'
import type { Fleet } from './fleet.ts'
import { createFleetStream } from './fleet-events.ts'
import type { FleetPool } from './fleet-pool.ts'
import { createRefusedKeys, reportFleet } from './fleet-report.ts'
import { type CreateFleetParameters, type FleetSettings, fleetSettings } from './fleet-settings.ts'
import { logFleet } from './log-fleet.ts'
import { type OpenFleet, openFleet } from './open-fleet.ts'
import type { LoadedKey } from './signer-pool.ts'

const names: SettingKinds<CreateFleetParameters> = {
  wallets: true,
  keys: true,
  client: true,
  network: true,
  gatewayUrl: true,
  bootNodeUrls: 'list',
  requireEncryption: 'boolean',
  tokenId: true,
  referralAgent: true,
  onDuplicateKey: true,
  mineBelowStake: 'boolean',
  dangerouslySkipLeaderCheck: 'boolean',
  requireLeaderSignature: 'boolean',
  blockTimeMs: 'number',
  pollIntervalMs: 'number',
  signingThreads: 'number',
  parallelism: 'number',
  logger: true,
  clock: true,
  randomness: 'function',
  openChannel: 'function',
}

/**
 * Makes a fleet: many wallets that mine in one process, over one poll of the height, one check of each shared
 * beacon and one bounded queue of signatures. It does nothing before `start`.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`, `CONFIGURATION_INVALID`, `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`
 * @example
 * const fleet = createFleet({ keys: () => linesOf('keys.txt'), network: networks.bit, client })
 * fleet.subscribe((event) => event.type === 'rewarded' && console.log(event.address, event.amount))
 * await fleet.start()
 */
export const createFleet = (parameters: CreateFleetParameters): Fleet => {
  assertFleet(parameters)
  assertKinds('of a fleet', parameters, names)
  const { clock } = parameters
  return assembleFleet(parameters, sessionClock(clock))
}

type FleetKeysSource = Pick<CreateFleetParameters, 'wallets' | 'keys'>

/** Like {@link createFleet}, with a clock based on callbacks. */
export function assembleFleet(parameters: CreateFleetParameters, clock: SessionClock): Fleet {
  const settings = fleetSettings(parameters)
  const { client, logger, openChannel, randomness: random = systemRandomness } = parameters
  /** Let go of once the keys were read. */
  let source: FleetKeysSource | null = { wallets: parameters.wallets, keys: parameters.keys }
  const stream = createFleetStream(logger ?? client?.logger)
  if (logger !== undefined) logFleet(stream, logger)
  const admission = createAdmission(stream)
  let fleet: OpenFleet | null = null
  /** Reason why the fleet cannot start. */
  let obstacle: HealthVerdict | null = null
  let starting: Promise<void> | null = null
  let ending: Promise<void> | null = null

  let cancelApiWait: () => void = () => undefined
  let releaseStart: () => void = () => undefined
  const stopped = new Promise<void>((resolve) => {
    releaseStart = resolve
  })

  const token = createTokenSettling({
    ...{ parameters, settings, clock },
    onDoubt: (error) => {
      obstacle = nativeTokenObstacle(error.facts.reason)
      stream.emit({ type: 'failed', address: null, error })
    },
  })

  async function begin(): Promise<void> {
    const beganAtMs = client?.clock.monotonicMs()
    const terms = await token.settled()
    obstacle = null
    if (ending !== null) return
    const given = source ?? {}
    source = null
    fleet = await openFleet({
      ...{ source: given, settings: terms, isTokenChosen: parameters.tokenId !== undefined },
      ...{ beganAtMs, openChannel, client, stream, clock, random },
    })
    const { pool, signing, accounts } = fleet
    if (accounts !== null) {
      cancelApiWait = clock.after(API_WAIT_MS, accounts.onApiOverdue)
      await Promise.race([accounts.stakesRead(), stopped])
    }
    if (ending !== null) return
    const limiter = createConnectionLimiter(pool, settings.parallelism, clock)
    await signing.load((key) => {
      if (ending !== null || !admission.admit(pool, key)) return
      if ('address' in key) accounts?.expect(key.address)
      limiter.add(key.index)
    })
    accounts?.begin()
    await limiter.done(() => ending !== null)
    if (ending === null && pool.state().endedBy === null) stream.emit({ type: 'started', nodes: pool.size() })
  }

  async function end(): Promise<void> {
    source = null
    cancelApiWait()
    releaseStart()
    await token.leave()
    // A source of keys may never answer.
    await within(clock, STARTS_WITHIN_MS, starting)
    await fleet?.close()
  }

  function stop(): Promise<void> {
    ending ??= end()
    return ending
  }

  async function start(): Promise<void> {
    if (ending !== null) throw new NodeError('CONFIGURATION_INVALID', STOPPED)
    starting ??= begin()
    // A failed start undoes itself.
    await starting.catch((error: unknown) => stop().then(() => Promise.reject(error)))
  }

  const constants = {
    ...{
      refusedKeys: admission.refusedKeys,
      hasApi: client !== undefined,
      blockTimeMs: settings.blockTimeMs,
    },
    leaderCheck: leaderStatus(parameters, settings.leader),
  }
  return {
    start,
    stop,
    subscribe: (listener) => {
      assertListener(listener)
      return stream.subscribe(listener)
    },
    health: () => reportFleet(fleet, { ...constants, obstacle, now: clock.now() }),
    nodes: () => fleet?.views() ?? [].values(),
    node: (address) => fleet?.view(address),
    [Symbol.asyncDispose]: stop,
  }
}

/** Adds keys to a pool, and counts and reports those that are refused. */
function createAdmission(stream: ReturnType<typeof createFleetStream>) {
  const refusedKeys = createRefusedKeys()

  function refuse(index: number, error: NodeError): false {
    refusedKeys.add(index, error)
    stream.emit({ type: 'keyRefused', index, error })
    return false
  }

  /** False if the key was refused. */
  function admit(pool: FleetPool, key: LoadedKey): boolean {
    if ('error' in key) return refuse(key.index, key.error)
    return pool.add(key.index, key.address) || refuse(key.index, keyTwice(key.address))
  }

  return { refusedKeys, admit }
}

/** Waits until a start has ended, however it ends, or for so many milliseconds. */
async function within(clock: SessionClock, waitMs: number, starting: Promise<void> | null): Promise<void> {
  let cancel = (): void => undefined
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(waitMs, resolve)
  })
  await Promise.race([late, starting?.catch(() => undefined)])
  cancel()
}

/** Finds the token that a fleet mines: nothing is hailed in one that the network does not have. */
function createTokenSettling({
  parameters,
  settings,
  clock,
  onDoubt,
}: {
  readonly parameters: CreateFleetParameters
  readonly settings: FleetSettings
  readonly clock: SessionClock
  /** The API does not name the native token. */
  readonly onDoubt: (error: NodeError<'NATIVE_TOKEN_UNKNOWN'>) => void
}): { readonly settled: () => Promise<FleetSettings>; readonly leave: () => Promise<void> } {
  const { client, network } = parameters
  let leave: () => Promise<void> = async () => undefined

  async function settled(): Promise<FleetSettings> {
    if (client === undefined || parameters.tokenId !== undefined) return settings
    const tokenId = await new Promise<TokenId | null>((resolve) => {
      // As for a single node: the token of a network that was named stands in for an API that does not answer.
      const onLate = (): void => {
        if (network !== undefined) resolve(null)
      }
      const onError = (error: NodeError<'NATIVE_TOKEN_UNKNOWN'>): void => {
        onDoubt(error)
        onLate()
      }
      const { pollIntervalMs } = settings
      const token = followToken({ client, pollIntervalMs, onLearned: resolve, onError })
      const cancel = clock.after(API_WAIT_MS, onLate)
      leave = async () => {
        cancel()
        await token.stop()
        resolve(null)
      }
    })
    void leave()
    return tokenId === null ? settings : { ...settings, terms: { ...settings.terms, tokenId } }
  }

  return { settled, leave: () => leave() }
}

/** In the words of a node of its own. */
const nativeTokenObstacle = (detail: string): HealthVerdict | null =>
  sessionObstacle({
    status: 'waiting',
    attempt: 1,
    delayMs: 0,
    reason: { kind: 'nativeTokenUnknown', detail: clause(detail) },
  })

/** Longest wait in ms for a start that is stopped. */
const STARTS_WITHIN_MS = 10_000

const STOPPED = { path: 'start', expected: 'called once, before stop', found: 'a fleet that was stopped' }

const keyTwice = (address: Address): NodeError =>
  new NodeError('CONFIGURATION_INVALID', {
    path: 'keys',
    expected: 'each account once',
    found: `${address} a second time`,
  })
