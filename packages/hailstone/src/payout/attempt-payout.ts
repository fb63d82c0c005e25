import {
  type Client,
  createPayments,
  type JournalStore,
  type PaymentHandle,
  type PaymentInfo,
  type Wallet,
} from '@hailstone/client'
import { type PayOutParameters, type PayoutOutcome, payOut } from '@hailstone/mining-node/amounts'

/** Result of one attempt; `payment` may still be under way. */
export type AttemptOutcome =
  | Extract<PayoutOutcome, { status: 'waits' }>
  | { readonly status: 'paid'; readonly payment: PaymentInfo }

export type AttemptParameters = Omit<PayOutParameters, 'client' | 'payments' | 'address'> & {
  readonly client: Client
  readonly wallet: Wallet
  /** Opens the journal for this attempt alone: other commands pay from the account in between. */
  readonly openJournal: () => Promise<JournalStore>
  /** Ends the attempt. The next attempt resumes what is signed by then. */
  readonly signal: AbortSignal
  /** Time for a payment to settle before the journal is closed, in ms. @default 60000 */
  readonly settleMs?: number | undefined
  /** @default those of the client */
  readonly payments?: Pick<Parameters<typeof createPayments>[0], 'failpoint' | 'confirmations' | 'pollMs'>
}

/** Resolves when the payment is settled, and at the latest after `settleMs` or when the signal fires. */
async function settledOr(
  handle: PaymentHandle,
  { signal: ending, settleMs = 60_000 }: Pick<AttemptParameters, 'signal' | 'settleMs'>,
): Promise<PaymentInfo> {
  const signal = AbortSignal.any([ending, AbortSignal.timeout(settleMs)])
  try {
    return await handle.settled({ signal })
  } catch (error) {
    if (signal.aborted) return handle.info()
    throw error
  }
}

/**
 * Pays out once if the rule says so. Resumes payments of earlier attempts first, of this process or another one.
 *
 * @throws {NodeError} what the journal, the API and `pay` throw; nothing was paid then
 */
export async function attemptPayout(parameters: AttemptParameters): Promise<AttemptOutcome> {
  const { client, wallet, openJournal } = parameters
  const payments = await createPayments({
    ...{ client, wallet, journal: await openJournal(), ...parameters.payments },
  })
  try {
    const left = await payments.resume()
    await Promise.all(left.map((handle) => settledOr(handle, parameters)))
    const outcome = await payOut({ ...parameters, payments, address: wallet.address })
    if (outcome.status === 'waits') return outcome
    return { status: 'paid', payment: await settledOr(outcome.handle, parameters) }
  } finally {
    await payments.close()
  }
}
