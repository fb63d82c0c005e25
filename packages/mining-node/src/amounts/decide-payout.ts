import type { PaymentSummary } from '@hailstone/client'
import {
  type Address,
  type Amount,
  assertArgument,
  type FeeRule,
  isAddress,
  isTokenId,
  netAmount,
  type TokenId,
  transferFee,
} from '@hailstone/protocol'

/** Rule by which coins above the stake leave the mining account. */
export type PayoutRule = {
  readonly to: Address
  readonly tokenId: TokenId
  /** Units that stay in the account. The minimum stake stays in any case. */
  readonly above: bigint
  /**
   * Smallest payout, in gross units, from 1. Payouts are multiples of it: two processes that decide at the same time sign the
   * same bytes, which the network takes once, unless the balances that they read lie on two sides of a multiple.
   */
  readonly least: bigint
  /**
   * Largest payout, in gross units, from `least`. With `least` itself every payout is the same amount, and machines without
   * a common journal pay once in a period: they sign the same bytes. @default no limit
   */
  readonly most?: bigint | undefined
  /** At most one payout in each period of this length, counted from 1970, in ms. */
  readonly everyMs: number
}

/** What is known of the account at the moment of a decision. Null for what is not known. */
export type PayoutFacts = {
  readonly address: Address
  /** Unix milliseconds. */
  readonly nowMs: number
  /** Receiver that a person has confirmed for this account. */
  readonly confirmed: Address | null
  /** True if height and chain were read lately and nothing contradicts them. */
  readonly isChainProved: boolean
  readonly balance: { readonly amount: bigint; readonly isStale: boolean } | null
  /** Units that a miner has to hold; null when the network does not say. */
  readonly minimumStake: bigint | null
  readonly fees: FeeRule | null
  /** Payments of the account in the journal, whoever made them. */
  readonly payments: readonly {
    /** The name that the payment was given; null without one. */
    readonly idempotencyKey: string | null
    /** True if the state of the payment changes no more. */
    readonly isOver: boolean
    /** True if it ended before it was signed. */
    readonly isWithdrawn: boolean
    /** True if it ended and the network did not execute it. */
    readonly isRejected: boolean
  }[]
}

/** Why nothing is paid out now. */
export type PayoutObstacle =
  | 'receiverNotConfirmed'
  | 'receiverIsMiner'
  | 'chainNotProved'
  | 'balanceUnknown'
  | 'balanceStale'
  | 'stakeUnknown'
  | 'feesUnknown'
  | 'paymentUnderWay'
  | 'paidThisPeriod'
  | 'rejectedThisPeriod'
  | 'tooLittle'
  | 'feeTakesAll'

export type Payout = {
  /** Gross units: the fee is inside. */
  readonly amount: Amount
  readonly fee: Amount
  /** Units that arrive: the amount without its fee. */
  readonly net: bigint
  /** Units that stay in the account: those of the rule, or the minimum stake if that is more. */
  readonly kept: bigint
  /** Text of the payment: `payout` and the UTC minute in which the period began. It tells payouts of one amount apart. */
  readonly memo: string
  /** Of the receiver, the token and the period: a restart, or another process of the same journal, asks for the same payment. */
  readonly idempotencyKey: string
}

export type PayoutDecision =
  | ({
      /** True if it is to be paid now. */
      readonly isDue: true
    } & Payout)
  | {
      /** True if it is to be paid now. */
      readonly isDue: false
      readonly why: PayoutObstacle
      /** Unix milliseconds at which the next period begins; with `paidThisPeriod` and `rejectedThisPeriod` alone. */
      readonly nextAtMs?: number
    }

const AMOUNT = 'a bigint of units from 0'
const MS = 'a whole number of ms'

const isUnits = (value: unknown): boolean => typeof value === 'bigint' && value >= 0n
/** The largest time that a date can have. */
const MOST_MS = 8.64e15
const isMs = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MOST_MS
const isFlag = (value: unknown): boolean => typeof value === 'boolean'

