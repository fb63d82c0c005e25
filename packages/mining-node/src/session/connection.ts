import {
  duplicateKeyDelayMs,
  failoverDelayMs,
  hintedDelayMs,
  lingeringDelayMs,
  localDelayMs,
  type RetryHint,
  reconnectDelayMs,
  refusedDelayMs,
} from './backoff.ts'
import type { UpgradeAnswer } from './channel.ts'
import { closeHint } from './close-hint.ts'
import type { SessionEffect } from './effect.ts'
import { chooseGateway, type GatewayStanding, withFaults } from './gateway-standing.ts'
import type { Moment } from './input.ts'
import { isPrivateHost } from './redirect.ts'
import type { Session, StopReason, WaitReason } from './state.ts'
import { moved, remembering, type Step, tell } from './step.ts'

const HANDSHAKE_TIMEOUT_MS = 5_000
const PING_EVERY_MS = 4_500
/** With three pings unanswered when the fourth is due, nothing was heard for 18 seconds. */
const UNANSWERED_PINGS_LIMIT = 3
/** A cut within this time after a publication casts doubt on the publication (PROTOCOL 5.8). */
const SUSPICION_MS = 10_000
/** A key that was ours for this long is not fought over: its next loss counts as the first. */
const SETTLED_MS = 3_600_000
/** A connection that lasted this long was no failure, also when no beacon came. */
const LASTING_CONNECTION_MS = 60_000
/** A key that is contested this soon after the hail may be contested by our own last session. */
const LINGERING_MS = 10_000
/** How recently that session was alive. */
const OWN_RECORD_MS = 120_000
/** How seldom that is believed, so that two devices that both believe it do not duel. */
const BELIEVED_EVERY_MS = 600_000

const CLOSE_NORMAL = 1000
const CLOSE_WITHOUT_A_WORD = 1006
const CLOSE_TOO_LARGE = 1009

/** What a reason to leave counts against the gateway, where there are several. */
const faultsOf: { readonly [K in WaitReason['kind']]: number } = {
  gatewayUnreachable: 1,
  handshakeTimeout: 1,
  connectionClosed: 0.5,
  connectionSilent: 1,
  publicationSuspected: 0,
  duplicateKey: 0,
  ownSessionLingers: 0,
  redirectsExhausted: 3,
  frameTooLarge: 3,
  gatewayRefused: 2,
  gatewayMisbehaves: 5,
  gatewaySilent: 2,
  publicationsIgnored: 3,
  offline: 0,
  slept: 0,
}

/** Where the first connection goes: chance decides, so that many miners spread. */
export function begin(session: Session, { at, random }: Moment): Step {
  const { gateways, url } = session.memory
  const choice = chooseGateway({ standings: gateways, now: at, random })
  return openConnection(remembering(session, { gatewayUrl: choice?.url ?? url }), choice?.url ?? url)
}

export function openConnection(session: Session, url: string): Step {
  const { gatewayUrl, gateways } = session.memory
  const connection = session.memory.connection + 1
  const state = { status: 'connecting', attempt: session.memory.failures + 1 } as const
  const newestBeacon = { ...session.memory.newestBeacon, microblockHash: null }
  const memory = { connection, isOpen: false, url, unansweredPings: 0, lastPublishedAt: null, newestBeacon }
  const tried = gateways.map((one) => (one.url === gatewayUrl ? { ...one, isTried: true } : one))
  return [
    moved(session, state, { ...memory, badBeacons: 0, gateways: gateways.length === 0 ? gateways : tried }),
    [
      { type: 'open', connection, url },
      { type: 'schedule', timer: 'handshake', delayMs: HANDSHAKE_TIMEOUT_MS },
    ],
  ]
}

/** The next attempt, at the gateway that was chosen when the last one was left. */
export function reopen(session: Session): Step {
  const { gateways, gatewayUrl } = session.memory
  // With one gateway whoever runs the session may have named another meanwhile.
  return openConnection(session, gateways.length === 0 ? session.settings.gatewayUrl : gatewayUrl)
}

/** Hails at once, and never a second time on the same connection (PROTOCOL 5.3). */
export function onOpened(session: Session, input: Moment & { readonly canPing: boolean }): Step {
  const { connection, url, isOpen } = session.memory
  if (session.state.status !== 'connecting' || isOpen) return [session, []]
  const { canPing, at } = input
  const pings: readonly SessionEffect[] = canPing
    ? [{ type: 'schedule', timer: 'ping', delayMs: PING_EVERY_MS }]
    : []
  return [
    remembering(session, { isOpen: true, canPing, openedAt: at, quietMacroblocks: 0 }),
    [
      { type: 'cancel', timer: 'handshake' },
      tell({ type: 'connected', url }),
      { type: 'hail', connection, url },
      ...pings,
    ],
  ]
}

