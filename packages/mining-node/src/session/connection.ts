import { LOW_STAKE } from '@hailstone/protocol'
import { isPrivateHost, isProved, repeated } from '@hailstone/runtime'
import {
  contestedDelayMs,
  failoverDelayMs,
  hintedDelayMs,
  lingeringDelayMs,
  localDelayMs,
  type RetryHint,
  reconnectDelayMs,
  refusedDelayMs,
} from './backoff.ts'
import { closeHint } from './close-hint.ts'
import type { SessionEffect } from './effect.ts'
import { changed, chooseGateway, withFaults } from './gateway-score.ts'
import { hostOf } from './host-of.ts'
import type { ConnectionInput, Moment } from './input.ts'
import {
  BELIEVED_EVERY_MS,
  CLOSE_NORMAL,
  CLOSE_TOO_LARGE,
  CLOSE_WITHOUT_A_WORD,
  CONTESTED_MS,
  HANDSHAKE_TIMEOUT_MS,
  LASTING_CONNECTION_MS,
  LINGERING_MS,
  OWN_RECORD_MS,
  PING_EVERY_MS,
  SETTLED_MS,
  SUSPICION_MS,
  UNANSWERED_PINGS_LIMIT,
} from './limits.ts'
import type { HoldReason, Session, StopReason, WaitReason } from './state.ts'
import { emit, moved, type Step, withMemory } from './step.ts'

/** Faults that a reason to leave adds to the gateway's score. @default 1 */
const faultsOf: { readonly [K in WaitReason['kind']]?: number } = {
  connectionClosed: 0.5,
  publicationSuspected: 0,
  signerFailed: 0,
  redirectsExhausted: 3,
  frameTooLarge: 3,
  gatewayRefused: 2,
  gatewayMisbehaves: 5,
  gatewaySilent: 2,
  publicationsIgnored: 3,
  offline: 0,
}

/** Opens the first connection, to a random gateway, so that many miners spread. */
export function begin(session: Session, { at, random }: Moment): Step {
  const { heldBy } = session.memory
  if (heldBy !== null) return [waitingWhile(session, heldBy), heldBack(heldBy)]
  const { url } = chooseGateway({ scores: session.memory.gateways, now: at, random })
  return openConnection(session, url, url)
}

/** @param gatewayUrl the configured gateway of the connection, whatever redirects followed */
export function openConnection(
  session: Session,
  url: string,
  gatewayUrl: string = session.memory.gatewayUrl,
): Step {
  const { memory } = session
  const connection = memory.connection + 1
  return [
    moved(
      session,
      { status: 'connecting', attempt: memory.failures + 1 },
      {
        connection,
        url,
        gatewayUrl,
        said: null,
        unansweredPings: 0,
        named: undefined,
        lastPublishedAt: null,
        newestBeacon: { ...memory.newestBeacon, microblockHash: null },
        badMessages: 0,
        isOpen: false,
        gateways: changed(memory.gateways, gatewayUrl, (one) => ({ ...one, isTried: true })),
      },
    ),
    [
      { type: 'open', connection, url },
      { type: 'schedule', timer: 'handshake', delayMs: HANDSHAKE_TIMEOUT_MS },
    ],
  ]
}

const waitingWhile = (session: Session, reason: HoldReason): Session =>
  moved(session, { status: 'waiting', attempt: session.memory.failures + 1, delayMs: 0, reason })

/** A question that is answered in a moment is no news. */
const heldBack = (reason: HoldReason): readonly SessionEffect[] =>
  'detail' in reason && reason.detail !== '' ? [emit({ type: 'disconnected', reason, delayMs: 0 })] : []

/** Leaves the gateway and stays away. A wait for somebody else is waited out first. */
export function onHeld(session: Session, { reason, at }: Moment & { readonly reason: HoldReason }): Step {
  const { state } = session
  const held = withMemory(session, { heldBy: reason })
  if (state.status === 'idle' || (state.status === 'waiting' && othersWaits.has(state.reason.kind)))
    return [held, []]
  if (state.status !== 'waiting') return waiting(held, reason, { at, delayMs: 0 })
  const isSame = JSON.stringify(state.reason) === JSON.stringify(reason)
  if (isSame) return [withMemory(session, { heldBy: state.reason as HoldReason }), []]
  return [waitingWhile(held, reason), [{ type: 'cancelAll' }, ...heldBack(reason)]]
}

