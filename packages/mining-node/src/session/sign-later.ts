import {
  type Address,
  formatHail,
  formatPublication,
  hailHash,
  isNodeError,
  NodeError,
  publicationText,
  type Signature,
  type TokenId,
  type VerifyText,
  verifyText,
  written,
} from '@hailstone/protocol'
import { wordsOf } from '@hailstone/runtime'
import type { RefusalReason } from './beacon-verdict.ts'
import { checkedSignature, notSignedBy } from './checked-signature.ts'
import { type SessionClock, sessionClock } from './clock.ts'
import type { SessionEffect, SessionEvent } from './effect.ts'
import { hostOf } from './host-of.ts'
import type { UntimedInput } from './input.ts'
import { isWallet, type MiningSigner } from './signer.ts'

/** The settings of a session that its late signatures follow. */
export type LateSigningSettings = {
  /** Signs hails and publications; it may answer later. */
  readonly signer: MiningSigner
  /** Token that is mined. */
  readonly tokenId: TokenId
  /** The address of the account that invited us. @default none */
  readonly referralAgent?: Address | undefined
  /** Time limit of one signature in ms. @default 5000 */
  readonly signingTimeoutMs?: number | undefined
  /** @default the verifier of `@hailstone/protocol` */
  readonly verify?: VerifyText | undefined
  /** Time limit of signatures. @default the system's */
  readonly clock?: SessionClock | undefined
  /** Called with each event of the session. @default nobody is told */
  readonly onEvent?: ((event: SessionEvent) => void) | undefined
}

/** The parts of a running session that late signatures reach. */
export type LateSigningSession = {
  /** Gives the session an input, at the time of the call. */
  readonly feed: (input: UntimedInput) => void
  /** Sends a text on a connection that is still there, and reports the input. */
  readonly send: (
    write: () => string,
    sent: UntimedInput & {
      /** Number of the connection that the text is for. */
      readonly connection: number
    },
  ) => void
}

/** Makes the function that performs the effects that need a signature; it returns true for an effect that is done. */
export type SignLater = (
  settings: LateSigningSettings,
  session: LateSigningSession,
) => ((effect: SessionEffect) => boolean) | undefined

type Hailing = Extract<SessionEffect, { type: 'hail' }>
type Publishing = Extract<SessionEffect, { type: 'publish' }>

type Signed = { readonly signature: Signature }

/** One request to the signer and what becomes of the answer. */
type Task = {
  readonly ask: () => Signed | Promise<Signed>
  readonly text: string
  readonly done: (signature: Signature) => void
  readonly failed: (why: string, isRefusal: boolean) => void
}

const DEFAULT_TIMEOUT_MS = 5_000
const REFUSALS_LIMIT = 3

/**
 * Lets a signer answer later. One signature of a session is awaited at a time; of the beacons that come meanwhile the
 * newest one waits. Of an answer the signature alone is used, and only if it belongs to the message and the account. An
 * answer that comes after its time limit, or after its connection was left, is dropped.
 *
 * A wallet of these packages is left to the session, which has its signatures at once.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` for a time limit that is not from 1 to 2,147,483,647 ms
 */
