import type { Address, MiningSnapshot } from '@hailstone/mining-node'
import type { EngineConfig } from './engine-config.ts'
import type { AccountState, PlainError, PlainSnapshot } from './engine-state.ts'
import { GAP_MS, type MinedTime, minedTimeAt } from './mined-time.ts'
import {
  type Conditions,
  isMiningPolicy,
  type MiningPolicy,
  type PauseReason,
  pauseReason,
  stricterPolicy,
} from './mining-policy.ts'
import { type AgreedPayout, agreedPayoutOf, type PayoutState, type PayoutWait } from './payout-setting.ts'
import type { Values } from './storage.ts'

/** Readings that are shown until the node has read them anew. */
export type LastReadings = Pick<MiningSnapshot, 'balance' | 'height' | 'stakes'> & {
  readonly address: Address
}

/** Everything that the controller of one account decides by, apart from the node itself. Times are Unix milliseconds. */
export type ControllerState = {
  readonly account: AccountState
  readonly conditions: Conditions
  readonly agent: Address | null
  /** The brand's policy, made stricter by the person's. */
  readonly policy: MiningPolicy
  /** Rule of payouts; null without one. Any page of this origin can store one, so it is verified before each payout. */
  readonly payout: AgreedPayout | null
  readonly payoutWait: PayoutWait | null
  readonly isWanted: boolean
  readonly pause: PauseReason | null
  readonly minedTime: MinedTime | null
  readonly lastSignedAtMs: number | null
  readonly readings: LastReadings | undefined
  /** Snapshot before the node was closed: until the next one is open the page stays where it is, with its forms. */
  readonly lastShown: PlainSnapshot | null
  readonly tickedAtMs: number
  /** Time of the last tick that is stored. */
  readonly storedTickMs: number
  readonly recountedAtMs: number
  readonly isClosed: boolean
}

/** Time between two ticks that are stored, in ms. */
const STORED_TICK_MS = 10_000
/** Totals of a period change with the time alone, though not fast. */
const RECOUNT_MS = 60_000

/** Stored values of the account that the first state is made from. */
export const KEPT = [
  'account',
  'log',
  'isAgentChosen',
  'agent',
  'policy',
  'payout',
  'isWanted',
  'lastSignedAtMs',
  'minedTime',
  'remembered',
  'lastLedMs',
] as const

/** @param hasSlept true if the page was frozen since it led last: the time since then is a gap */
export function firstState(given: {
  readonly config: EngineConfig
  readonly account: AccountState
  readonly kept: Values
  readonly conditions: Conditions
  readonly hasSlept: boolean
  readonly isAddress: (value: unknown) => value is Address
  readonly atMs: number
}): ControllerState {
  const { config, account, kept, conditions, hasSlept, isAddress, atMs } = given
  const { agent, policy, lastLedMs } = kept
  return {
    account,
    conditions,
    agent: isAddress(agent) ? agent : kept.isAgentChosen === true ? null : config.defaultAgent,
    policy: isMiningPolicy(policy) ? stricterPolicy(config.policy, policy) : config.policy,
    payout: config.mayPayOut ? agreedPayoutOf(kept.payout, isAddress) : null,
    payoutWait: null,
    isWanted: (kept.isWanted as boolean | undefined) ?? config.autoStart,
    pause: null,
    minedTime: hasSlept ? ((kept.minedTime as MinedTime | undefined) ?? null) : null,
    lastSignedAtMs: (kept.lastSignedAtMs as number | undefined) ?? null,
    readings: kept.remembered as LastReadings | undefined,
    lastShown: null,
    tickedAtMs: hasSlept && typeof lastLedMs === 'number' ? lastLedMs : atMs,
    storedTickMs: 0,
    recountedAtMs: atMs,
    isClosed: false,
  }
}

