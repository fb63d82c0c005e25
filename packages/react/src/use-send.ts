import type { PaymentInfo, PaymentSummary, PayParameters } from '@hailstone/client'
import { useCallback, useRef, useState } from 'react'
import { useMiningParts } from './mining-provider.ts'
import { usePayments } from './use-payments.ts'

/** Stage of a payment. Only in `tracking` has anything left this machine. */
export type SendState =
  | { readonly step: 'idle' }
  /** Fee and balance are being read. */
  | { readonly step: 'preparing' }
  /** Show it. The summary is read from the bytes that `confirm` signs. */
  | { readonly step: 'review'; readonly summary: PaymentSummary }
  | { readonly step: 'signing'; readonly summary: PaymentSummary }
  /** Stored and sent. `payment` follows it to its final state, which may be `rejected`. */
  | { readonly step: 'tracking'; readonly payment: PaymentInfo }
  | { readonly step: 'failed'; readonly error: Error }

/** Result of {@link useSend}: the payment's state, and functions that move it on. */
export type Send = {
  readonly state: SendState
  /** Calculates fee and net amount, then waits for `confirm`. */
  readonly prepare: (parameters: Omit<PayParameters, 'consent'>) => void
  readonly confirm: () => void
  /** Cancels a payment before it is signed, or stops following one that was sent. */
  readonly cancel: () => void
}

type Answer = (isAgreed: boolean) => void
type Stage = Exclude<SendState, { step: 'tracking' }> | { readonly step: 'sent'; readonly id: string }

const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
const isDeclined = (error: Error): boolean => 'code' in error && error.code === 'PAYMENT_DECLINED'

/**
 * Takes one payment from the form to the ledger: `prepare`, show the review, `confirm`, follow.
 *
 * @throws {Error} in `prepare`, if the provider has no payments
 */
export function useSend(): Send {
  const { payments } = useMiningParts()
  const [stage, setStage] = useState<Stage>({ step: 'idle' })
  const answer = useRef<Answer | null>(null)
  const turn = useRef(0)
  const list = usePayments()

  const settle = useCallback((isAgreed: boolean) => {
    answer.current?.(isAgreed)
    answer.current = null
  }, [])

  const prepare = useCallback(
    (parameters: Omit<PayParameters, 'consent'>) => {
      if (payments === undefined) throw new Error('<MiningProvider> was given no payments.')
      settle(false)
      turn.current++
      const mine = turn.current
      const show = (next: Stage): void => {
        if (mine === turn.current) setStage(next)
      }
      const consent = (summary: PaymentSummary): Promise<boolean> => {
        if (mine !== turn.current) return Promise.resolve(false)
        show({ step: 'review', summary })
        return new Promise((resolve) => {
          answer.current = (isAgreed) => {
            if (isAgreed) show({ step: 'signing', summary })
            resolve(isAgreed)
          }
        })
      }
      show({ step: 'preparing' })
      payments.pay({ ...parameters, consent }).then(
        ({ id }) => show({ step: 'sent', id }),
        (thrown: unknown) => {
          const error = errorOf(thrown)
          show(isDeclined(error) ? { step: 'idle' } : { step: 'failed', error })
        },
      )
    },
    [payments, settle],
  )

  const confirm = useCallback(() => settle(true), [settle])
  const cancel = useCallback(() => {
    turn.current++
    settle(false)
    setStage({ step: 'idle' })
  }, [settle])
  return { state: stateOf(stage, list), prepare, confirm, cancel }
}

/** Derives the state from the list of payments, so that none is copied. */
function stateOf(stage: Stage, list: readonly PaymentInfo[]): SendState {
  if (stage.step !== 'sent') return stage
  const payment = list.find(({ id }) => id === stage.id)
  return payment === undefined ? { step: 'preparing' } : { step: 'tracking', payment }
}
