import type { PaymentSummary } from '@hailstone/client'
import { keptPer } from './kept-per.ts'
import type { PaymentsPort } from './mining-ports.ts'

/** What a person was asked about one payment: nothing yet, the review that is open, or the one that was agreed to. */
type Question =
  | { readonly step: 'preparing' }
  | { readonly step: 'review' | 'signing'; readonly summary: PaymentSummary }

/**
 * The review of one payment, seen by every dialog that asked for it. The payments ask one caller of a key for consent; all
 * of them are shown the review, the first who agrees has agreed, and it is declined when none is left.
 */
export type SharedReview = {
  readonly question: () => Question
  readonly consent: (summary: PaymentSummary) => Promise<boolean>
  /** Calls back after every change of the question, until the returned function is called: its caller has left. */
  readonly join: (listener: () => void) => () => void
  /** Agrees to the open review. */
  readonly agree: () => void
}

const PREPARING: Question = { step: 'preparing' }

/** @param onLeft is called when nobody is left */
function createSharedReview(onLeft: () => void): SharedReview {
  const members = new Set<() => void>()
  let question: Question = PREPARING
  let answer: (isAgreed: boolean) => void = () => undefined

  function show(next: Question): void {
    question = next
    for (const listener of [...members]) listener()
  }

  return {
    question: () => question,
    consent: async (summary) => {
      // It is asked again where another node takes over; the same bytes were agreed to already.
      if (question.step === 'signing' && question.summary.bytes === summary.bytes) return true
      if (members.size === 0) return false
      const answered = new Promise<boolean>((resolve) => {
        answer = resolve
      })
      show({ step: 'review', summary })
      return answered
    },
    join: (listener) => {
      members.add(listener)
      return () => {
        if (!members.delete(listener) || members.size > 0) return
        if (question.step === 'review') answer(false)
        onLeft()
      }
    },
    agree: () => {
      if (question.step !== 'review') return
      show({ ...question, step: 'signing' })
      answer(true)
    },
  }
}

const reviewsOf = keptPer<PaymentsPort, Map<string, SharedReview>>()

/** The review of a key, which all dialogs of that key have in common; a new one for a payment without a key. */
export function sharedReview(payments: PaymentsPort, key: string | undefined): SharedReview {
  if (key === undefined) return createSharedReview(() => undefined)
  const reviews = reviewsOf(payments, '', () => new Map())
  const found = reviews.get(key)
  if (found !== undefined) return found
  const made = createSharedReview(() => {
    if (reviews.get(key) === made) reviews.delete(key)
  })
  reviews.set(key, made)
  return made
}