/** Connects after the reason for holding has gone. */
export function onReleased(session: Session, input: Moment & { readonly withOthers: boolean }): Step {
  const { state, memory } = session
  if (memory.heldBy === null) return [session, []]
  const free = withMemory(session, { heldBy: null })
  if (state.status !== 'waiting' || state.reason !== memory.heldBy) return [free, []]
  if (!input.withOthers) return begin(free, input)
  const delayMs = reconnectDelayMs({ failures: 0, random: input.random })
  return [moved(free, { ...state, delayMs }), [{ type: 'schedule', timer: 'reconnect', delayMs }]]
}

/** At the gateway that was chosen when the last one was left. */
export function onReconnectDue(session: Session, { at }: Moment): Step {
  const { heldBy, gatewayUrl } = session.memory
  if (session.state.status !== 'waiting') return [session, []]
  if (heldBy === null) return openConnection(session, gatewayUrl)
  return waiting(session, heldBy, { at, delayMs: 0 })
}

const pinging: SessionEffect = { type: 'schedule', timer: 'ping', delayMs: PING_EVERY_MS }

/** Hails at once, and never a second time on the same connection (PROTOCOL 5.3). The handshake's timer finds it open. */
export function onOpened(session: Session, input: Moment & { readonly canPing: boolean }): Step {
  const { connection, url, isOpen } = session.memory
  if (session.state.status !== 'connecting' || isOpen) return [session, []]
  return [
    withMemory(session, { isOpen: true, openedAt: input.at, quietMacroblocks: 0 }),
    [
      emit({ type: 'connected', url }),
      { type: 'hail', connection, url },
      ...(input.canPing ? [pinging] : []),
    ],
  ]
}

export function onHailed(session: Session, { at }: Moment): Step {
  const { isOpen, url } = session.memory
  if (session.state.status !== 'connecting' || !isOpen) return [session, []]
  return [moved(session, { status: 'waitingForBeacon', since: at }), [emit({ type: 'hailed', url })]]
}

export function onPingDue(session: Session, moment: Moment): Step {
  const { connection, isOpen, unansweredPings } = session.memory
  if (!isOpen) return [session, []]
  if (unansweredPings >= UNANSWERED_PINGS_LIMIT) return leave(session, { kind: 'connectionSilent' }, moment)
  return [
    withMemory(session, { unansweredPings: unansweredPings + 1 }),
    [{ type: 'ping', connection }, pinging],
  ]
}

type Closed = Moment & { readonly code: number; readonly reason?: string | undefined }

export function onClosed(session: Session, input: Closed): Step {
  const { code, reason = '' } = input
  const said = session.memory.said ?? (/^ERR_\w+$/.test(reason) ? reason : null)
  // A server that restarts closes whatever it said before.
  if (said !== null && ![1001, 1012, 1013].includes(code))
    return onTurnedAway(session, said, { ...input, code })
  return leave(session, closeReason(session, input), input, { hint: closeHint(code, reason) })
}

/** The gateway said why it closes: what has to change first takes a minute at least, and others are asked at once. */
function onTurnedAway(session: Session, said: string, moment: Moment & { readonly code: number }): Step {
  const { at, random, code } = moment
  if (said !== LOW_STAKE) return turnedAway(session, { kind: 'connectionClosed', code, said }, { at, random })
  const detail = `the gateway ${hostOf(session.memory.url)} says that the stake is too low`
  return leave(session, { kind: 'stakeTooLow', detail }, moment, { minMs: refusedDelayMs(random) })
}

function closeReason(session: Session, { code, at }: Closed): WaitReason {
  const { isOpen, lastPublishedAt, url } = session.memory
  if (!isOpen) return { kind: 'gatewayUnreachable', detail: `closed with code ${code}`, url }
  if (code === CLOSE_TOO_LARGE) return { kind: 'frameTooLarge' }
  const isFresh = lastPublishedAt !== null && at - lastPublishedAt < SUSPICION_MS
  if (!isFresh || code !== CLOSE_WITHOUT_A_WORD) return { kind: 'connectionClosed', code }
  // A gateway that restarts looks the same; one that cuts us off again means us.
  if (cutsBefore(session, at) > 0) return { kind: 'publicationSuspected' }
  return { kind: 'connectionClosed', code, isAfterPublication: true }
}

/** A connection that lasted parts the cuts before it from those after it. */
const cutsBefore = ({ memory: { cuts, openedAt } }: Session, at: number): number =>
  at - openedAt >= LASTING_CONNECTION_MS ? 0 : cuts

