import type { PaymentInfo } from '@hailstone/client'
import { useEffect, useInsertionEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useMiningParts } from './mining-provider.ts'
import { createSendFlow, type PrepareParameters, type SendState, type Stage } from './send-flow.ts'
import { usePayments } from './use-payments.ts'

export type { SendState } from './send-flow.ts'

/** Result of {@link useSend}: the payment's state, and functions that move it on. */
export type Send = {
  /** Which step the payment is at, with what belongs to that step. */
  readonly state: SendState
  /**
   * Calculates fee and net amount, then waits for `confirm`. A payment that was prepared before and not confirmed is
   * cancelled. An idempotency key that has a payment already shows that one.
   */
  readonly prepare: (parameters: PrepareParameters) => void
  /** Agrees to the summary, which is signed and sent then. Does nothing in other steps. */
  readonly confirm: () => void
  /** Cancels a payment before it is confirmed, or stops following one that was sent. */
  readonly cancel: () => void
}

/**
 * Takes one payment from the form to the ledger: `prepare`, show the review, `confirm`, follow. A form that is unmounted
 * before `confirm` declines the review; afterwards the payment goes on, and another form that prepares the same
 * idempotency key shows it.
 *
 * @throws {Error} in `prepare`, if the provider has no payments
 * @example
 * const { state, prepare, confirm } = useSend()
 * if (state.step === 'review') return <button onClick={confirm}>Pay {state.summary.to}</button>
 * return <button onClick={() => prepare({ to, amount, idempotencyKey: 'order 17' })}>Review</button>
 */
export function useSend(): Send {
  const { payments } = useMiningParts()
  const flow = useMemo(() => createSendFlow(payments), [payments])
  const stage = useSyncExternalStore(flow.subscribe, flow.stage, flow.stage)
  const list = usePayments()
  // StrictMode, and a page that is hidden for a while, run only the other effect again.
  useInsertionEffect(() => flow.end, [flow])
  useEffect(() => {
    flow.enter()
    return flow.leave
  }, [flow])
  const state = stateOf(stage, useLastSeen(list, stage))
  const { prepare, confirm, cancel } = flow
  return { state, prepare, confirm, cancel }
}

/** Returns the payment of a stage, also when the journal has dropped it. */
function useLastSeen(list: readonly PaymentInfo[], stage: Stage): PaymentInfo | null {
  const [seen, setSeen] = useState<PaymentInfo | null>(null)
  const id = stage.step === 'sent' ? stage.id : null
  const listed = list.find((payment) => payment.id === id)
  if (listed !== undefined && listed !== seen) setSeen(listed)
  return listed ?? (seen?.id === id ? seen : null)
}

/** Derives the state from the list of payments, so that none is copied. */
function stateOf(stage: Stage, payment: PaymentInfo | null): SendState {
  if (stage.step !== 'sent') return stage
  if (payment !== null) return { step: 'tracking', payment }
  const { summary } = stage
  return summary === null ? { step: 'preparing' } : { step: 'signing', summary }
}
