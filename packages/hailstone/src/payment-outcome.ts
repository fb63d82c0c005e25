import type { PaymentInfo } from '@hailstone/client'
import { type Exit, exits } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

type Lines = Pick<Terminal, 'manner' | 'say' | 'tell'>

/** Identifies a payment in one state, so that no state is printed twice. */
export const stateKey = ({ hash, state }: PaymentInfo): string =>
  `${hash} ${state.status} ${'isFinal' in state && state.isFinal}`

/** Returns the reason in a payment's state; null if that state has no reason. */
function causeOf(state: PaymentInfo['state']): string | null {
  if ('reason' in state) return state.reason
  return 'message' in state ? state.message : null
}

/** Prints the state of a payment, with the reason that the network gave. */
export function tellChange(payment: PaymentInfo, terminal: Lines): void {
  const { hash, state, to, amount } = payment
  if (terminal.manner === 'json') terminal.tell({ event: 'payment', hash, to, amount, ...state })
  else {
    const isFinal = 'isFinal' in state && state.isFinal
    terminal.say(`${state.status.padEnd(10)} ${hash ?? ''}${isFinal ? '  for good' : ''}`.trimEnd())
    const cause = causeOf(state)
    if (cause !== null) terminal.say(`           ${cause}`)
  }
}

/** Prints a payment that the journal has from another network. Nothing is done with it here. */
export function tellOfOtherChain({ hash, state, to, amount }: PaymentInfo, terminal: Lines): void {
  if (terminal.manner === 'json')
    terminal.tell({ event: 'payment', hash, to, amount, ...state, isOfOtherChain: true })
  else {
    terminal.say(`elsewhere  ${hash ?? ''}`.trimEnd())
    terminal.say('           It was made for another network. Settle it there: hailstone send --resume.')
  }
}

/** True if a payment is over: its state changes no more. */
export const isOver = ({ state }: PaymentInfo): boolean =>
  state.status === 'withdrawn' || ('isFinal' in state && state.isFinal)

const exitOfStatus = {
  confirmed: exits.ok,
  superseded: exits.ok,
  duplicate: exits.paymentDuplicate,
  rejected: exits.paymentRejected,
  refused: exits.paymentRefused,
  withdrawn: exits.paymentRefused,
} as const

/** What a payment says about itself, as an exit. While it is not over, it may still land. */
export function exitOfPayment(payment: PaymentInfo): Exit {
  const { status } = payment.state
  return isOver(payment) && status in exitOfStatus
    ? exitOfStatus[status as keyof typeof exitOfStatus]
    : exits.paymentUnsettled
}

/** Returns the worst exit of several payments, and prints what it means. */
export function exitOfPayments(payments: readonly PaymentInfo[], terminal: Lines): Exit {
  const ends = payments.map(exitOfPayment)
  const worst = ends.reduce((one, other) => (other.number > one.number ? other : one), exits.ok as Exit)
  if (terminal.manner !== 'json') {
    if (payments.length === 0) terminal.say('Nothing is left to settle.')
    else if (worst !== exits.ok) terminal.say(`${worst.meaning} ${worst.nextStep}`)
  }
  return worst
}