/** True if the link broke right after a publication, for the first time or again. */
export const isCut = (reason: WaitReason): boolean =>
  reason.kind === 'publicationSuspected' ||
  (reason.kind === 'connectionClosed' && reason.isAfterPublication === true)

/** Cut off for what was published, as far as it goes on; a connection that did not open says nothing about it. */
function cutsAfter(session: Session, reason: WaitReason, at: number): number {
  const { isOpen, cuts } = session.memory
  if (isCut(reason)) return cutsBefore(session, at) + 1
  return isOpen ? 0 : cuts
}

/** Statuses that pass by themselves; any other refusal is about us, the path or the gateway for good. */
const isPassing = (status: number): boolean =>
  status < 400 || status >= 500 || [408, 425, 429].includes(status)

type Failed = Moment & Extract<ConnectionInput, { readonly type: 'failed' }>

/** A server that answered in HTTP says by its status whether coming back soon makes sense. */
export function onFailed(session: Session, input: Failed): Step {
  const { detail, answer, random, reason } = input
  const { said, url } = session.memory
  if (said !== null) return onTurnedAway(session, said, { ...input, code: CLOSE_WITHOUT_A_WORD })
  if (answer === undefined)
    return leave(session, reason ?? { kind: 'gatewayUnreachable', detail, url }, input)
  const { status, retryAfterMs } = answer
  const askedMs = retryAfterMs === null ? 0 : hintedDelayMs({ retryAfterMs }, random)
  const minMs = isPassing(status) ? askedMs : refusedDelayMs(random)
  return leave(session, { kind: 'gatewayRefused', status }, input, { minMs })
}

type ReconnectOptions = {
  /** Stands in for the first draw. */
  readonly hint?: RetryHint | undefined
  /** That gateway is not to be asked before. */
  readonly minMs?: number | undefined
  /** No gateway is to be asked before. */
  readonly pauseMs?: number | undefined
}

/** Ends the connection and waits for the next one, at the gateway that has behaved best. */
export function leave(
  session: Session,
  reason: WaitReason,
  moment: Moment,
  options: ReconnectOptions = {},
): Step {
  const { gatewayUrl, isOpen, openedAt } = session.memory
  const { at, random } = moment
  const { hint, pauseMs, minMs = pauseMs ?? 0 } = options
  // Connections in a row that brought neither a valid beacon nor lasted.
  const failures = isOpen && at - openedAt >= LASTING_CONNECTION_MS ? 0 : session.memory.failures
  const gateways = changed(session.memory.gateways, gatewayUrl, (one) => ({
    ...withFaults(one, faultsOf[reason.kind] ?? 1, at),
    blockedUntil: at + (hint === undefined ? minMs : hintedDelayMs({ ...hint, windowMs: 0 }, 0)),
  }))
  // The same draw would tie the choice to the wait.
  const { url, isFresh, blockedMs } = chooseGateway({
    scores: gateways,
    now: at,
    random: (random * 7919) % 1,
  })

  function delayMs(): number {
    if (pauseMs !== undefined) return pauseMs
    if (isFresh) return failoverDelayMs(random)
    if (hint !== undefined && url === gatewayUrl) return hintedDelayMs(hint, random)
    const rounds = Math.floor(failures / gateways.length)
    return Math.max(blockedMs, reconnectDelayMs({ failures: rounds, random }))
  }

  const counted = withMemory(session, {
    gateways: isFresh ? gateways : gateways.map((one) => ({ ...one, isTried: false })),
    gatewayUrl: url,
    cuts: cutsAfter(session, reason, at),
  })
  return waiting(counted, reason, { at, delayMs: delayMs(), failures: failures + 1 })
}

/** Reconnects at once after a sleep: open connections are dead and scheduled attempts are late. */
export function onResumed(session: Session, input: Moment & { readonly gapMs: number }): Step {
  const { status } = session.state
  if (status === 'idle' || status === 'waiting') return comeBackSoon(session, input)
  const { at, random } = input
  return waiting(session, { kind: 'slept', gapMs: input.gapMs }, { at, delayMs: localDelayMs(random) })
}

/** A link within this machine or its own network does not depend on what the device calls online. */
export function onOffline(session: Session, moment: Moment): Step {
  const { state, memory } = session
  const isLocal = isPrivateHost(new URL(memory.url).hostname)
  if (isLocal || state.status === 'idle' || state.status === 'waiting') return [session, []]
  return leave(session, { kind: 'offline' }, moment)
}

