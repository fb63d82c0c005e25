import type { PaymentInfo, Payments } from '@hailstone/client'
import type { Webhooks } from './open-webhooks.ts'
import { createWebhookEvent } from './outbox.ts'

/** Reports of the payments of one journal. */
export type PaymentReports = {
  /** Notes a payment, so that a later run tells its end if this one does not. */
  readonly follow: (id: string) => Promise<void>
  /** Keeps an event for each that is settled for good. */
  readonly report: () => Promise<void>
}

const STATE = 'payments'

function idsIn(text: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

const isFinal = ({ state }: PaymentInfo): boolean => 'isFinal' in state && state.isFinal
/** Nothing of it was sent. */
const isWithdrawn = ({ state }: PaymentInfo): boolean => state.status === 'withdrawn'

/**
 * Follows the payments that are not settled yet. They are listed in a file until their event is kept: a run that was
 * killed, or that made another payment meanwhile, takes no event along.
 */
export async function reportPayments(
  { store, outbox, isWanted }: Pick<Webhooks, 'store' | 'outbox' | 'isWanted'>,
  { payments, address }: { readonly payments: Pick<Payments, 'list' | 'get'>; readonly address: string },
): Promise<PaymentReports> {
  const noted = idsIn(await store.read(STATE))
  const unsettled = payments.list().filter((payment) => !isFinal(payment) && !isWithdrawn(payment))
  let followed: ReadonlySet<string> = new Set([...noted, ...unsettled.map(({ id }) => id)])
  const keep = async (ids: ReadonlySet<string>): Promise<void> => {
    await store.write(STATE, JSON.stringify([...ids]))
    followed = ids
  }
  await keep(followed)

  async function put({ hash, to, amount, tokenId, state: { status } }: PaymentInfo): Promise<void> {
    if (!isWanted('paymentSettled')) return
    const data = { address, hash, to, amount, tokenId, status }
    const identity = [hash, status]
    await outbox.put(createWebhookEvent({ type: 'paymentSettled', address, identity, data }))
  }

  return {
    follow: (id) => keep(new Set([...followed, id])),
    report: async () => {
      const open = new Set<string>()
      for (const id of followed) {
        const payment = payments.get(id)?.info()
        if (payment === undefined) continue
        if (isFinal(payment)) await put(payment)
        else if (!isWithdrawn(payment)) open.add(id)
      }
      await keep(open)
    },
  }
}