export type Ticked = {
  readonly next: ControllerState
  /** Time since which no tab led, if that is longer than timers are late by themselves; otherwise null. */
  readonly gapFromMs: number | null
  /** True if the gap is time in which mining was wanted and nothing paused it. */
  readonly isGapLogged: boolean
  /** True if the time of this tick is to be stored: a leader that is ended closes nothing, and the next one counts from there. */
  readonly isStored: boolean
  readonly isRecounted: boolean
}

export function ticked(state: ControllerState, atMs: number): Ticked {
  const { tickedAtMs, storedTickMs, recountedAtMs, isWanted, pause } = state
  const isGap = atMs - tickedAtMs > GAP_MS
  // A clock that was set back ends no wait by itself.
  const isOver = (sinceMs: number, lengthMs: number): boolean => atMs < sinceMs || atMs - sinceMs > lengthMs
  const isStored = isOver(storedTickMs, STORED_TICK_MS)
  const isRecounted = isOver(recountedAtMs, RECOUNT_MS)
  return {
    next: {
      ...state,
      tickedAtMs: atMs,
      storedTickMs: isStored ? atMs : storedTickMs,
      recountedAtMs: isRecounted ? atMs : recountedAtMs,
    },
    gapFromMs: isGap ? tickedAtMs : null,
    isGapLogged: isGap && isWanted && pause === null,
    isStored,
    isRecounted,
  }
}

/** Adds the time since the last count. @param isMining true if tasks can come */
export const counted = (state: ControllerState, atMs: number, isMining: boolean): ControllerState => ({
  ...state,
  minedTime: minedTimeAt(state.minedTime, { atMs, isWanted: state.isWanted, isMining }),
})

/** Returns why mining pauses by policy and device; null if nothing does, or if nobody wants to mine. */
export const pauseOf = ({ isWanted, policy, conditions }: ControllerState, now: Date): PauseReason | null =>
  isWanted ? pauseReason(policy, conditions, now) : null

/** True if the node has to run. */
export const shouldRun = ({ isWanted, pause, account }: ControllerState): boolean =>
  isWanted && pause === null && account.status === 'open'

export const readingsOf = ({ readings }: ControllerState, address: Address): LastReadings | undefined =>
  readings?.address === address ? readings : undefined

/** Takes the readings of a snapshot; returns the same state if they are stale or known. */
export function withReadings(state: ControllerState, snapshot: MiningSnapshot): ControllerState {
  const { address, balance, height, stakes } = snapshot
  const before = readingsOf(state, address)
  if (balance === null || balance.isStale) return state
  if (before?.balance?.readAtMs === balance.readAtMs && before.stakes === stakes) return state
  return { ...state, readings: { address, balance, height, stakes: stakes ?? before?.stakes ?? null } }
}

/** Returns the rule of payouts for pages, without its proof, with which any page could set the same rule again. */
export function shownPayout({ payout, payoutWait: why }: ControllerState): PayoutState | null {
  if (payout === null) return null
  const { proof: _, ...setting } = payout
  return { setting, why }
}

const stale = <T extends { readonly isStale: boolean }>(value: T | null): T | null =>
  value === null ? null : { ...value, isStale: true }

/** Returns the snapshot that pages show: what the node has not read yet is taken from earlier readings, as stale. */
export function shownSnapshot(
  state: ControllerState,
  snapshot: MiningSnapshot | null,
  plainError: (error: unknown) => PlainError,
): PlainSnapshot | null {
  const { account, lastShown } = state
  if (snapshot === null) {
    const isSame = account.status !== 'none' && account.address === lastShown?.address
    return isSame && lastShown !== null
      ? { ...lastShown, state: { status: 'idle', why: '', nextStep: '' } }
      : null
  }
  const { lastError, balance, height, stakes } = snapshot
  const known = readingsOf(state, snapshot.address)
  return {
    ...snapshot,
    balance: balance ?? stale(known?.balance ?? null),
    height: height ?? stale(known?.height ?? null),
    stakes: stakes ?? known?.stakes ?? null,
    lastError: lastError && { error: plainError(lastError.error), atMs: lastError.atMs },
  }
}