/** Refuses what a program without a compiler may pass: a wrong rule would pay out of the stake. */
function assertPayout(rule: PayoutRule, facts: PayoutFacts): void {
  const { to, tokenId, above, least, most, everyMs } = Object(rule) as PayoutRule
  assertArgument(isAddress(to), 'to', 'an address', to)
  assertArgument(isTokenId(tokenId), 'tokenId', '64 hex digits', tokenId)
  assertArgument(isUnits(above), 'above', AMOUNT, above)
  assertArgument(isUnits(least) && least > 0n, 'least', 'a bigint of units from 1', least)
  assertArgument(
    most === undefined || (isUnits(most) && most >= least),
    'most',
    'a bigint of units from least',
    most,
  )
  assertArgument(isMs(everyMs) && everyMs > 0, 'everyMs', MS, everyMs)
  const given = Object(facts) as PayoutFacts
  const { address, nowMs, confirmed, isChainProved, balance, minimumStake, fees, payments } = given
  assertArgument(isAddress(address), 'address', 'an address', address)
  assertArgument(isMs(nowMs), 'nowMs', MS, nowMs)
  assertArgument(confirmed === null || isAddress(confirmed), 'confirmed', 'an address, or null', confirmed)
  assertArgument(isFlag(isChainProved), 'isChainProved', 'true or false', isChainProved)
  if (balance !== null) {
    const { amount, isStale } = Object(balance) as NonNullable<typeof balance>
    assertArgument(isUnits(amount), 'balance.amount', AMOUNT, amount)
    assertArgument(isFlag(isStale), 'balance.isStale', 'true or false', isStale)
  }
  assertArgument(minimumStake === null || isUnits(minimumStake), 'minimumStake', AMOUNT, minimumStake)
  if (fees !== null) {
    const { feeType, feeValue, feeMinimum } = Object(fees) as FeeRule
    assertArgument([0, 1, 2].includes(feeType), 'fees.feeType', '0, 1 or 2', feeType)
    assertArgument(isUnits(feeValue), 'fees.feeValue', AMOUNT, feeValue)
    assertArgument(isUnits(feeMinimum), 'fees.feeMinimum', AMOUNT, feeMinimum)
  }
  assertArgument(Array.isArray(payments), 'payments', 'a list', payments)
  for (const payment of payments) {
    const { isOver, isWithdrawn, isRejected } = Object(payment) as (typeof payments)[number]
    assertArgument(isFlag(isOver), 'payments.isOver', 'true or false', isOver)
    assertArgument(isFlag(isWithdrawn), 'payments.isWithdrawn', 'true or false', isWithdrawn)
    assertArgument(isFlag(isRejected), 'payments.isRejected', 'true or false', isRejected)
  }
}

const waits = (why: PayoutObstacle): PayoutDecision => ({ isDue: false, why })

const memoOf = (beganMs: number): string =>
  `payout ${new Date(beganMs).toISOString().slice(0, 16).replace('T', ' ').replace(':', '.')}`

/**
 * Decides whether a payout is due, and how much. Pure: the same facts give the same payment. Whatever is not known is a
 * reason to wait.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function decidePayout(rule: PayoutRule, facts: PayoutFacts): PayoutDecision {
  assertPayout(rule, facts)
  const { address, confirmed, isChainProved, balance, minimumStake, fees, payments } = facts
  if (confirmed !== rule.to) return waits('receiverNotConfirmed')
  if (rule.to === address) return waits('receiverIsMiner')
  // What is under way is still in the balance. Before what may be unknown: it is to be settled in any case.
  if (payments.some(({ isOver }) => !isOver)) return waits('paymentUnderWay')
  if (!isChainProved) return waits('chainNotProved')
  if (balance === null) return waits('balanceUnknown')
  if (balance.isStale) return waits('balanceStale')
  if (minimumStake === null) return waits('stakeUnknown')
  if (fees === null) return waits('feesUnknown')
  const period = Math.floor(facts.nowMs / rule.everyMs)
  const idempotencyKey = `payout ${rule.tokenId} ${rule.to} ${rule.everyMs} ${period}`
  const earlier = payments.find(
    (payment) => payment.idempotencyKey === idempotencyKey && !payment.isWithdrawn,
  )
  if (earlier !== undefined) {
    // A copy of what was rejected may be executed still: no other payment takes its place in this period.
    const why = earlier.isRejected ? 'rejectedThisPeriod' : 'paidThisPeriod'
    return { isDue: false, why, nextAtMs: (period + 1) * rule.everyMs }
  }
  const kept = rule.above > minimumStake ? rule.above : minimumStake
  const surplus = balance.amount - kept
  const paid = rule.most !== undefined && rule.most < surplus ? rule.most : surplus
  const amount = ((paid / rule.least) * rule.least) as Amount
  if (surplus < rule.least) return waits('tooLittle')
  const [fee, net] = [transferFee(fees, amount), netAmount(fees, amount)]
  if (net <= 0n) return waits('feeTakesAll')
  return { isDue: true, amount, fee, net, kept, memo: memoOf(period * rule.everyMs), idempotencyKey }
}

/** Reasons not to sign bytes that were made for a payout. */
export type PayoutFault = 'differs' | 'lacksFunds' | 'belowStake' | 'paidElsewhere'

/**
 * Compares what would be signed with what was decided and confirmed. Returns null if it is the same and takes nothing from
 * the stake.
 *
 * @param isKnownBefore true if all payments that the journal does not have were there when the receiver was confirmed
 */
export function payoutFault(
  summary: Pick<PaymentSummary, 'from' | 'to' | 'amount' | 'tokenId' | 'memo' | 'fee' | 'warnings'>,
  given: {
    readonly rule: PayoutRule
    readonly payout: Payout
    readonly from: Address
    readonly isKnownBefore: boolean
  },
): PayoutFault | null {
  const { rule, payout, from, isKnownBefore } = given
  const { to, amount, tokenId, fee, warnings } = summary
  const isSame =
    summary.from === from && to === rule.to && tokenId === rule.tokenId && amount === payout.amount
  if (!isSame || summary.memo !== payout.memo || fee !== payout.fee) return 'differs'
  const kinds = new Set(warnings.map(({ kind }) => kind))
  if (kinds.has('paidWithoutJournal') && isKnownBefore !== true) return 'paidElsewhere'
  if (kinds.has('stakeBelowMinimum')) return 'belowStake'
  // A high share is judged by the fee cap.
  const isFine = [...kinds].every((kind) => kind === 'highFee' || kind === 'paidWithoutJournal')
  return isFine ? null : 'lacksFunds'
}