export const signLater: SignLater = (settings, { feed, send }) => {
  const { signer, onEvent, clock = sessionClock(), verify = verifyText } = settings
  const { signingTimeoutMs: timeoutMs = DEFAULT_TIMEOUT_MS } = settings
  const terms = () => ({ tokenId: settings.tokenId, referralAgent: settings.referralAgent })
  if (isWallet(signer)) return undefined
  assertTimeLimit(timeoutMs)
  // A signer that changes its account midway is not followed.
  const { address } = signer
  let pending: { readonly cancel: () => void } | null = null
  let waiting: Publishing | null = null
  /** The newest microblock that the signer was asked for, and its publication once there is one. */
  let newest: { readonly microblockHash: string; readonly text?: string } | null = null
  let refusedHails = 0

  function take(task: Task, answer: Signed): void {
    const signature = checkedSignature(answer, { text: task.text, address, verify })
    if (signature === null) task.failed(notSignedBy(address), true)
    else task.done(signature)
  }

  function perform(task: Task): void {
    let answer: Signed | Promise<Signed>
    try {
      answer = task.ask()
    } catch (error) {
      task.failed(...faultOf(error))
      return
    }
    if (isLate(answer)) wait(task, answer)
    else take(task, answer)
  }

  function wait(task: Task, answer: Promise<Signed>): void {
    const settle = (act: () => void): void => {
      if (pending !== turn) return
      turn.cancel()
      pending = null
      act()
      const next = waiting
      waiting = null
      if (next !== null && pending === null) publish(next)
    }
    const late = `the signer did not answer within ${timeoutMs} ms`
    const turn = { cancel: clock.after(timeoutMs, () => settle(() => task.failed(late, false))) }
    pending = turn
    Promise.resolve(answer).then(
      (given) => settle(() => take(task, given)),
      (error: unknown) => settle(() => task.failed(...faultOf(error))),
    )
  }

  function hail(effect: Hailing): void {
    const { connection } = effect
    const host = hostOf(effect.url)
    const given = { host, ...terms() }
    const message = { address, hash: hailHash(host), ...terms() }
    perform({
      ask: () => signer.signHail(given),
      text: message.hash,
      done: (signature) => {
        refusedHails = 0
        send(() => formatHail({ ...message, signature }), { ...effect, type: 'hailed' })
      },
      failed: (detail, isRefusal) => {
        if (isRefusal) refusedHails++
        if (refusedHails >= REFUSALS_LIMIT) feed({ type: 'stop', reason: 'signerRefused' })
        else feed({ type: 'failed', connection, detail, reason: { kind: 'signerFailed', detail } })
      },
    })
  }

  function publish(effect: Publishing): void {
    const { microblockHash, keyBlockHash, isRepeated } = effect
    if (pending !== null) {
      if (waiting !== null) refuse(waiting, 'newerBeaconCame')
      waiting = effect
      return
    }
    const sendText = (text: string): void => send(() => text, { ...effect, type: 'published' })
    if (isRepeated && newest?.microblockHash === microblockHash) {
      if (newest.text === undefined) refuse(effect, 'signedBefore')
      else sendText(newest.text)
      return
    }
    newest = { microblockHash }
    const message = { microblockHash, keyBlockHash, ...terms() }
    perform({
      ask: () => signer.signPublication({ ...message }),
      text: publicationText(message),
      done: (signature) => {
        const text = formatPublication({ ...message, address, signature })
        newest = { microblockHash, text }
        sendText(text)
      },
      failed: (why) => refuse(effect, 'notSigned', why),
    })
  }

  function refuse(
    { microblockHash }: Publishing,
    refusal: RefusalReason,
    why: string = wordsOf(refusal),
  ): void {
    onEvent?.({ type: 'beaconRefused', microblockHash, refusal, why })
  }

  return (effect) => {
    if (effect.type === 'hail') hail(effect)
    else if (effect.type === 'publish') publish(effect)
    else {
      if (effect.type === 'cancelAll') {
        pending?.cancel()
        pending = waiting = null
      }
      return false
    }
    return true
  }
}

const isLate = <T>(answer: T | Promise<T>): answer is Promise<T> => typeof Object(answer).then === 'function'

/** Timers count in 31 bits; what is above fires at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

function assertTimeLimit(ms: number): void {
  if (ms >= 1 && ms <= MAX_TIMEOUT_MS) return
  const expected = `milliseconds from 1 to ${MAX_TIMEOUT_MS}`
  throw new NodeError('CONFIGURATION_INVALID', { path: 'signingTimeoutMs', expected, found: written(ms) })
}

/** Messages of foreign errors are dropped: they may contain secrets. */
function faultOf(error: unknown): [why: string, isRefusal: boolean] {
  if (!isNodeError(error)) return ['the signer refused', true]
  return [error.message, !isNodeError(error, 'SIGNER_FAILED')]
}
