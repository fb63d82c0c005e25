import {
  type Client,
  createPayments,
  type FeeCap,
  feeRuleOf,
  type JournalStore,
  type PaymentHandle,
  type PaymentInfo,
  type PaymentSummary,
  type PaymentWarning,
  type Wallet,
} from '@hailstone/client'
import {
  decidePayout,
  type Payout,
  type PayoutDecision,
  type PayoutFacts,
  type PayoutFault,
  type PayoutRule,
  payoutFault,
} from '@hailstone/mining-node/amounts'
import { isNodeError } from '@hailstone/protocol'
import { isOver } from '../payment-outcome.ts'
import type { ConfirmedReceiver } from './confirmed-receiver.ts'

/** What the miner has read of its account by itself. */
export type Observed = Pick<PayoutFacts, 'isChainProved' | 'balance' | 'minimumStake'>

/** What came of an attempt. */
export type PayoutOutcome =
  | { readonly status: 'waits'; readonly why: Extract<PayoutDecision, { isDue: false }>['why'] | PayoutFault }
  /** A payment that was made now, or earlier and not settled then. `payment` may still be under way. */
  | { readonly status: 'paid'; readonly payment: PaymentInfo }

export type PayOutParameters = {
  readonly client: Client
  readonly wallet: Wallet
  readonly rule: PayoutRule
  /** Decimals by which the amounts of the rule were read. */
  readonly decimals: number
  readonly confirmed: ConfirmedReceiver
  readonly observed: Observed
  /** Opened for this attempt alone, and closed: other commands pay from the account in between. */
  readonly openJournal: () => Promise<JournalStore>
  /** Called with what is about to be paid, before it is signed. */
  readonly onDue: (payout: Payout) => void
  /** Ends the attempt. What is signed by then is taken up by the next one. */
  readonly signal: AbortSignal
  /** Time for a payment to settle before the journal is closed, in ms. @default 60000 */
  readonly settleMs?: number | undefined
  /** @default Date.now */
  readonly now?: (() => number) | undefined
  /** @default those of the client */
  readonly payments?: Pick<Parameters<typeof createPayments>[0], 'failpoint' | 'confirmations' | 'pollMs'>
}

/** Resolves with a payment that is settled, or as it stands when the time is over or the signal fires. */
async function settledOr(
  handle: PaymentHandle,
  { signal: ending, settleMs = 60_000 }: Pick<PayOutParameters, 'signal' | 'settleMs'>,
): Promise<PaymentInfo> {
  const signal = AbortSignal.any([ending, AbortSignal.timeout(settleMs)])
  try {
    return await handle.settled({ signal })
  } catch (error) {
    if (signal.aborted) return handle.info()
    throw error
  }
}

/** Nobody agrees to the fee of a single payout: the same limits as for a payment that nobody is shown. */
const feeCapOf = (decimals: number, { network }: Client): FeeCap => ({
  units: 10n ** BigInt(decimals) / 10n,
  nativeUnits: 10n ** BigInt(network.nativeDecimals) / 10n,
})

/**
 * Returns true if the newest payment that the journal does not have is in a block that was full when the receiver was
 * confirmed: the newest block takes payments until the next one. One that waits in the pool is not.
 */
async function isKnownBefore(
  client: Client,
  warnings: readonly PaymentWarning[],
  { height }: ConfirmedReceiver,
): Promise<boolean> {
  const elsewhere = warnings.find((warning) => warning.kind === 'paidWithoutJournal')
  if (elsewhere?.newest == null) return false
  const found = await client.getTransaction({ hash: elsewhere.newest })
  const block = found && (await client.getMacroblockByHash({ hash: found.keyBlockHash }))
  return block !== undefined && block.keyBlock.height < height
}

/** Returns the lower of what the miner and the API say now: a node may be behind. */
async function balanceOf({ client, wallet, rule, observed }: PayOutParameters) {
  const { amount } = await client.getBalance({ address: wallet.address, tokenId: rule.tokenId })
  const { balance } = observed
  return balance && { ...balance, amount: amount < balance.amount ? amount : balance.amount }
}

/**
 * Pays out once if the rule says so. Takes up what an earlier attempt left, in this process or another one.
 *
 * @throws {NodeError} what the journal, the API and `pay` throw; nothing was paid then
 */
export async function payOut(parameters: PayOutParameters): Promise<PayoutOutcome> {
  const { client, wallet, rule, decimals, confirmed, observed, openJournal, onDue, signal } = parameters
  const { now = Date.now } = parameters
  const { address } = wallet
  const payments = await createPayments({
    ...{ client, wallet, journal: await openJournal(), ...parameters.payments },
  })
  try {
    const left = await payments.resume()
    await Promise.all(left.map((handle) => settledOr(handle, parameters)))
    const token = await client.getToken({ tokenId: rule.tokenId })
    const decision = decidePayout(rule, {
      ...observed,
      address,
      nowMs: now(),
      confirmed: confirmed.to,
      balance: await balanceOf(parameters),
      fees: token === undefined ? null : feeRuleOf(token),
      payments: payments
        .list()
        .filter(({ isOfOtherChain }) => !isOfOtherChain)
        .map((payment) => ({
          idempotencyKey: payment.idempotencyKey,
          isOver: isOver(payment),
          isWithdrawn: payment.state.status === 'withdrawn',
        })),
    })
    if (!decision.isDue) return { status: 'waits', why: decision.why }
    let fault: PayoutFault | null = null
    const consent = async (summary: PaymentSummary): Promise<boolean> => {
      const known = await isKnownBefore(client, summary.warnings, confirmed)
      fault = payoutFault(summary, { rule, payout: decision, from: address, isKnownBefore: known })
      if (summary.decimals !== decimals) fault = 'differs'
      if (fault === null) onDue(decision)
      return fault === null
    }
    const { amount, idempotencyKey } = decision
    const order = { to: rule.to, tokenId: rule.tokenId, amount, idempotencyKey, consent, signal }
    try {
      const handle = await payments.pay({ ...order, feeCap: feeCapOf(decimals, client) })
      return { status: 'paid', payment: await settledOr(handle, parameters) }
    } catch (error) {
      if (fault === null || !isNodeError(error, 'PAYMENT_DECLINED')) throw error
      return { status: 'waits', why: fault }
    }
  } finally {
    await payments.close()
  }
}
