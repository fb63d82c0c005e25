import {
  type Beacon,
  type BeaconCheck,
  DUPLICATE_KEY,
  type Hash,
  type ServerMessage,
  WRONG_VERSION,
} from '@hailstone/protocol'
import { isAnswered, withAnswer } from './answered.ts'
import { leave, onDuplicateKey, openConnection, stop } from './connection.ts'
import type { SessionEffect } from './effect.ts'
import type { Moment } from './input.ts'
import { redirectTarget } from './redirect.ts'
import type { Session } from './state.ts'
import { moved, remembering, type Step, tell } from './step.ts'

/** `peer` messages followed in a row. */
export const REDIRECTS_LIMIT = 3
/** Without a beacon for this long the session no longer calls itself mining. */
export const QUIET_AFTER_MS = 90_000

/** Reads what the gateway says. Errors come first: they have no method (PROTOCOL 5.10). */
export function onMessage(session: Session, input: Moment & { readonly message: ServerMessage }): Step {
  const { message } = input
  if (!session.memory.isOpen) return [session, []]
  const heard = remembering(session, { unansweredPings: 0 })
  switch (message.kind) {
    case 'error':
      return onGatewayError(heard, message.code, input)
    case 'beacon':
      return onBeacon(heard, message.beacon)
    case 'peer':
      return onPeer(heard, message, input)
    case 'malformed':
      return [heard, [tell({ type: 'messageMalformed', reason: message.reason })]]
    case 'ignored':
      return [heard, []]
  }
}

function onGatewayError(session: Session, code: string, moment: Moment): Step {
  if (code === WRONG_VERSION) return stop(session, 'wrong protocol version')
  if (code === DUPLICATE_KEY) return onDuplicateKey(session, moment)
  return [session, [tell({ type: 'gatewayErred', code })]]
}

/** Asks for the check. A beacon still unchecked is outdated by this one: only the newest is answered. */
function onBeacon(session: Session, beacon: Beacon): Step {
  const { microblockHash, content } = beacon
  const { connection, newestBeacon } = session.memory
  const beaconNumber = newestBeacon.number + 1
  const superseded: readonly SessionEffect[] =
    newestBeacon.microblockHash === null
      ? []
      : [refused(newestBeacon.microblockHash, 'a newer beacon came before the check')]
  return [
    remembering(session, { newestBeacon: { number: beaconNumber, microblockHash } }),
    [
      ...superseded,
      tell({
        type: 'beaconReceived',
        microblockHash,
        keyBlockHash: content.keyBlockHash,
        transactionCount: content.transactions.length,
      }),
      { type: 'check', connection, beaconNumber, beacon },
    ],
  ]
}

export function onChecked(
  session: Session,
  input: { readonly beaconNumber: number; readonly check: BeaconCheck },
): Step {
  const { isOpen, newestBeacon, answered } = session.memory
  const isNewest = input.beaconNumber === newestBeacon.number && newestBeacon.microblockHash !== null
  if (!isOpen || !isNewest) return [session, []]
  const { check } = input
  const done = remembering(session, { newestBeacon: { ...newestBeacon, microblockHash: null } })
  if (!check.ok) return [done, [refused(check.microblockHash, check.refusal)]]
  if (isAnswered(answered, check.microblockHash)) {
    return [done, [refused(check.microblockHash, 'it was signed before')]]
  }
  return answer(done, check)
}

/** The count of failures ends here and not when the socket opens: a gateway that only accepts is no success. */
function answer(
  session: Session,
  check: { readonly microblockHash: Hash; readonly keyBlockHash: Hash },
): Step {
  const { connection, answered } = session.memory
  const { microblockHash, keyBlockHash } = check
  const memory = { failures: 0, redirects: 0, answered: withAnswer(answered, microblockHash) }
  return [remembering(session, memory), [{ type: 'publish', connection, microblockHash, keyBlockHash }]]
}

/** Mining is only said now that a signature has left. */
export function onPublished(session: Session, input: Moment & { readonly microblockHash: Hash }): Step {
  if (!session.memory.isOpen) return [session, []]
  const published = session.memory.published + 1
  return [
    moved(session, { status: 'mining', published }, { published, lastPublishedAt: input.at }),
    [
      { type: 'schedule', timer: 'quiet', delayMs: QUIET_AFTER_MS },
      tell({ type: 'published', microblockHash: input.microblockHash }),
    ],
  ]
}

export function onQuiet(session: Session, { at }: Moment): Step {
  if (session.state.status !== 'mining') return [session, []]
  return [moved(session, { status: 'waitingForBeacon', since: at - QUIET_AFTER_MS }), []]
}

function onPeer(
  session: Session,
  peer: { readonly host: string; readonly port: number },
  moment: Moment,
): Step {
  const { connection, redirects, url } = session.memory
  if (redirects >= REDIRECTS_LIMIT) return leave(session, { kind: 'redirectsExhausted' }, moment)
  const target = redirectTarget({ currentUrl: url, ...peer })
  if (!target.ok) return [session, [tell({ type: 'redirectRefused', why: target.why })]]
  const [opening, effects] = openConnection(remembering(session, { redirects: redirects + 1 }), target.url)
  return [
    opening,
    [
      { type: 'cancelAll' },
      { type: 'close', connection, code: 1000 },
      tell({ type: 'redirected', url: target.url }),
      ...effects,
    ],
  ]
}

const refused = (microblockHash: Hash, why: string): SessionEffect =>
  tell({ type: 'beaconRefused', microblockHash, why })
