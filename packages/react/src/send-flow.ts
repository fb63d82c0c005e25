import type { PaymentInfo, PaymentSummary, PayParameters } from '@hailstone/client'
import type { NodeError } from '@hailstone/protocol'
import type { PaymentsPort } from './mining-ports.ts'
import { type SharedReview, sharedReview } from './shared-review.ts'

/** Stage of a payment. Only in `tracking` has anything left this machine. */
export type SendState =
  | { readonly step: 'idle' }
  /** Fee and balance are being read. */
  | { readonly step: 'preparing' }
  /** Show it. The summary is read from the bytes that `confirm` signs. */
  | { readonly step: 'review'; readonly summary: PaymentSummary }
  /** Agreed to. It stays until the outcome is known; `cancel` and `prepare` are too late and do nothing. */
  | { readonly step: 'signing'; readonly summary: PaymentSummary }
  /** Stored and sent. `payment` follows it to its final state, which may be `rejected`. */
  | { readonly step: 'tracking'; readonly payment: PaymentInfo }
  /** A `switch` over `error.code` narrows `error.facts`. */
  | { readonly step: 'failed'; readonly error: NodeError | (Error & { readonly code?: undefined }) }

/** A stage in which the payment is named, not copied. */
export type Stage =
  | Exclude<SendState, { step: 'tracking' }>
  | { readonly step: 'sent'; readonly id: string; readonly summary: PaymentSummary | null }

export type PrepareParameters = Omit<PayParameters, 'consent'>

/** One form: the payment that was last prepared in it, and functions that move it on. */
export type SendFlow = {
  readonly stage: () => Stage
  readonly subscribe: (listener: () => void) => () => void
  readonly prepare: (parameters: PrepareParameters) => void
  readonly confirm: () => void
  readonly cancel: () => void
  /** The form is on the screen. */
  readonly enter: () => void
  /**
   * The form is left: an open review is declined, unless `enter` follows before the next microtask. A payment that was agreed to
   * continues.
   */
  readonly leave: () => void
  /** It is gone for good: nothing is prepared in it any more. */
  readonly end: () => void
}

/** A payment that is being made. */
type Attempt = {
  readonly parameters: PrepareParameters
  readonly review: SharedReview
  readonly leaving: AbortController
  /** It was this caller that the payments asked for consent. */
  isAsked: boolean
  leaveReview: () => void
}

const IDLE: Stage = { step: 'idle' }
/** The reason with which a form leaves a payment. */
const LEFT = new Error('The form was left.')
/** Reviews that others declined in a row, after which that is an error. */
const MAX_DECLINED = 3

const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
const hasCode = (error: Error, code: string): boolean => 'code' in error && error.code === code

const isSame = (one: string | bigint, other: string | bigint): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase()

/** True if a summary is of what was asked for: another form may have given the same key to another order. */
const isReviewOf = (
  summary: PaymentSummary,
  { to, amount, tokenId, memo = '' }: PrepareParameters,
): boolean =>
  isSame(summary.to, to) &&
  summary.amount === amount &&
  summary.memo === memo &&
  isSame(summary.tokenId, tokenId ?? summary.tokenId)

function stageOf({ review, parameters, isAsked }: Attempt): Stage {
  const question = review.question()
  const isShown = question.step === 'preparing' || isAsked || isReviewOf(question.summary, parameters)
  return isShown ? question : { step: 'preparing' }
}

/** Returns the stage with which an attempt ends. */
async function paid(attempt: Attempt, port: PaymentsPort): Promise<Stage> {
  const { parameters, review, leaving } = attempt
  const { signal } = leaving
  const consent = (summary: PaymentSummary): Promise<boolean> => {
    attempt.isAsked = true
    return review.consent(summary)
  }
  for (let declined = 1; ; declined++) {
    try {
      const { id } = await port.pay({ ...parameters, consent, signal })
      const question = review.question()
      return { step: 'sent', id, summary: 'summary' in question ? question.summary : null }
    } catch (thrown) {
      const error = errorOf(thrown)
      // Bytes that were being stored may be sent after a restart, whoever has left.
      if (signal.aborted && signal.reason === LEFT && !hasCode(error, 'TRANSACTION_UNCERTAIN')) return IDLE
      // Somebody else was asked for this consent.
      const isOfOther = hasCode(error, 'PAYMENT_DECLINED') && review.question().step === 'preparing'
      if (!isOfOther || declined === MAX_DECLINED) return { step: 'failed', error }
    }
  }
}

export function createSendFlow(payments: PaymentsPort | undefined): SendFlow {
  const listeners = new Set<() => void>()
  let stage: Stage = IDLE
  /** The newest one, also when it was cancelled, until it ends: its outcome may be a payment nevertheless. */
  let current: Attempt | null = null
  let isSeen = true
  let isEnded = false

  function show(next: Stage): void {
    if (next === stage) return
    stage = next
    for (const listener of [...listeners]) listener()
  }

  function begin(parameters: PrepareParameters, port: PaymentsPort): void {
    const { signal, idempotencyKey } = parameters
    const attempt: Attempt = {
      parameters,
      review: sharedReview(port, idempotencyKey),
      leaving: new AbortController(),
      isAsked: false,
      leaveReview: () => undefined,
    }
    const { review, leaving } = attempt
    attempt.leaveReview = review.join(() => {
      if (current !== attempt || leaving.signal.aborted) return
      show(stageOf(attempt))
      // It was agreed to, the form was left, and now something else is to be agreed to.
      if (!isSeen) decline()
    })
    const passOn = (): void => leaving.abort(signal?.reason)
    current = attempt
    show(stageOf(attempt))
    if (signal?.aborted) passOn()
    signal?.addEventListener('abort', passOn)
    void paid(attempt, port).then((end) => {
      signal?.removeEventListener('abort', passOn)
      attempt.leaveReview()
      if (current !== attempt) return
      current = null
      show(end)
    })
  }

  /** Leaves a payment that was not agreed to. */
  function drop(): void {
    if (current === null || stage.step === 'signing') return
    current.leaving.abort(LEFT)
    current.leaveReview()
  }

  function decline(): void {
    if (stage.step !== 'preparing' && stage.step !== 'review') return
    drop()
    show(IDLE)
  }

  return {
    stage: () => stage,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    prepare: (parameters) => {
      if (payments === undefined) throw new Error('<MiningProvider> was given no payments.')
      if (isEnded || stage.step === 'signing') return
      isSeen = true
      drop()
      begin(parameters, payments)
    },
    confirm: () => {
      if (stage.step === 'review') current?.review.agree()
    },
    cancel: () => {
      if (stage.step === 'signing') return
      drop()
      show(IDLE)
    },
    enter: () => {
      isSeen = true
    },
    leave: () => {
      isSeen = false
      // StrictMode leaves and enters again in one go, also when a form that was suspended is shown again.
      queueMicrotask(() => isSeen || decline())
    },
    end: () => {
      isEnded = true
      listeners.clear()
      decline()
    },
  }
}
