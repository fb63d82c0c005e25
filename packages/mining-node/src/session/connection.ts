import { duplicateKeyDelayMs, reconnectDelayMs } from './backoff.ts'
import type { SessionEffect } from './effect.ts'
import type { Moment } from './input.ts'
import type { Session, StopReason, WaitReason } from './state.ts'
import { moved, remembering, type Step, tell } from './step.ts'

export const HANDSHAKE_TIMEOUT_MS = 5_000
export const PING_EVERY_MS = 5_000
/** With three pings unanswered when the fourth is due, nothing was heard for 20 seconds. */
export const UNANSWERED_PINGS_LIMIT = 3
/** A cut within this time after a publication casts doubt on the publication (PROTOCOL 5.8). */
export const SUSPICION_MS = 10_000
/** A key that was ours for this long is not fought over: its next loss counts as the first. */
const SETTLED_MS = 3_600_000

const CLOSE_NORMAL = 1000
const CLOSE_WITHOUT_A_WORD = 1006
const CLOSE_TOO_LARGE = 1009

export function openConnection(session: Session, url: string): Step {
  const connection = session.memory.connection + 1
  const state = { status: 'connecting', attempt: session.memory.failures + 1 } as const
  const newestBeacon = { ...session.memory.newestBeacon, microblockHash: null }
  const memory = { connection, isOpen: false, url, unansweredPings: 0, lastPublishedAt: null, newestBeacon }
  return [
    moved(session, state, memory),
    [
      { type: 'open', connection, url },
      { type: 'schedule', timer: 'handshake', delayMs: HANDSHAKE_TIMEOUT_MS },
    ],
  ]
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
    remembering(session, { isOpen: true, canPing, openedAt: at }),
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

export function onClosed(session: Session, input: Moment & { readonly code: number }): Step {
  return leave(session, closeReason(session, input), input)
}

function closeReason(session: Session, input: Moment & { readonly code: number }): WaitReason {
  const { isOpen, lastPublishedAt } = session.memory
  const { code, at } = input
  if (!isOpen) return { kind: 'gatewayUnreachable', detail: `closed with code ${code}` }
  if (code === CLOSE_TOO_LARGE) return { kind: 'frameTooLarge' }
  const isFresh = lastPublishedAt !== null && at - lastPublishedAt < SUSPICION_MS
  if (isFresh && code === CLOSE_WITHOUT_A_WORD) return { kind: 'publicationSuspected' }
  return { kind: 'connectionClosed', code }
}

/** Ends the connection and waits for the next one, which begins at the configured gateway again. */
export function leave(session: Session, reason: WaitReason, moment: Moment): Step {
  const { connection, failures } = session.memory
  const delayMs = reconnectDelayMs({ failures, random: moment.random })
  return waiting(session, reason, { delayMs, failures: failures + 1, connection })
}

/** Another connection took over the key: an end, or a long pause when the owner asked for one. */
export function onDuplicateKey(session: Session, moment: Moment): Step {
  if (session.settings.onDuplicateKey === 'stop') return stop(session, 'duplicate key')
  const { connection, failures, openedAt } = session.memory
  const duplicates = moment.at - openedAt > SETTLED_MS ? 0 : session.memory.duplicates
  const delayMs = duplicateKeyDelayMs({ duplicates, random: moment.random })
  const counted = remembering(session, { duplicates: duplicates + 1 })
  return waiting(counted, { kind: 'duplicateKey' }, { delayMs, failures, connection })
}

function waiting(
  session: Session,
  reason: WaitReason,
  next: { readonly delayMs: number; readonly failures: number; readonly connection: number },
): Step {
  const { delayMs, failures, connection } = next
  const state = { status: 'waiting', attempt: failures + 1, delayMs, reason } as const
  return [
    moved(session, state, { connection: connection + 1, isOpen: false, failures, redirects: 0 }),
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
