import {
  type Client,
  createPayments,
  openBrowserJournal,
  type PaymentInfo,
  type PaymentSummary,
  type Payments,
  type PayParameters,
  type Wallet,
} from '@hailstone/client'
import { isNodeError } from '@hailstone/protocol'

/** Payments whose consent is given on another thread. */
export type PaymentDesk = {
  readonly list: () => readonly PaymentInfo[]
  /** Works everything out and waits for `answer`; what it resolves with was read from the bytes to be signed. */
  readonly prepare: (ticket: string, parameters: Omit<PayParameters, 'consent'>) => Promise<PaymentSummary>
  /** Signs, stores and sends it; resolves with the id of the payment. */
  readonly approve: (ticket: string) => Promise<string>
  readonly decline: (ticket: string) => void
  readonly close: () => Promise<void>
}

type Waiting = { readonly answer: (isAgreed: boolean) => void; readonly paid: Promise<string> }

const ATTEMPTS = 20
const PAUSE_MS = 100

/** The tab before us may still be writing. */
async function openJournal(name: string, attempt = 1): ReturnType<typeof openBrowserJournal> {
  try {
    return await openBrowserJournal({ name })
  } catch (error) {
    if (attempt >= ATTEMPTS || !isNodeError(error, 'JOURNAL_LOCKED')) throw error
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    return openJournal(name, attempt + 1)
  }
}

export async function openPaymentDesk(parameters: {
  readonly client: Client
  readonly journalName: string
  readonly wallet: Wallet | null
  readonly onChange: () => void
}): Promise<PaymentDesk> {
  const { client, journalName, wallet, onChange } = parameters
  const payments: Payments = await createPayments({
    client,
    journal: await openJournal(journalName),
    wallet: wallet ?? undefined,
    // A person sees and confirms the fee; this only stops what nobody could have meant.
    feeCap: { shareBps: 5_000n, units: 10n ** 10n },
    confirmations: 1,
  })
  payments.subscribe(onChange)
  // A network that does not answer is asked again by the payments themselves.
  payments.resume().catch(() => undefined)
  const waiting = new Map<string, Waiting>()

  function prepare(ticket: string, order: Omit<PayParameters, 'consent'>): Promise<PaymentSummary> {
    return new Promise((resolve, reject) => {
      const consent = (summary: PaymentSummary): Promise<boolean> =>
        new Promise((answer) => {
          waiting.set(ticket, { answer, paid })
          resolve(summary)
        })
      const paid = payments.pay({ ...order, consent }).then(({ id }) => id)
      paid.catch(reject)
    })
  }

  function settle(ticket: string, isAgreed: boolean): Promise<string> {
    const found = waiting.get(ticket)
    if (found === undefined)
      return Promise.reject(new Error('This payment was left before it was confirmed.'))
    waiting.delete(ticket)
    found.answer(isAgreed)
    return found.paid
  }

  return {
    list: payments.list,
    prepare,
    approve: (ticket) => settle(ticket, true),
    decline: (ticket) => {
      settle(ticket, false).catch(() => undefined)
    },
    close: async () => {
      for (const ticket of waiting.keys()) settle(ticket, false).catch(() => undefined)
      await payments.close()
    },
  }
}
