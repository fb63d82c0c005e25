import type { Hash } from '@hailstone/protocol'
import type { FinalStatus } from '../actions/get-transaction.ts'
import { isSettled, isSigned, type Payment, type PaymentPlace, type PaymentState } from './payment.ts'

/** Something that happened to a payment, or that the network said about it. */
export type PaymentInput =
  | { readonly type: 'signed'; readonly body: string; readonly hash: Hash }
  | { readonly type: 'withdrawn'; readonly reason: string }
  /** The first byte is about to leave. */
  | { readonly type: 'sending' }
  | { readonly type: 'accepted' }
  /** The bytes may have arrived. `reason`: what the node answered, if it was a status. */
  | { readonly type: 'answerLost'; readonly reason?: string | undefined }
  /** The bytes did not arrive, or were turned away unread. */
  | { readonly type: 'notTaken'; readonly reason?: string | undefined }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'otherHash'; readonly received: string }
  /** The bytes are kept back, for a reason that a person can remove. */
  | { readonly type: 'keptBack'; readonly reason: string }
  /** The network could not be asked, or contradicts itself. */
  | { readonly type: 'unknown'; readonly reason: string }
  | { readonly type: 'inPool' }
  /** Asked in this order, neither pool nor chain have it, and the node shows as much of the chain as is known of it. */
  | { readonly type: 'nowhere'; readonly tipHeight: number }
  | { readonly type: 'malleatedWaits'; readonly malleatedHash: Hash }
  | {
      readonly type: 'malleatedExecuted'
      readonly malleatedHash: Hash
      readonly place: PaymentPlace
      readonly isDeep: boolean
      readonly isWhole?: boolean
    }
  | {
      readonly type: 'calculated'
      readonly status: FinalStatus
      readonly place: PaymentPlace
      /** True if enough macroblocks follow the transaction's. */
      readonly isDeep: boolean
      /** True if the journal has every payment of the account that this node has. @default false */
      readonly isWhole?: boolean
    }

/** Next step: send the stored bytes, query the network, or stop. */
export type PaymentStep = 'send' | 'look' | 'rest'

/** Number of macroblocks that must follow. */
export type Confirmations = { readonly confirmations: number }

/** Inputs by which some node has, had or may have the bytes. A node that cannot be reached may keep them for long. */
const TAKEN: ReadonlySet<PaymentInput['type']> = new Set([
  'accepted',
  'answerLost',
  'otherHash',
  'inPool',
  'malleatedWaits',
  'malleatedExecuted',
  'calculated',
])

/** Inputs with which a sending ends. */
const ANSWERS: ReadonlySet<PaymentInput['type']> = new Set([
  'accepted',
  'answerLost',
  'notTaken',
  'refused',
  'otherHash',
])

/**
 * Refusals of the same bytes before a refusal can be final. They are sent after growing pauses, in turn to every node that
 * is configured.
 */
const REFUSALS_TO_BE_FINAL = 5

/** Words with which a node refuses what it would take at another time: its pool is full, a quota is used up. */
const isForNow = (message: string): boolean => FOR_NOW.test(message)

const FOR_NOW =
  /\b(?:again|later|retry|wait|next|full|over(?:flow|load)|exceed|capacity|space|busy|quota|limit|rate\b|too many|maximum|throttl|sync|start|ready|temporar|maintenance|(?:un|not )available|closed|internal|locked\b|time(?:d |-)?out|went wrong)/i

/** Inputs by which a copy with another signature waits or is executed. */
const COPIES: ReadonlySet<PaymentInput['type']> = new Set(['malleatedWaits', 'malleatedExecuted'])

/**
 * Macroblocks in which bytes that may have been taken are found nowhere before they are sent again. They may have been
 * executed as a copy, in a macroblock that a node which is behind does not have.
 */
const MACROBLOCKS_NOWHERE = 2
/** Looks in a row after which they are sent also where no macroblock is added: about a minute at the usual pace. */
const LOOKS_NOWHERE = 12

/** Once it was in the pool, a single "nowhere" may be two nodes that do not agree yet. */
const MISSES_TO_BE_FORGOTTEN = 2

/**
 * The journal's heart, pure: what a payment is after an input, and what is to be done. Settled payments do not
 * change, bytes never do, and nothing is sent while a malleated copy of it is known. A refusal ends only bytes that
 * nobody can have taken.
 */
export function transition(
  payment: Payment,
  input: PaymentInput,
  { confirmations }: Confirmations,
): readonly [Payment, PaymentStep] {
  if (isSettled(payment)) return [payment, 'rest']
  if (!isSigned(payment)) return beforeBytes(payment, input)
  const isCopied = payment.isCopied || COPIES.has(input.type)
  const known = { ...payment, isCopied, nowhere: nowhereAfter(payment, input) }
  const [state, step] = afterBytes(known, input, confirmations)
  const next = {
    ...known,
    isWhole: 'isWhole' in input && input.isWhole === true,
    mayBeTaken: payment.mayBeTaken || TAKEN.has(input.type),
    isLeaving: input.type === 'sending' || (payment.isLeaving && !ANSWERS.has(input.type)),
    state: isSameState(state, payment.state) ? payment.state : state,
  }
  return [isSame(next, payment) ? payment : next, isSettled(next) ? 'rest' : step]
}

