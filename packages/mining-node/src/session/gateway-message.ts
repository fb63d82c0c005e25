import { type Beacon, DUPLICATE_KEY, type Hash, type ServerMessage, WRONG_VERSION } from '@hailstone/protocol'
import { wordsOf } from '@hailstone/runtime'
import {
  type BeaconVerdict,
  LEADER_REFUSAL,
  LEADER_UNVERIFIED,
  type RefusalReason,
} from './beacon-verdict.ts'
import { leave, onDuplicateKey, onWrongVersion } from './connection.ts'
import type { SessionEffect } from './effect.ts'
import { followPeer } from './follow-peer.ts'
import { withFaults } from './gateway-score.ts'
import type { Moment } from './input.ts'
import {
  BAD_MESSAGES_LIMIT,
  GENERATION_SIZE,
  GENERATIONS,
  MIN_QUIET_MACROBLOCKS,
  QUIET_AFTER_MS,
  SAID_BEFORE_CLOSE_MS,
} from './limits.ts'
import type { AnsweredHashes, Session } from './state.ts'
import { emit, moved, type Step, withMemory } from './step.ts'

/** Reads what the gateway says. Errors come first: they have no method (PROTOCOL 5.10). */
export function onMessage(session: Session, input: Moment & { readonly message: ServerMessage }): Step {
  const { message } = input
  if (!session.memory.isOpen) return [session, []]
  const [reported, effects] = reportSaid(withMemory(session, { unansweredPings: 0 }))
  const [next, more] = onWord(reported, message, input)
  return [next, [...effects, ...more]]
}

/** Of a word that the gateway did not close after. */
export function reportSaid(session: Session): Step {
  const { said } = session.memory
  return said === null
    ? [session, []]
    : [withMemory(session, { said: null }), [emit({ type: 'gatewayErred', code: said })]]
}

function onWord(heard: Session, message: ServerMessage, input: Moment): Step {
  if (message.kind === 'error') return onGatewayError(heard, message.code, input)
  if (message.kind === 'beacon') return onBeacon(heard, message.beacon)
  if (message.kind === 'peer') return followPeer(heard, message, input, (refused) => [refused, []])
  if (message.kind === 'ignored') return [heard, []]
  const { reason } = message
  return onBad(heard, { why: reason, weight: 1, report: emit({ type: 'messageMalformed', reason }) }, input)
}

function onGatewayError(session: Session, code: string, moment: Moment): Step {
  if (code === WRONG_VERSION) return onWrongVersion(session, moment)
  if (code === DUPLICATE_KEY) return onDuplicateKey(session, moment)
  return [
    withMemory(session, { said: code }),
    [{ type: 'schedule', timer: 'said', delayMs: SAID_BEFORE_CLOSE_MS }],
  ]
}