export function onHailed(session: Session, { at }: Moment): Step {
  const { isOpen, url } = session.memory
  if (session.state.status !== 'connecting' || !isOpen) return [session, []]
  return [moved(session, { status: 'waitingForBeacon', since: at }), [tell({ type: 'hailed', url })]]
}

export function onPingDue(session: Session, moment: Moment): Step {
  const { connection, isOpen, unansweredPings } = session.memory
  if (!isOpen) return [session, []]
  if (unansweredPings >= UNANSWERED_PINGS_LIMIT) return leave(session, { kind: 'connectionSilent' }, moment)
  return [
    remembering(session, { unansweredPings: unansweredPings + 1 }),
    [
      { type: 'ping', connection },
      { type: 'schedule', timer: 'ping', delayMs: PING_EVERY_MS },
    ],
  ]
}

type Closed = Moment & { readonly code: number; readonly reason?: string | undefined }

export function onClosed(session: Session, input: Closed): Step {
  const hint = closeHint(input.code, input.reason)
  return leave(session, closeReason(session, input), input, { hint })
}

function closeReason(session: Session, { code, at }: Closed): WaitReason {
  const { isOpen, lastPublishedAt } = session.memory
  if (!isOpen) return { kind: 'gatewayUnreachable', detail: `closed with code ${code}` }
  if (code === CLOSE_TOO_LARGE) return { kind: 'frameTooLarge' }
  const isFresh = lastPublishedAt !== null && at - lastPublishedAt < SUSPICION_MS
  if (isFresh && code === CLOSE_WITHOUT_A_WORD) return { kind: 'publicationSuspected' }
  return { kind: 'connectionClosed', code }
}

/** Statuses that pass by themselves; any other refusal is about us, the path or the gateway for good. */
const isPassing = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500 || status < 400

type Failed = Moment & { readonly detail: string; readonly answer?: UpgradeAnswer | undefined }

/** A server that answered in HTTP says by its status whether coming back soon makes sense. */
export function onFailed(session: Session, input: Failed): Step {
  const { detail, answer, random } = input
  if (answer === undefined) return leave(session, { kind: 'gatewayUnreachable', detail }, input)
  const { status, retryAfterMs } = answer
  const reason = { kind: 'gatewayRefused', status } as const
  if (!isPassing(status)) return leave(session, reason, input, { leastMs: refusedDelayMs(random) })
  const leastMs = retryAfterMs === null ? 0 : hintedDelayMs({ retryAfterMs }, random)
  return leave(session, reason, input, { leastMs })
}

type Wishes = {
  /** Stands in for the first draw. */
  readonly hint?: RetryHint | null | undefined
  /** The gateway is not to be asked before. */
  readonly leastMs?: number | undefined
}

/** Ends the connection and waits for the next one, at the gateway that has behaved best. */
export function leave(session: Session, reason: WaitReason, moment: Moment, wishes: Wishes = {}): Step {
  const { connection } = session.memory
  const { at, random } = moment
  const failures = failuresNow(session, at)
  const { hint, leastMs = 0 } = wishes
  const blockedMs = Math.max(leastMs, hint === null || hint === undefined ? 0 : hint.retryAfterMs)
  const gateways = afterLeaving(session, faultsOf[reason.kind], { at, blockedMs })
  // The same draw would tie the choice to the wait.
  const choice = chooseGateway({ standings: gateways, now: at, random: (random * 7919) % 1 })
  const delayMs = choice?.isFresh === true ? failoverDelayMs(random) : returnDelay()
  const isNewRound = choice?.isFresh === false

  function returnDelay(): number {
    if (hint !== null && hint !== undefined) return hintedDelayMs(hint, random)
    const rounds = Math.floor(failures / Math.max(1, gateways.length))
    return Math.max(leastMs, reconnectDelayMs({ failures: rounds, random }))
  }

  const remembered = remembering(session, {
    gateways: isNewRound ? gateways.map((one) => ({ ...one, isTried: false })) : gateways,
    gatewayUrl: choice?.url ?? session.memory.gatewayUrl,
  })
  return waiting(remembered, reason, { delayMs, failures: failures + 1, connection, at })
}

/** Connections in a row that brought neither a valid beacon nor lasted. */
function failuresNow({ memory }: Session, at: number): number {
  const { isOpen, openedAt, failures } = memory
  return isOpen && at - openedAt >= LASTING_CONNECTION_MS ? 0 : failures
}

function afterLeaving(
  { memory }: Session,
  faults: number,
  { at, blockedMs }: { readonly at: number; readonly blockedMs: number },
): readonly GatewayStanding[] {
  const { gateways, gatewayUrl } = memory
  if (gateways.length === 0) return gateways
  return gateways.map((one) =>
    one.url === gatewayUrl ? { ...withFaults(one, faults, at), blockedUntil: at + blockedMs } : one,
  )
}

