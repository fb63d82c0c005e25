import type { PaymentInfo, PaymentSummary, PayParameters } from '@hailstone/client'
import { useCallback, useRef, useState } from 'react'
import { useMiningParts } from './mining-provider.ts'
import { usePayments } from './use-payments.ts'

/** How far sending has come. Only `tracking` has left this machine. */
export type SendState =
  | { readonly step: 'idle' }
  /** Fee and balance are being asked for. */
  | { readonly step: 'preparing' }
  /** Show it: this is read from the very bytes that are signed when it is confirmed. */
  | { readonly step: 'review'; readonly summary: PaymentSummary }
  | { readonly step: 'signing'; readonly summary: PaymentSummary }
  /** Stored and sent; `payment` follows it to its end, which may be `rejected`. */
  | { readonly step: 'tracking'; readonly payment: PaymentInfo }
  | { readonly step: 'failed'; readonly error: Error }

export type Send = {
  readonly state: SendState
  /** Works out fee and net amount, then waits for `confirm`. */
  readonly prepare: (parameters: Omit<PayParameters, 'consent'>) => void
  readonly confirm: () => void
  /** Takes a payment back before it is signed, or leaves one that is on its way. */
  readonly cancel: () => void
}

type Answer = (isAgreed: boolean) => void
type Stage = Exclude<SendState, { step: 'tracking' }> | { readonly step: 'sent'; readonly id: string }

const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
const isDeclined = (error: Error): boolean => 'code' in error && error.code === 'PAYMENT_DECLINED'

/**
 * One payment from form to ledger: `prepare`, show the review, `confirm`, follow.
 *
 * @throws {Error} in `prepare`, without payments in the provider
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

/** The payment itself is read from the payments, never copied. */
function stateOf(stage: Stage, list: readonly PaymentInfo[]): SendState {
  if (stage.step !== 'sent') return stage
  const payment = list.find(({ id }) => id === stage.id)
  return payment === undefined ? { step: 'preparing' } : { step: 'tracking', payment }
}