/** Asks for the check. A beacon still unchecked is outdated by this one: only the newest is answered. */
function onBeacon(session: Session, beacon: Beacon): Step {
  const { microblockHash, content } = beacon
  const { connection, newestBeacon, quietMacroblocks, usualQuietMacroblocks } = session.memory
  const usual = 0.8 * usualQuietMacroblocks + 0.2 * quietMacroblocks
  const beaconNumber = newestBeacon.number + 1
  const superseded: readonly SessionEffect[] =
    newestBeacon.microblockHash === null ? [] : [refused(newestBeacon.microblockHash, 'newerBeaconCame')]
  return [
    withMemory(session, {
      newestBeacon: { number: beaconNumber, microblockHash },
      quietMacroblocks: 0,
      usualQuietMacroblocks: usual,
    }),
    [
      ...superseded,
      emit({
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
  input: Moment & { readonly beaconNumber: number; readonly check: BeaconVerdict },
): Step {
  const { isOpen, newestBeacon } = session.memory
  const isNewest = input.beaconNumber === newestBeacon.number && newestBeacon.microblockHash !== null
  if (!isOpen || !isNewest) return [session, []]
  const { check } = input
  const done = withMemory(session, { newestBeacon: { ...newestBeacon, microblockHash: null } })
  return check.ok ? answer(done, check, input) : onBadBeacon(done, check, input)
}

/** An empty beacon is a probe and nobody's fault; any other that may not be signed is the gateway's. */
function onBadBeacon(
  session: Session,
  { refusal, microblockHash }: Extract<BeaconVerdict, { ok: false }>,
  moment: Moment,
): Step {
  const report = refused(microblockHash, refusal)
  if (refusal === 'noTransactions' || refusal === LEADER_UNVERIFIED) return [session, [report]]
  return onBad(session, { why: wordsOf(refusal), weight: refusal === LEADER_REFUSAL ? 2 : 1, report }, moment)
}

type Bad = { readonly why: string; readonly weight: number; readonly report: SessionEffect }

/** Leaves the gateway after so many bad messages without a good beacon between them. */
function onBad(session: Session, { why, weight, report }: Bad, moment: Moment): Step {
  const badMessages = session.memory.badMessages + weight
  const counted = withMemory(session, { badMessages })
  if (badMessages < BAD_MESSAGES_LIMIT) return [counted, [report]]
  const [left, effects] = leave(counted, { kind: 'gatewayMisbehaves', why }, moment)
  return [left, [report, ...effects]]
}

/**
 * Signs a microblock once, and sends the same bytes a second time when its beacon comes again on a new connection:
 * the first may have been lost with the old one, and a gateway that has it ignores the second (PROTOCOL 5.8, 7).
 * The count of failures ends here and not when the socket opens: a gateway that only accepts is no success. It goes
 * on where what we publish is cut off each time: the beacon is good, what we make of it is not.
 */
function answer(
  session: Session,
  check: { readonly microblockHash: Hash; readonly keyBlockHash: Hash },
  { at }: Moment,
): Step {
  const { connection, answered, lastAnswer, gateways, gatewayUrl, cuts, failures } = session.memory
  const { microblockHash, keyBlockHash } = check
  const isRepeated = isAnswered(answered, microblockHash)
  const isLost =
    lastAnswer?.microblockHash === microblockHash &&
    lastAnswer.connection !== connection &&
    !lastAnswer.isRepeated
  if (isRepeated && !isLost) return [session, [refused(microblockHash, 'signedBefore')]]
  const memory = {
    failures: cuts > 1 ? failures : 0,
    redirects: 0,
    badMessages: 0,
    outdated: 0,
    answered: isRepeated ? answered : withAnswer(answered, microblockHash),
    lastAnswer: { microblockHash, connection, isRepeated },
    gateways: gateways.map((one) => {
      if (one.url === gatewayUrl) return withFaults(one, -0.1, at)
      return cuts > 1 ? one : { ...one, isTried: false }
    }),
  }
  return [
    withMemory(session, memory),
    [{ type: 'publish', connection, microblockHash, keyBlockHash, isRepeated }],
  ]
}

/**
 * A macroblock that others mined while no beacon came. Silence alone proves nothing; much more of it than usual
 * means a gateway that forgot us, or a dead link where pings cannot be sent.
 */
export function onChainGrew(session: Session, moment: Moment): Step {
  const { isOpen, usualQuietMacroblocks } = session.memory
  if (!isOpen) return [session, []]
  const quietMacroblocks = session.memory.quietMacroblocks + 1
  const limit = Math.max(MIN_QUIET_MACROBLOCKS, 3 * usualQuietMacroblocks)
  const counted = withMemory(session, { quietMacroblocks })
  if (quietMacroblocks <= limit) return [counted, []]
  return leave(counted, { kind: 'gatewaySilent', macroblocks: quietMacroblocks }, moment)
}

/** Moves to another gateway if there is one; otherwise stays. */
export function onPublicationsIgnored(session: Session, moment: Moment): Step {
  const { isOpen, gateways } = session.memory
  if (!isOpen || gateways.length === 1) return [session, []]
  return leave(session, { kind: 'publicationsIgnored' }, moment)
}

/** Mining is only said now that a signature has left. */
export function onPublished(
  session: Session,
  {
    at,
    microblockHash,
    keyBlockHash,
  }: Moment & { readonly microblockHash: Hash; readonly keyBlockHash: Hash },
): Step {
  if (!session.memory.isOpen) return [session, []]
  const published = session.memory.published + 1
  return [
    moved(session, { status: 'mining', published }, { published, lastPublishedAt: at }),
    [
      { type: 'schedule', timer: 'quiet', delayMs: QUIET_AFTER_MS },
      emit({ type: 'published', microblockHash, keyBlockHash }),
    ],
  ]
}

export function onQuiet(session: Session, { at }: Moment): Step {
  if (session.state.status !== 'mining') return [session, []]
  return [moved(session, { status: 'waitingForBeacon', since: at - QUIET_AFTER_MS }), []]
}

/** Covers the newest 65,536; a beacon replayed from before that names a key block that is long closed. */
export const isAnswered = (answered: AnsweredHashes, hash: Hash): boolean =>
  answered.some((generation) => generation.has(hash))

export function withAnswer(answered: AnsweredHashes, hash: Hash): AnsweredHashes {
  const [newest, ...older] = answered
  if (newest === undefined || newest.size >= GENERATION_SIZE) {
    return [new Set([hash]), ...answered].slice(0, GENERATIONS)
  }
  return [new Set([...newest, hash]), ...older]
}

const refused = (microblockHash: Hash, refusal: RefusalReason): SessionEffect =>
  emit({ type: 'beaconRefused', microblockHash, refusal, why: wordsOf(refusal) })
