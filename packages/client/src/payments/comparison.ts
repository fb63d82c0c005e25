import type { Address } from '@hailstone/protocol'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { unlessAborted } from '../transport/on-abort.ts'
import { isSettled, type Payment } from './payment.ts'
import type { PaymentStore } from './payment-store.ts'
import { type Untracked, untrackedPayments } from './untracked-payments.ts'

/**
 * Compares the journal with the histories of its accounts. An account is compared until that is proved: a copy is restored
 * before its journal is opened, so nothing can be missing afterwards.
 */
export type JournalComparison = {
  /**
   * Returns the payments of an account that the journal does not have; null if there are none.
   *
   * @throws {NodeError} what the look-ups throw
   */
  readonly of: (client: ClientCore, address: Address, options?: Cancellable) => Promise<Untracked | null>
  /** True if the journal had settled payments of an account when it was opened. */
  readonly hasPast: (address: Address) => boolean
}

/** Time for which a comparison that cost many requests is not made again, in ms. */
const UNSURE_MS = 60_000

export function createJournalComparison({
  store,
  confirmations,
  closing,
}: {
  readonly store: PaymentStore
  /** Fires when the payments are closed. A comparison may be for several callers. */
  readonly closing: AbortSignal
  /** Macroblocks after which the chain has to show once more that nothing is missing. */
  readonly confirmations: number
}): JournalComparison {
  // What becomes final later may be below payments that the journal does not have.
  const past = store.payments().filter((payment) => isSettled(payment) && 'place' in payment.state)
  const fromOf = (payment: Payment): Address => store.fieldsOf(payment).from
  const whole = new Set<Address>()
  const wholeSince = new Map<Address, number>()
  const unsure = new Map<Address, { readonly untracked: Untracked; readonly untilMs: number }>()
  const running = new Map<Address, Promise<Untracked | null>>()

  async function compare(client: ClientCore, address: Address): Promise<Untracked | null> {
    const now = client.clock.monotonicMs()
    const before = unsure.get(address)
    if (before !== undefined && now < before.untilMs) return before.untracked
    const known = past.filter((payment) => fromOf(payment) === address)
    const { untracked, height } = await untrackedPayments({
      ...{ client, store, address },
      past: known,
      signal: closing,
    })
    if (untracked !== null) {
      wholeSince.delete(address)
      if (untracked.newest === null) unsure.set(address, { untracked, untilMs: now + UNSURE_MS })
      return untracked
    }
    const since = Math.min(wholeSince.get(address) ?? height, height)
    wholeSince.set(address, since)
    if (height - since >= confirmations) whole.add(address)
    return null
  }

  return {
    of: async (client, address, { signal } = {}) => {
      if (whole.has(address)) return null
      const comparing = running.get(address) ?? compare(client, address)
      running.set(address, comparing)
      const forget = (): void => {
        if (running.get(address) === comparing) running.delete(address)
      }
      comparing.then(forget, forget)
      return unlessAborted(comparing, [signal])
    },
    hasPast: (address) => past.some((payment) => fromOf(payment) === address),
  }
}
