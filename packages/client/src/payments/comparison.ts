import type { Address } from '@hailstone/protocol'
import type { Cancellable, ClientCore } from '../client-core.ts'
import type { UntrackedPayments } from './payment-info.ts'
import type { PaymentStore } from './payment-store.ts'
import { untrackedPayments } from './untracked-payments.ts'

/**
 * Compares the journal with the histories of its accounts. An account is compared once after the journal was opened, since
 * a copy is restored before that; one whose journal is behind is compared each time.
 */
export type JournalComparison = {
  /**
   * Returns the payments of an account that the journal does not have; null if there are none, or if they were accepted.
   *
   * @throws {NodeError} what the look-ups throw
   */
  readonly of: (
    client: ClientCore,
    address: Address,
    options?: Cancellable,
  ) => Promise<UntrackedPayments | null>
}

export function createJournalComparison({
  store,
  acceptDamage,
}: {
  readonly store: PaymentStore
  /** Nothing is compared: somebody looked at the histories. */
  readonly acceptDamage: boolean
}): JournalComparison {
  const whole = new Set<Address>()
  return {
    of: async (client, address, { signal } = {}) => {
      if (acceptDamage || whole.has(address)) return null
      const untracked = await untrackedPayments({ client, store, address, signal })
      if (untracked === null) whole.add(address)
      return untracked
    },
  }
}
