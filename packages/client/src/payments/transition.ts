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
  /** The bytes may have arrived. */
  | { readonly type: 'answerLost' }
  /** The bytes did not arrive, or were turned away unread. */
  | { readonly type: 'notTaken' }
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
const isForNow = (message: string): boolean =>
  /\bagain\b|\blater\b|\bfull\b|\bbusy\b|\bquota\b|\blimit|\btoo many\b|\bunavailable\b/i.test(message)

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
  const [state, step] = afterBytes(payment, input, confirmations)
  const mayBeTaken = payment.mayBeTaken || TAKEN.has(input.type)
  const isLeaving = input.type === 'sending' || (payment.isLeaving && !ANSWERS.has(input.type))
  const isSame = isSameState(state, payment.state)
  const isWhole = 'isWhole' in input && input.isWhole === true
  if (isSame && mayBeTaken === payment.mayBeTaken && isLeaving === payment.isLeaving) return [payment, step]
  const next = { ...payment, isWhole, mayBeTaken, isLeaving, state: isSame ? payment.state : state }
  return [next, isSettled(next) ? 'rest' : step]
}

function beforeBytes(payment: Payment, input: PaymentInput): readonly [Payment, PaymentStep] {
  if (input.type === 'signed') {
    const { body, hash } = input
    const mayBeTaken = payment.isShared
    return [{ ...payment, body, hash, mayBeTaken, state: { status: 'stored' } }, 'send']
  }
  if (input.type === 'withdrawn') {
    return [{ ...payment, state: { status: 'withdrawn', reason: input.reason } }, 'rest']
  }
  return [payment, 'rest']
}

type Move = readonly [PaymentState, PaymentStep]

function afterBytes({ state, mayBeTaken }: Payment, input: PaymentInput, confirmations: number): Move {
  switch (input.type) {
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
    case 'keptBack':
      return [uncertain(input.reason), 'look']
    case 'unknown':
      return [state.status === 'sent' ? uncertain(input.reason) : state, 'look']
    case 'nowhere':
      return afterNowhere({ state, mayBeTaken }, input.tipHeight, confirmations)
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
      // answerLost, notTaken: it stays where it was. signed, withdrawn: too late for either.
      return [state, 'look']
  }
}

const uncertain = (reason: string): PaymentState => ({ status: 'uncertain', reason })

const refusedAfterwards = (message: string): PaymentState =>
  uncertain(`refused ("${message}"), but a node may have taken it before`)

function afterNowhere(
  { state, mayBeTaken }: Pick<Payment, 'state' | 'mayBeTaken'>,
  tipHeight: number,
  confirmations: number,
): Move {
  switch (state.status) {
    case 'inPool': {
      const misses = state.misses + 1
      if (misses < MISSES_TO_BE_FORGOTTEN) return [{ status: 'inPool', misses }, 'look']
      return [{ status: 'forgotten' }, 'send']
    }
    case 'confirmed':
    case 'rejected':
    case 'duplicate':
    case 'superseded':
      return [{ status: 'reorganised', was: state.place }, 'send']
    case 'refused': {
      const { message, refusals, sinceHeight } = state
      // Of a journal that does not say what came before.
      if (mayBeTaken) return [refusedAfterwards(message), 'send']
      const since = sinceHeight ?? tipHeight
      const isRepeated = refusals >= REFUSALS_TO_BE_FINAL && tipHeight - since >= confirmations
      const isFinal = isRepeated && !isForNow(message)
      return [{ ...state, sinceHeight: since, isFinal }, 'send']
    }
    default:
      return [state, 'send']
  }
}

const isSameState = (a: PaymentState, b: PaymentState): boolean => JSON.stringify(a) === JSON.stringify(b)