/** Never shortened: a wait that keeps us from fighting over a key, and one that a server asked for. */
const othersWaits: ReadonlySet<WaitReason['kind']> = new Set([
  'duplicateKey',
  'wrongProtocolVersion',
  'ownSessionLingers',
  'gatewayRefused',
])

/** The device has its network back: what was waited for may be there. */
export function comeBackSoon(session: Session, { random }: Moment): Step {
  const { state, memory } = session
  // What holds a miner back is not for time to end.
  const isKept = (reason: WaitReason) => reason === memory.heldBy || othersWaits.has(reason.kind)
  if (state.status !== 'waiting' || isKept(state.reason)) return [session, []]
  const delayMs = localDelayMs(random)
  return [moved(session, { ...state, delayMs }), [{ type: 'schedule', timer: 'reconnect', delayMs }]]
}

/**
 * Another connection took over the key: a long pause, and then another gateway if there is one. It is the end when the
 * owner asked for that and every gateway says so again and again. Once in a while it is our own last session, which the
 * gateway still holds for alive.
 */
export function onDuplicateKey(session: Session, moment: Moment): Step {
  const { at, random } = moment
  const { openedAt, contested, gateways, gatewayUrl, url } = session.memory
  // A session that was evicted does not linger.
  const evicted = withMemory(session, { isOpen: false, lastOwnAt: null })
  if (isOwnGhost(session, at)) {
    const believing = withMemory(evicted, { lingeredAt: at })
    return waiting(believing, { kind: 'ownSessionLingers' }, { at, delayMs: lingeringDelayMs(random) })
  }
  const claim = repeated(at - openedAt > SETTLED_MS ? null : contested, { source: gatewayUrl, atMs: at })
  const proof = { answers: 2, overMs: CONTESTED_MS, sources: gateways.map((one) => one.url) }
  if (session.settings.onDuplicateKey === 'stop' && isProved(claim, proof))
    return stop(session, 'duplicateKey')
  const pauseMs = contestedDelayMs({ times: claim.answers - 1, random })
  const reason = { kind: 'duplicateKey', host: hostOf(url) } as const
  return leave(withMemory(evicted, { contested: claim }), reason, moment, { pauseMs })
}

/**
 * The gateway speaks another version of the protocol. While gateways are updated one after the other that passes, so
 * another one is asked at once and this one later each time.
 */
export function onWrongVersion(session: Session, moment: Moment): Step {
  return turnedAway(session, { kind: 'wrongProtocolVersion', host: hostOf(session.memory.url) }, moment)
}

/** Another gateway is asked at once, and this one later each time. */
function turnedAway(session: Session, reason: WaitReason, moment: Moment): Step {
  const { outdated, gateways } = session.memory
  const minMs = contestedDelayMs({ times: Math.floor(outdated / gateways.length), random: moment.random })
  return leave(withMemory(session, { outdated: outdated + 1 }), reason, moment, { minMs })
}

function isOwnGhost({ memory }: Session, at: number): boolean {
  const { openedAt, lastOwnAt, lingeredAt } = memory
  if (lastOwnAt === null || at - openedAt > LINGERING_MS || at - lastOwnAt > OWN_RECORD_MS) return false
  return lingeredAt === null || at - lingeredAt > BELIEVED_EVERY_MS
}

type Wait = {
  readonly at: number
  readonly delayMs: number
  /** @default as many as before */
  readonly failures?: number | undefined
}

function waiting(session: Session, reason: WaitReason, wait: Wait): Step {
  const { connection, isOpen, lastOwnAt } = session.memory
  const { at, delayMs, failures = session.memory.failures } = wait
  return [
    moved(
      session,
      { status: 'waiting', attempt: failures + 1, delayMs, reason },
      {
        connection: connection + 1,
        isOpen: false,
        failures,
        redirects: 0,
        lastOwnAt: isOpen ? at : lastOwnAt,
      },
    ),
    [
      ...closing(session),
      ...(reason === session.memory.heldBy
        ? []
        : [{ type: 'schedule', timer: 'reconnect', delayMs } as const]),
      emit({ type: 'disconnected', reason, delayMs }),
    ],
  ]
}

/** For good: nothing moves a stopped session. */
export const stop = (session: Session, reason: StopReason): Step => [
  moved(session, { status: 'stopped', reason }, { connection: session.memory.connection + 1, isOpen: false }),
  [...closing(session), emit({ type: 'stopped', reason })],
]

export const closing = ({ memory: { connection } }: Session): readonly SessionEffect[] => [
  { type: 'cancelAll' },
  { type: 'close', connection, code: CLOSE_NORMAL },
]
