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

/** Like {@link createFleet}, with a clock based on callbacks. */
export function assembleFleet(parameters: CreateFleetParameters, clock: SessionClock): Fleet {
  const settings = fleetSettings(parameters)
  const { client, logger, openChannel, randomness: random = systemRandomness } = parameters
  const { wallets, keys } = parameters
  /** Let go of once the keys were read. */
  let source: Pick<CreateFleetParameters, 'wallets' | 'keys'> | null = { wallets, keys }
  const stream = createFleetStream(logger ?? client?.logger)
  if (logger !== undefined) logFleet(stream, logger)
  const refusedKeys = createRefusedKeys()
  let fleet: OpenFleet | null = null
  /** Reason why the fleet cannot start. */
  let obstacle: HealthVerdict | null = null
  let starting: Promise<void> | null = null
  let ending: Promise<void> | null = null

  function refuse(index: number, error: NodeError): void {
    refusedKeys.add(index, error)
    stream.emit({ type: 'keyRefused', index, error })
  }

  /** Adds the key to the pool; false if it was refused. */
  function admit(pool: FleetPool, key: LoadedKey): boolean {
    if ('error' in key) refuse(key.index, key.error)
    else if (pool.add(key.index, key.address)) return true
    else refuse(key.index, keyTwice(key.address))
    return false
  }

  let leaveToken: () => Promise<void> = async () => undefined
  let cancelApiWait: () => void = () => undefined
  let releaseStart: () => void = () => undefined
  const stopped = new Promise<void>((resolve) => {
    releaseStart = resolve
  })

  /** The token that is mined: nothing is hailed in one that the network does not have. */
  async function settledTerms(): Promise<FleetSettings> {
    if (client === undefined || parameters.tokenId !== undefined) return settings
    const tokenId = await new Promise<TokenId | null>((resolve) => {
      const { pollIntervalMs } = settings
      // As for a single node: the token of a network that was named stands in for an API that does not answer.
      const onLate = (): void => {
        if (parameters.network !== undefined) resolve(null)
      }
      const onError = (error: NodeError<'NATIVE_TOKEN_UNKNOWN'>): void => {
        obstacle = nativeTokenObstacle(error.facts.reason)
        stream.emit({ type: 'failed', address: null, error })
        onLate()
      }
      const token = followToken({ client, pollIntervalMs, onLearned: resolve, onError })
      cancelApiWait = clock.after(API_WAIT_MS, onLate)
      leaveToken = async () => {
        await token.stop()
        resolve(null)
      }
    })
    cancelApiWait()
    void leaveToken()
    obstacle = null
    return tokenId === null ? settings : { ...settings, terms: { ...settings.terms, tokenId } }
  }

  async function begin(): Promise<void> {
    const beganAtMs = client?.clock.monotonicMs()
    const terms = await settledTerms()
    if (ending !== null) return
    const given = source ?? {}
    source = null
    const isTokenChosen = parameters.tokenId !== undefined
    const parts = { settings: terms, isTokenChosen, beganAtMs, openChannel, client, stream, clock, random }
    fleet = await openFleet({ source: given, ...parts })
    const { pool, signing, accounts } = fleet
    if (accounts !== null) {
      cancelApiWait = clock.after(API_WAIT_MS, accounts.onApiOverdue)
      await Promise.race([accounts.stakesRead(), stopped])
    }
    if (ending !== null) return
    const limiter = createConnectionLimiter(pool, settings.parallelism, clock)
    await signing.load((key) => {
      if (ending !== null || !admit(pool, key)) return
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
    await leaveToken()
    // A source of keys may never answer.
    let cancel = (): void => undefined
    const late = new Promise<void>((resolve) => {
      cancel = clock.after(STARTS_WITHIN_MS, resolve)
    })
    await Promise.race([late, starting?.catch(() => undefined)])
    cancel()
    await fleet?.close()
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

  const hasApi = client !== undefined
  const { blockTimeMs } = settings
  return {
    start,
    stop,
    subscribe: (listener) => {
      assertListener(listener)
      return stream.subscribe(listener)
    },
    health: () =>
      reportFleet(fleet, {
        refusedKeys,
        obstacle,
        hasApi,
        leaderCheck: leaderStatus(parameters, settings.leader),
        blockTimeMs,
        now: clock.now(),
      }),
    nodes: () => fleet?.views() ?? [].values(),
    node: (address) => fleet?.view(address),
    [Symbol.asyncDispose]: stop,
  }
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