/** Something that happened to this machine alone: back to where we were, soon. */
function leaveForAMoment(session: Session, reason: WaitReason, moment: Moment): Step {
  const { connection, failures } = session.memory
  const delayMs = localDelayMs(moment.random)
  return waiting(session, reason, { delayMs, failures, connection, at: moment.at })
}

/** What was open before a sleep is dead, and what was scheduled is too late: one attempt, at once. */
export function onResumed(session: Session, input: Moment & { readonly gapMs: number }): Step {
  if (session.state.status === 'idle') return [session, []]
  if (session.state.status === 'waiting') return comeBackSoon(session, input)
  return leaveForAMoment(session, { kind: 'slept', gapMs: input.gapMs }, input)
}

/** A link within this machine or its own network does not depend on what the device calls online. */
export function onOffline(session: Session, moment: Moment): Step {
  const { state, memory } = session
  const isLocal = isPrivateHost(new URL(memory.url).hostname)
  if (isLocal || state.status === 'idle' || state.status === 'waiting') return [session, []]
  return leave(session, { kind: 'offline' }, moment)
}

export function onOnline(session: Session, moment: Moment): Step {
  return session.state.status === 'waiting' ? comeBackSoon(session, moment) : [session, []]
}

/** Shortens a wait, but never one that keeps us from fighting over a key or that a server asked for. */
function comeBackSoon(session: Session, { random }: Moment): Step {
  const { state } = session
  if (state.status !== 'waiting') return [session, []]
  const { kind } = state.reason
  if (kind === 'duplicateKey' || kind === 'ownSessionLingers' || kind === 'gatewayRefused')
    return [session, []]
  const delayMs = localDelayMs(random)
  return [moved(session, { ...state, delayMs }), [{ type: 'schedule', timer: 'reconnect', delayMs }]]
}

/**
 * Another connection took over the key: an end, or a long pause when the owner asked for one. Once in a while it
 * is our own last session, which the gateway still holds for alive.
 */
export function onDuplicateKey(session: Session, moment: Moment): Step {
  const { connection, failures, openedAt } = session.memory
  const { at, random } = moment
  if (isOwnGhost(session, at)) {
    const counted = remembering(session, { lingeredAt: at })
    const delayMs = lingeringDelayMs(random)
    return waiting(counted, { kind: 'ownSessionLingers' }, { delayMs, failures, connection, at })
  }
  if (session.settings.onDuplicateKey === 'stop') return stop(session, 'duplicate key')
  const duplicates = at - openedAt > SETTLED_MS ? 0 : session.memory.duplicates
  const delayMs = duplicateKeyDelayMs({ duplicates, random })
  const counted = remembering(session, { duplicates: duplicates + 1 })
  return waiting(counted, { kind: 'duplicateKey' }, { delayMs, failures, connection, at })
}

function isOwnGhost({ memory }: Session, at: number): boolean {
  const { openedAt, lastOwnAt, lingeredAt } = memory
  if (lastOwnAt === null || at - openedAt > LINGERING_MS || at - lastOwnAt > OWN_RECORD_MS) return false
  return lingeredAt === null || at - lingeredAt > BELIEVED_EVERY_MS
}

function waiting(
  session: Session,
  reason: WaitReason,
  next: {
    readonly delayMs: number
    readonly failures: number
    readonly connection: number
    readonly at: number
  },
): Step {
  const { delayMs, failures, connection, at } = next
  const { isOpen, lastOwnAt } = session.memory
  const state = { status: 'waiting', attempt: failures + 1, delayMs, reason } as const
  const left = { connection: connection + 1, isOpen: false, failures, redirects: 0 }
  /** A session that was evicted does not linger. */
  function ownAliveAt({ kind }: WaitReason): number | null {
    if (kind === 'duplicateKey' || kind === 'ownSessionLingers') return null
    return isOpen ? at : lastOwnAt
  }
  return [
    moved(session, state, { ...left, lastOwnAt: ownAliveAt(reason) }),
    [
      { type: 'cancelAll' },
      { type: 'close', connection, code: CLOSE_NORMAL },
      { type: 'schedule', timer: 'reconnect', delayMs },
      tell({ type: 'disconnected', reason, delayMs }),
    ],
  ]
}

/** For good: nothing moves a stopped session. */
export function stop(session: Session, reason: StopReason): Step {
  const { connection } = session.memory
  return [
    moved(session, { status: 'stopped', reason }, { connection: connection + 1, isOpen: false }),
    [
      { type: 'cancelAll' },
      { type: 'close', connection, code: CLOSE_NORMAL },
      tell({ type: 'stopped', reason }),
    ],
  ]
}
