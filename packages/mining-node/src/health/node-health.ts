import { type Clock, systemClock } from '@hailstone/client'
import { assertArgument } from '@hailstone/protocol'
import type { SettingKinds } from '@hailstone/runtime'
import { assertKinds } from '../assert-kinds.ts'
import type { MiningNode } from '../mining-node.ts'
import { blockingWarning, notChosenYet } from '../mining-state.ts'
import type { MiningWarning } from '../readiness.ts'
import type { LeaderStatus } from '../store/mining-snapshot.ts'
import { type HealthVerdict, isReadyCode, judgeHealth } from './judge-health.ts'
import { asSentence, sessionObstacle } from './session-obstacle.ts'
import { type SeenTip, tipAgeOf, withHeight } from './tip-age.ts'

/** Answer of a running node on its health port. */
export type NodeHealth = HealthVerdict & {
  /** True if the node mines, or others were chosen, and nothing is in its way. */
  readonly isReady: boolean
  /** Time since a beacon was verified and signed, in ms; null before the first. */
  readonly lastBeaconAgeMs: number | null
  /** Age of the newest block of the API. Null before the API answered the height; `unused` without an API. */
  readonly tipAgeMs: number | null | 'unused'
  /** Time since the balance was read, in ms; null before. */
  readonly balanceAgeMs: number | null
  /** Verification of leaders' signatures, as in the snapshot. */
  readonly leaderCheck: LeaderStatus
}

/** Watches a node and answers with its present health. */
export type HealthWatch = {
  /** Returns the health as it is now, without a request. */
  readonly read: () => NodeHealth
  /** Milliseconds since this watch began. */
  readonly uptimeMs: () => number
  /** Ends the watch. Idempotent. */
  readonly stop: () => void
}

type WatchNodeHealthParameters = {
  readonly node: MiningNode
  /** The network's time between blocks. */
  readonly windowMs: number
  readonly clock?: Clock | undefined
}

const kinds: SettingKinds<WatchNodeHealthParameters> = { node: true, windowMs: 'number', clock: true }

const hasMethods = (value: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => typeof Reflect.get(Object(value), name) === 'function')

function assertParameters(parameters: WatchNodeHealthParameters): void {
  assertKinds('of watchNodeHealth', parameters, kinds)
  const { node, windowMs, clock = systemClock } = Object(parameters)
  assertArgument(
    hasMethods(node, 'on', 'snapshot', 'subscribe'),
    'node',
    'a node, of createMiningNode({ wallet })',
    node,
  )
  assertArgument(windowMs !== undefined, 'windowMs', 'a number of milliseconds', windowMs)
  assertArgument(hasMethods(clock, 'now', 'monotonicMs'), 'clock', 'a clock, such as systemClock', clock)
}

/**
 * Follows what decides about the health of one node.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 * @example
 * const watch = watchNodeHealth({ node, windowMs: 15_000 })
 * const { isReady, code, why } = watch.read()
 */
export function watchNodeHealth(parameters: WatchNodeHealthParameters): HealthWatch {
  assertParameters(parameters)
  const { node, windowMs, clock = systemClock } = parameters
  const begunAt = clock.monotonicMs()
  let lastBeaconAt: number | null = null
  // A signature only ever leaves for a beacon that was verified.
  const leavePublished = node.on('published', () => {
    lastBeaconAt = clock.monotonicMs()
  })
  let tip: SeenTip | null = null
  const look = (): void => {
    const { height } = node.snapshot()
    if (height !== null) tip = withHeight(tip, height.value, clock.monotonicMs())
  }
  const leaveHeight = node.on('heightChanged', look)
  look()
  let balanceRead: { readonly readAtMs: number; readonly atMs: number } | null = null
  const lookAtBalance = (): void => {
    const readAtMs = node.snapshot().balance?.readAtMs
    if (readAtMs === undefined || readAtMs === balanceRead?.readAtMs) return
    balanceRead = { readAtMs, atMs: clock.monotonicMs() - Math.max(0, clock.now() - readAtMs) }
  }
  const leaveBalance = node.subscribe(lookAtBalance)
  lookAtBalance()

  function tipAge(): NodeHealth['tipAgeMs'] {
    const { api, height } = node.snapshot()
    if (api.status === 'unused') return 'unused'
    look()
    const now = { atMs: clock.monotonicMs(), unixMs: clock.now(), minedAtMs: height?.minedAtMs }
    return tip && Math.round(tipAgeOf(tip, now))
  }

  /** Only where the stake is known to suffice and nothing that came was refused. */
  function notChosen(): string | null {
    const { othersMined, stakes, balance, warnings, lastRefusal } = node.snapshot()
    const isStakeKnown = stakes !== null && balance !== null
    const isBlocked = blockingWarning(warnings) !== undefined || lastRefusal !== null
    if (othersMined.microblocks === 0 || !isStakeKnown || isBlocked) return null
    return asSentence(notChosenYet(othersMined))
  }

  return {
    read: () => {
      const lastBeaconAgeMs = lastBeaconAt === null ? null : Math.round(clock.monotonicMs() - lastBeaconAt)
      const tipAgeMs = tipAge()
      const balanceAgeMs = balanceRead && Math.round(clock.monotonicMs() - balanceRead.atMs)
      const { state } = node
      const found = sessionObstacle(state)
      // In the words of the node, which knows what the API says of token and stake.
      const obstacle = found && { ...found, why: asSentence(state.why), nextStep: state.nextStep }
      const { warnings, leaderCheck: check } = node.snapshot()
      const warningOf = (code: MiningWarning['code']) => warnings.find((one) => one.code === code)?.message
      const [behind, notSeen] = [warningOf('API_BEHIND'), warningOf('NOT_SEEN')]
      const facts = { obstacle, lastBeaconAgeMs, windowMs, tipAgeMs, behind, notChosen: notChosen(), notSeen }
      const verdict = judgeHealth(facts)
      const leaderCheck = check.status
      const ages = { lastBeaconAgeMs, tipAgeMs, balanceAgeMs }
      return { isReady: isReadyCode(verdict.code), ...verdict, ...ages, leaderCheck }
    },
    uptimeMs: () => clock.monotonicMs() - begunAt,
    stop: () => {
      leavePublished()
      leaveHeight()
      leaveBalance()
    },
  }
}
