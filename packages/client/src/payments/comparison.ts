import type { Address } from '@hailstone/protocol'
import type { Cancellable, ClientCore } from '../client-core.ts'
import type { PinnedCore } from '../pinned-core.ts'
import { unlessAborted } from '../transport/on-abort.ts'
import { coalesceBy } from './coalesce.ts'
import { isSettled, type Payment } from './payment.ts'
import type { PaymentStore } from './payment-store.ts'
import { type Untracked, untrackedPayments } from './untracked-payments.ts'

/**
 * Compares the journal with the histories of its accounts. An account is compared until that is proved: a copy is restored
 * before its journal is opened, so nothing can be missing afterwards.
 */
export type JournalComparison = {
  /**
   * Returns the payments of an account that the journal does not have; null if there are none. The node is asked after the
   * call.
   *
   * @throws {NodeError} what the look-ups throw
   */
  readonly of: (core: PinnedCore, address: Address, options?: Cancellable) => Promise<Untracked | null>
  /**
   * Ends the comparisons of an account: a node shows a payment deep in the chain that was made since the journal was opened,
   * and none that the journal does not have.
   */
  readonly end: (address: Address) => void
  /** True if the journal had payments of an account when it was opened, and every one before them. */
  readonly hasPast: (address: Address) => boolean
}

/** Time for which a comparison that cost many requests is not made again, in ms. */
const UNSURE_MS = 60_000

export function createJournalComparison({
  store,
  closing,
}: {
  readonly store: PaymentStore
  /** Fires when the payments are closed. A comparison may be for several callers. */
  readonly closing: AbortSignal
}): JournalComparison {
  // What becomes final later may be below payments that the journal does not have, and so may be what an old copy paid.
  const past = store
    .payments()
    .filter((payment) => isSettled(payment) && payment.isWhole && 'place' in payment.state)
  const fromOf = (payment: Payment): Address => store.fieldsOf(payment).from
  const whole = new Set<Address>()
  const unsure = new Map<Address, { readonly untracked: Untracked; readonly untilMs: number }>()
  const cores = new Map<string, PinnedCore>()

  async function compare(client: ClientCore, address: Address): Promise<Untracked | null> {
    const now = client.clock.monotonicMs()
    const before = unsure.get(address)
    if (before !== undefined && now < before.untilMs) return before.untracked
    const known = past.filter((payment) => fromOf(payment) === address)
    const parts = { client, store, address, past: known, signal: closing }
    const untracked = await untrackedPayments(parts)
    if (untracked?.newest === null) unsure.set(address, { untracked, untilMs: now + UNSURE_MS })
    return untracked
  }

  const comparisons = coalesceBy((key: string): Promise<Untracked | null> => {
    const [address = '', source = ''] = key.split(' ')
    const core = cores.get(source)
    if (core === undefined) throw new TypeError('no such node')
    return compare(core, address as Address)
  })

  return {
    of: (core, address, { signal } = {}) => {
      if (whole.has(address)) return Promise.resolve(null)
      cores.set(core.source, core)
      return unlessAborted(comparisons(`${address} ${core.source}`), [signal])
    },
    end: (address) => void whole.add(address),
    hasPast: (address) => past.some((payment) => fromOf(payment) === address),
  }
}
