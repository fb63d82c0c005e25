import type { Hash } from '@hailstone/protocol'

/** Position of a calculated transaction in the chain. */
export type PaymentPlace = {
  /** Height of the key block whose macroblock has it. */
  readonly height: number
  /** Key block of that macroblock. */
  readonly keyBlockHash: Hash
  /** Microblock that has the payment. */
  readonly microblockHash: Hash
}

/**
 * State of a payment. Only `withdrawn` and states marked final never change again; until then every other state may
 * still become `confirmed`.
 */
export type PaymentState =
  /** It was agreed to and is stored; nothing is signed yet. */
  | { readonly status: 'prepared' }
  /** Ended before its bytes were sent: nothing has left, nothing can land. */
  | { readonly status: 'withdrawn'; readonly reason: string }
  /** The signed bytes are stored. From here on only these bytes are ever sent. */
  | { readonly status: 'stored' }
  /** The bytes have left this machine, the answer is not known. */
  | { readonly status: 'sent' }
  /** The network holds it. `misses`: how often in a row it was found nowhere since. */
  | { readonly status: 'inPool'; readonly misses: number }
  /** Calculated, with its result. Final when enough macroblocks are on top. */
  | {
      readonly status: 'confirmed' | 'rejected' | 'duplicate'
      readonly place: PaymentPlace
      readonly isFinal: boolean
    }
  /** The network had it and lost it; the same bytes are sent again. */
  | { readonly status: 'forgotten' }
  /** It was calculated in a macroblock that is no longer part of the chain; the same bytes are sent again. */
  | { readonly status: 'reorganised'; readonly was: PaymentPlace }
  /** A copy with a changed signature was executed in its place: paid once, under another hash. */
  | {
      readonly status: 'superseded'
      readonly malleatedHash: Hash
      readonly place: PaymentPlace
      readonly isFinal: boolean
    }
  /**
   * The network did not take the bytes, and nobody can have them from before. The same bytes are sent again. Final when
   * they are refused again and stay out of the chain for a while; never final if the message says to send them again
   * later. A refusal of bytes that may have been taken before is `uncertain`.
   */
  | {
      readonly status: 'refused'
      readonly message: string
      /** How often they were refused. */
      readonly refusals: number
      /** Height at which it was first found nowhere after the refusal. */
      readonly sinceHeight: number | null
      readonly isFinal: boolean
    }
  /** Nothing can be said, for the reason given; it is asked for again and again. */
  | { readonly status: 'uncertain'; readonly reason: string }

/** Status of a payment, from `prepared` to a settled one. */
export type PaymentStatus = PaymentState['status']

/** A payment as the journal keeps it. */
export type Payment = {
  /** Names the draft, so also the payment. */
  readonly id: string
  readonly idempotencyKey: string | null
  /** Unix milliseconds. */
  readonly createdAtMs: number
  /** Which chain it is meant for; the same bytes would be valid on another one. */
  readonly chain: string
  /** The POST body with an empty signature, as agreed to. */
  readonly draft: string
  /** The POST body itself. Null until it is signed, and never changed afterwards. */
  readonly body: string | null
  readonly hash: Hash | null
  /** Units of the transferred token. */
  readonly fee: bigint
  /** Native units besides the amount. */
  readonly nativeFee: bigint
  /** Native units that the sender pays as the owner of the token. */
  readonly ownerFee: bigint
  /** A transaction of the sender from before this one, too deep to be moved; the search for malleated ends there. */
  readonly anchor: Hash | null
  /** True if another journal may have sent the same bytes before: their refusal is then never final. */
  readonly isShared: boolean
  /**
   * True if it is final and the node that showed it had no payment of the account that the journal does not have. What is
   * below it in the account's history needs no comparison again.
   */
  readonly isWhole: boolean
  /** True if a node may have the bytes, so that the refusal of another one proves nothing. */
  readonly mayBeTaken: boolean
  /** True if a copy with another signature was seen: what is sent beside it would be a second payment. */
  readonly isCopied: boolean
  /** Looks in a row that found it nowhere, and the height at the first; null if it was somewhere or sent. Not stored. */
  readonly nowhere: { readonly since: number; readonly looks: number } | null
  /** True while the bytes are being sent and no answer is known. */
  readonly isLeaving: boolean
  readonly state: PaymentState
}

/** A payment whose bytes exist, so it may land. */
export type SignedPayment = Payment & { readonly body: string; readonly hash: Hash }

export const isSigned = (payment: Payment): payment is SignedPayment =>
  payment.body !== null && payment.hash !== null

/** True if the payment will not change and is no longer tracked. */
export const isSettled = ({ state }: Payment): boolean => isSettledState(state)

export const isSettledState = (state: PaymentState): boolean =>
  state.status === 'withdrawn' || ('isFinal' in state && state.isFinal)