const isSame = (a: Payment, b: Payment): boolean =>
  (Object.keys(a) as (keyof Payment)[]).every((name) => a[name] === b[name])

function nowhereAfter({ nowhere }: Payment, input: PaymentInput): Payment['nowhere'] {
  if (input.type === 'sending' || TAKEN.has(input.type)) return null
  if (input.type !== 'nowhere') return nowhere
  return { since: nowhere?.since ?? input.tipHeight, looks: (nowhere?.looks ?? 0) + 1 }
}

function beforeBytes(payment: Payment, input: PaymentInput): readonly [Payment, PaymentStep] {
  if (input.type === 'signed') {
    const { body, hash } = input
    const mayBeTaken = payment.isShared
    // Nothing has left here.
    const fresh = { mayBeTaken, nowhere: { since: Number.NEGATIVE_INFINITY, looks: 0 } }
    return [{ ...payment, body, hash, ...fresh, state: { status: 'stored' } }, 'send']
  }
  if (input.type === 'withdrawn') {
    return [{ ...payment, state: { status: 'withdrawn', reason: input.reason } }, 'rest']
  }
  return [payment, 'rest']
}

type Move = readonly [PaymentState, PaymentStep]

function afterBytes(payment: Payment, input: PaymentInput, confirmations: number): Move {
  const { state, mayBeTaken } = payment
  switch (input.type) {
    case 'withdrawn':
      // Nothing has left, and its bytes are forgotten.
      return state.status === 'stored'
        ? [{ status: 'withdrawn', reason: input.reason }, 'rest']
        : [state, 'look']
    case 'sending':
      return [state.status === 'stored' ? { status: 'sent' } : state, 'look']
    case 'accepted':
    case 'inPool':
      return [{ status: 'inPool', misses: 0 }, 'look']
    case 'refused': {
      const { message } = input
      if (mayBeTaken) return [refusedAfterwards(message), 'look']
      const before = state.status === 'refused' ? state : { refusals: 0, sinceHeight: null }
      const { refusals, sinceHeight } = before
      return [{ status: 'refused', message, refusals: refusals + 1, sinceHeight, isFinal: false }, 'look']
    }
    case 'otherHash':
      return [uncertain(`the network names another hash, ${input.received.slice(0, 64)}`), 'look']
    case 'answerLost':
    case 'notTaken':
      if (input.reason === undefined || state.status === 'refused') return [state, 'look']
      return [uncertain(input.reason), 'look']
    case 'keptBack':
      return [uncertain(input.reason), 'look']
    case 'unknown':
      return [state.status === 'sent' ? uncertain(input.reason) : state, 'look']
    case 'nowhere':
      return afterNowhere(payment, input.tipHeight, confirmations)
    case 'malleatedWaits':
      return [uncertain(`a copy with another signature waits in the pool, ${input.malleatedHash}`), 'look']
    case 'malleatedExecuted': {
      const { malleatedHash, place, isDeep } = input
      return [{ status: 'superseded', malleatedHash, place, isFinal: isDeep }, 'look']
    }
    case 'calculated': {
      const { status, place, isDeep } = input
      return [{ status, place, isFinal: isDeep }, 'look']
    }
    default:
      // signed: too late for it.
      return [state, 'look']
  }
}

const uncertain = (reason: string): PaymentState => ({ status: 'uncertain', reason })

const refusedAfterwards = (message: string): PaymentState =>
  uncertain(`refused ("${message}"), but a node may have taken it before`)

function afterNowhere(payment: Payment, tipHeight: number, confirmations: number): Move {
  const { state, mayBeTaken } = payment
  const again = mayBeTaken && !isLongNowhere(payment, tipHeight, confirmations) ? 'look' : 'send'
  switch (state.status) {
    case 'inPool': {
      const misses = state.misses + 1
      if (misses < MISSES_TO_BE_FORGOTTEN) return [{ status: 'inPool', misses }, 'look']
      return [{ status: 'forgotten' }, again]
    }
    case 'confirmed':
    case 'rejected':
    case 'duplicate':
    case 'superseded':
      return [{ status: 'reorganised', was: state.place }, again]
    case 'refused': {
      const { message, refusals, sinceHeight } = state
      // Of a journal that does not say what came before.
      if (mayBeTaken) return [refusedAfterwards(message), again]
      const since = sinceHeight ?? tipHeight
      const isRepeated = refusals >= REFUSALS_TO_BE_FINAL && tipHeight - since >= confirmations
      const isFinal = isRepeated && !isForNow(message)
      return [{ ...state, sinceHeight: since, isFinal }, 'send']
    }
    default:
      return [state, again]
  }
}

function isLongNowhere({ nowhere, isCopied }: Payment, tipHeight: number, confirmations: number): boolean {
  const { since, looks } = nowhere ?? { since: tipHeight, looks: 0 }
  if (isCopied) return tipHeight - since >= Math.max(confirmations, MACROBLOCKS_NOWHERE)
  return tipHeight - since >= MACROBLOCKS_NOWHERE || looks >= LOOKS_NOWHERE
}

const isSameState = (a: PaymentState, b: PaymentState): boolean => JSON.stringify(a) === JSON.stringify(b)
