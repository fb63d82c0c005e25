import {
  type Client,
  type FeeCap,
  feeRuleOf,
  type PaymentHandle,
  type PaymentInfo,
  type PaymentSummary,
  type Payments,
  type PaymentWarning,
} from '@hailstone/client'
import { type Address, type Amount, isNodeError } from '@hailstone/protocol'
import type { MiningSnapshot } from '../store/mining-snapshot.ts'
import {
  decidePayout,
  type Payout,
  type PayoutFacts,
  type PayoutFault,
  type PayoutObstacle,
  type PayoutRule,
  payoutFault,
} from './decide-payout.ts'

/** A receiver that a person has confirmed for the payouts of one account. */
export type ConfirmedReceiver = {
  readonly to: Address
  /** Height of the chain at that moment: the person knows of the payments below it. */
  readonly height: number
}

/** Readings of a miner that a payout depends on. */
export type PayoutReadings = Pick<PayoutFacts, 'isChainProved' | 'balance' | 'minimumStake'>

/** Result of one attempt. */
export type PayoutOutcome =
  | { readonly status: 'waits'; readonly why: PayoutObstacle | PayoutFault }
  /** The payment is signed and stored. It may not be settled yet. */
  | { readonly status: 'paid'; readonly handle: PaymentHandle }

export type PayOutParameters = {
  /** Client of the network of the payments. */
  readonly client: Pick<
    Client,
    'network' | 'getBalance' | 'getToken' | 'getTransaction' | 'getMacroblockByHash'
  >
  /** Payments of the account, with its wallet. `resume` was called on them. */
  readonly payments: Pick<Payments, 'pay' | 'list'>
  /** Account that pays: that of the wallet of the payments. */
  readonly address: Address
  /** Decides when a payout is due, and of how much. */
  readonly rule: PayoutRule
  /** Decimals by which the amounts of the rule were read. */
  readonly decimals: number
  /** Receiver that a person has confirmed. A rule with another one pays nothing. */
  readonly confirmed: ConfirmedReceiver
  /** Readings of the miner now, such as those of `payoutReadings(node.snapshot())`. */
  readonly readings: PayoutReadings
  /** Called with what is about to be paid, before it is signed. */
  readonly onDue?: ((payout: Payout) => void) | undefined
  /** Cancels the attempt until the payment is signed. */
  readonly signal?: AbortSignal | undefined
  /** @default Date.now */
  readonly now?: (() => number) | undefined
}

/** Selects the readings for a payout from a snapshot of a mining node. A stale stake is not known. */
export function payoutReadings({
  height,
  balance,
  stakes,
  api,
  warnings,
}: Pick<MiningSnapshot, 'height' | 'balance' | 'stakes' | 'api' | 'warnings'>): PayoutReadings {
  const isBehind = warnings.some(({ code }) => code === 'API_BEHIND')
  return {
    isChainProved: height !== null && !height.isStale && api.status === 'reachable' && !isBehind,
    balance: balance && { amount: balance.amount, isStale: balance.isStale },
    minimumStake: stakes === null || stakes.isStale ? null : (stakes.token?.minimumStake ?? null),
  }
}

/** A tenth of a coin: nobody is asked about the fee of a single payout. */
const feeCapOf = (decimals: number, { network }: Pick<Client, 'network'>): FeeCap => ({
  units: 10n ** BigInt(decimals) / 10n,
  nativeUnits: 10n ** BigInt(network.nativeDecimals) / 10n,
})

const NO_FEES = { feeType: 0, feeValue: 0n as Amount, feeMinimum: 0n as Amount } as const

/** True if the state of a payment changes no more. */
const isOver = ({ state }: PaymentInfo): boolean =>
  state.status === 'withdrawn' || ('isFinal' in state && state.isFinal)

/**
 * True if the newest payment that the journal lacks is in a block below the height of the confirmation. The newest block
 * takes payments until the next one begins, and a payment in the pool is in no block.
 */
async function isKnownBefore(
  { client, confirmed }: Pick<PayOutParameters, 'client' | 'confirmed'>,
  warnings: readonly PaymentWarning[],
): Promise<boolean> {
  const elsewhere = warnings.find((warning) => warning.kind === 'paidWithoutJournal')
  if (elsewhere?.newest == null) return false
  const found = await client.getTransaction({ hash: elsewhere.newest })
  const block = found && (await client.getMacroblockByHash({ hash: found.keyBlockHash }))
  return block !== undefined && block.keyBlock.height < confirmed.height
}

/** Returns the lower of what the miner and the API say now: one of them may be behind. */
async function balanceOf({ client, address, rule, readings: { balance } }: PayOutParameters) {
  const { amount } = await client.getBalance({ address, tokenId: rule.tokenId })
  return balance && { ...balance, amount: amount < balance.amount ? amount : balance.amount }
}

/**
 * Pays out once if the rule says so. Payouts of one period have one idempotency key, so that one journal pays once.
 *
 * @throws {NodeError} what the API and `pay` throw; nothing was paid then
 */
export async function payOut(parameters: PayOutParameters): Promise<PayoutOutcome> {
  const { client, payments, address, rule, decimals, confirmed, readings, onDue, signal } = parameters
  const { now = Date.now } = parameters
  const facts = {
    ...readings,
    ...{ address, nowMs: now(), confirmed: confirmed.to, fees: NO_FEES },
    payments: payments
      .list()
      .filter(({ isOfOtherChain }) => !isOfOtherChain)
      .map((payment) => ({
        idempotencyKey: payment.idempotencyKey,
        isOver: isOver(payment),
        isWithdrawn: payment.state.status === 'withdrawn',
        isRejected: payment.state.status === 'rejected' || payment.state.status === 'refused',
      })),
  }
  // The network is asked only where a payout may be due.
  const early = decidePayout(rule, facts)
  if (!early.isDue) return { status: 'waits', why: early.why }
  const token = await client.getToken({ tokenId: rule.tokenId })
  const fees = token === undefined ? null : feeRuleOf(token)
  const decision = decidePayout(rule, { ...facts, fees, balance: await balanceOf(parameters) })
  if (!decision.isDue) return { status: 'waits', why: decision.why }
  let fault: PayoutFault | null = null
  const consent = async (summary: PaymentSummary): Promise<boolean> => {
    const known = await isKnownBefore(parameters, summary.warnings)
    fault = payoutFault(summary, { rule, payout: decision, from: address, isKnownBefore: known })
    if (summary.decimals !== decimals) fault = 'differs'
    if (fault === null) onDue?.(decision)
    return fault === null
  }
  const { amount, kept: reserve, memo, idempotencyKey } = decision
  // Another payment may have begun since, and the node may not have the newest block in its balance.
  const order = { to: rule.to, tokenId: rule.tokenId, amount, memo, reserve, idempotencyKey, consent, signal }
  try {
    return { status: 'paid', handle: await payments.pay({ ...order, feeCap: feeCapOf(decimals, client) }) }
  } catch (error) {
    if (fault === null || !isNodeError(error, 'PAYMENT_DECLINED')) throw error
    return { status: 'waits', why: fault }
  }
}
