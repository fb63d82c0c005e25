import { isNodeError, readTransactionBody, transactionHash } from '@hailstone/protocol'
import { isSigned, type Payment, type PaymentState, type PaymentStatus } from './payment.ts'

/** Newer versions may mean things that this one would get wrong, so they are refused. */
const RECORD_VERSION = 1

/** A record that was read: a payment as of then, or why it could not be read. */
export type ReadRecord =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'newerVersion'; readonly version: number }
  | { readonly kind: 'damaged' }

/** A payment as it is now. The last record of a payment is the one that counts; each stands for itself. */
export function encodePayment(payment: Payment): string {
  const { fee, nativeFee, ownerFee, isLeaving, nowhere: _, ...rest } = payment
  // Whoever reads this record does not know how that ended.
  const mayBeTaken = rest.mayBeTaken || isLeaving
  const amounts = { fee: String(fee), nativeFee: String(nativeFee) }
  const ofOwner = ownerFee > 0n ? { ownerFee: String(ownerFee) } : {}
  return JSON.stringify({ v: RECORD_VERSION, ...rest, mayBeTaken, ...amounts, ...ofOwner })
}

const states: Readonly<Record<PaymentStatus, readonly string[]>> = {
  prepared: [],
  withdrawn: ['reason'],
  stored: [],
  sent: [],
  inPool: ['misses'],
  confirmed: ['place', 'isFinal'],
  rejected: ['place', 'isFinal'],
  duplicate: ['place', 'isFinal'],
  forgotten: [],
  reorganised: ['was'],
  superseded: ['malleatedHash', 'place', 'isFinal'],
  refused: ['message', 'sinceHeight', 'isFinal'],
  uncertain: ['reason'],
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string'
const isUnits = (value: unknown): value is string => typeof value === 'string' && /^\d{1,20}$/.test(value)

function isState(value: unknown): value is PaymentState {
  if (!isObject(value) || typeof value.status !== 'string' || !Object.hasOwn(states, value.status))
    return false
  return states[value.status as PaymentStatus].every((name) => value[name] !== undefined)
}

/** Reads what {@link encodePayment} wrote. The checksum has been checked; this finds what never was a record. */
export function decodePayment(json: string): ReadRecord {
  const value: unknown = parsed(json)
  if (!isObject(value) || typeof value.v !== 'number') return { kind: 'damaged' }
  if (value.v > RECORD_VERSION) return { kind: 'newerVersion', version: value.v }
  const { id, idempotencyKey, createdAtMs, chain, draft, body, hash, anchor, fee, nativeFee, state } = value
  const { ownerFee = '0' } = value
  const isComplete =
    [id, chain, draft].every((text) => typeof text === 'string') &&
    [idempotencyKey, body, hash, anchor].every(isTextOrNull) &&
    typeof createdAtMs === 'number'
  if (!isComplete || !isUnits(fee) || !isUnits(nativeFee) || !isUnits(ownerFee) || !isState(state))
    return { kind: 'damaged' }
  const texts = { id, idempotencyKey, createdAtMs, chain, draft, body, hash, anchor } as Omit<
    Payment,
    | 'fee'
    | 'nativeFee'
    | 'ownerFee'
    | 'isShared'
    | 'isWhole'
    | 'mayBeTaken'
    | 'isCopied'
    | 'nowhere'
    | 'isLeaving'
    | 'state'
  >
  // Bytes that are stored may have left since, without another record or with one that an old copy does not have.
  const mayBeTaken = body !== null
  const isCopied = value.isCopied === true || state.status === 'superseded'
  const isShared = value.isShared === true
  // Older versions took every final payment for one of a journal that has everything.
  const isWhole = value.isWhole !== false
  const amounts = {
    fee: BigInt(fee),
    nativeFee: BigInt(nativeFee),
    ownerFee: BigInt(ownerFee),
    isShared,
    isWhole,
  }
  const passing = { mayBeTaken, isCopied, nowhere: null, isLeaving: false }
  const payment: Payment = { ...texts, ...amounts, ...passing, state: withRefusals(state) }
  return hasItsBytes(payment) ? { kind: 'payment', payment } : { kind: 'damaged' }
}

/** Older records do not have the number. */
const withRefusals = (state: PaymentState): PaymentState =>
  state.status === 'refused' ? { ...state, refusals: state.refusals ?? 1 } : state

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Draft and body have to be what this package writes, and the body the draft with a signature in it. */
function hasItsBytes(payment: Payment): boolean {
  try {
    const draft = readTransactionBody(payment.draft)
    if (draft === null) return false
    if (!isSigned(payment)) {
      const { status } = payment.state
      return status === 'prepared' || status === 'withdrawn'
    }
    const transaction = readTransactionBody(payment.body)
    if (transaction === null || transactionHash(transaction) !== payment.hash) return false
    return readSame(payment.draft, payment.body, transaction.signature)
  } catch (error) {
    if (isNodeError(error)) return false
    throw error
  }
}

/** True if a body equals the draft with only the signature filled in. */
export const readSame = (draft: string, body: string, signature: string): boolean =>
  body.replace(`"sign":"${signature}"`, '"sign":""') === draft
