import {
  type ClientCore,
  createPayments,
  openBrowserJournal,
  type PaymentInfo,
  type PaymentSummary,
  type Payments,
  type PayParameters,
  type Wallet,
} from '@hailstone/client'
import { isNodeError } from '@hailstone/protocol'
import { isPaymentOver } from './is-payment-over.ts'
import { type ConsentProof, isConsent } from './payment-consent.ts'

/** Parameters of a payment that a page may set. The worker sets fee cap, wallet and consent itself. */
export type PaymentOrder = Pick<PayParameters, 'to' | 'amount' | 'tokenId' | 'memo'>

/** Payments whose consent is given in another thread. */
export type PaymentApprovals = {
  /**
   * Lists the payments. Those on an earlier network of the brand stay in the journal. They are omitted once the chain's
   * name is known, which is asked for when a payment is open or made.
   */
  readonly list: () => readonly PaymentInfo[]
  /** Prepares a payment and holds it for approval. The summary is read from the bytes to be signed. */
  readonly prepare: (ticket: string, order: PaymentOrder) => Promise<PaymentSummary>
  /**
   * Signs, stores and sends a prepared payment; resolves with its id. Without a valid proof the payment stays
   * pending. An approval that an earlier leader may have taken is answered from the journal, where each payment is
   * stored before it is signed.
   *
   * @param id the one in the summary
   * @throws {Error} if the proof does not match the prepared bytes, or if the payment is neither waiting here nor in the
   *   journal. Nothing was sent then.
   */
  readonly approve: (ticket: string, proof: ConsentProof, id?: string) => Promise<string>
  readonly decline: (ticket: string) => void
  /** True while a payment waits for consent that a person may still give. */
  readonly isWaiting: () => boolean
  /** Makes a payment to which its caller consents. No page can call it. */
  readonly pay: Payments['pay']
  readonly close: () => Promise<void>
}

type Waiting = {
  readonly summary: PaymentSummary
  readonly answer: (isAgreed: boolean) => void
  readonly paid: Promise<string>
  /** By the monotonic clock, in ms. */
  readonly sinceMs: number
}

/** Payments that wait for consent at a time. Any page of this origin can prepare one, so the oldest gives way. */
const MAX_WAITING = 16
/** Time for which a payment that waits holds payouts back: its tab may have been closed meanwhile. */
const ANSWER_MS = 600_000
const ATTEMPTS = 20
const PAUSE_MS = 100

/** Opens the journal. Retries while the previous leader may still hold its lock. */
async function openJournal(name: string, attempt = 1): ReturnType<typeof openBrowserJournal> {
  try {
    return await openBrowserJournal({ name })
  } catch (error) {
    if (attempt >= ATTEMPTS || !isNodeError(error, 'JOURNAL_LOCKED')) throw error
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    return openJournal(name, attempt + 1)
  }
}

/**
 * Counts the payments of a journal that nobody has open and whose end is not known; null if some of its records cannot be
 * read. Asks the network nothing.
 */
export async function countUnsettled(client: ClientCore, name: string): Promise<number | null> {
  const payments = await createPayments({ client, journal: await openJournal(name) })
  try {
    if (payments.damagedRecords > 0) return null
    return payments.list().filter(({ state }) => !isPaymentOver(state)).length
  } finally {
    await payments.close()
  }
}

export async function openPaymentApprovals(parameters: {
  readonly client: ClientCore
  readonly journalName: string
  readonly wallet: Wallet | null
  readonly onChange: () => void
}): Promise<PaymentApprovals> {
  const { client, journalName, wallet, onChange } = parameters
  const payments: Payments = await createPayments({
    client,
    journal: await openJournal(journalName),
    wallet: wallet ?? undefined,
    // The person confirms the fee. The cap only stops absurd ones.
    feeCap: { shareBps: 5_000n, units: 10n ** 10n },
    confirmations: 1,
  })
  payments.subscribe(onChange)
  // Payments retry by themselves while the network does not answer. If one is open, this also learns the chain's name.
  payments.resume().then(onChange, onChange)
  const waiting = new Map<string, Waiting>()

  function prepare(ticket: string, { to, amount, tokenId, memo }: PaymentOrder): Promise<PaymentSummary> {
    return new Promise((resolve, reject) => {
      const consent = (summary: PaymentSummary): Promise<boolean> =>
        new Promise((answer) => {
          // A ticket in use cannot be taken over by another payment.
          if (waiting.has(ticket)) return answer(false)
          const [oldest] = waiting.keys()
          if (oldest !== undefined && waiting.size >= MAX_WAITING) decline(oldest)
          waiting.set(ticket, { summary, answer, paid, sinceMs: performance.now() })
          resolve(summary)
        })
      const paid = payments.pay({ to, amount, tokenId, memo, consent }).then(({ id }) => id)
      paid.catch(reject)
    })
  }

  function waitingFor(ticket: string): Waiting {
    const found = waiting.get(ticket)
    if (found !== undefined) return found
    const message = 'This payment does not wait for an approval here, and was not signed.'
    throw Object.assign(new Error(message), { code: 'PAYMENT_NOT_APPROVED' })
  }

  /** Approved payments that are being signed and sent: an approval that is repeated joins the first one. */
  const agreed = new Map<string, Promise<string>>()

  function settle(ticket: string, isAgreed: boolean): Promise<string> {
    const { answer, paid } = waitingFor(ticket)
    waiting.delete(ticket)
    answer(isAgreed)
    if (isAgreed) agreed.set(ticket, paid)
    const forget = (): void => void agreed.delete(ticket)
    paid.then(forget, forget)
    return paid
  }

  /** Returns the id of a payment that was approved before; null if it was not. */
  function approvedBefore(ticket: string, id: string | undefined): Promise<string> | null {
    const running = agreed.get(ticket)
    if (running !== undefined || waiting.has(ticket) || id === undefined) return running ?? null
    return payments.list().some((payment) => payment.id === id) ? Promise.resolve(id) : null
  }

  async function approve(ticket: string, proof: ConsentProof, id?: string): Promise<string> {
    const earlier = approvedBefore(ticket, id)
    if (earlier !== null) return earlier
    const found = waitingFor(ticket)
    const isProven = wallet !== null && (await isConsent(wallet, found.summary, proof))
    // The same approval may have come twice, and the ticket may belong to another payment by now.
    const meanwhile = approvedBefore(ticket, id)
    if (meanwhile !== null) return meanwhile
    if (!isProven || waitingFor(ticket) !== found)
      throw new Error('Nobody with the passphrase agreed to this payment.')
    return settle(ticket, true)
  }

  function decline(ticket: string): void {
    if (waiting.has(ticket)) settle(ticket, false).catch(() => undefined)
  }

  return {
    list: () => payments.list().filter(({ isOfOtherChain }) => !isOfOtherChain),
    prepare,
    approve,
    decline,
    isWaiting: () => [...waiting.values()].some(({ sinceMs }) => performance.now() - sinceMs < ANSWER_MS),
    pay: payments.pay,
    close: async () => {
      for (const ticket of waiting.keys()) decline(ticket)
      await payments.close()
    },
  }
}
