import type { Address } from '@hailstone/protocol'
import type { Cancellable } from '../client-core.ts'
import type { PinnedCore } from '../pinned-core.ts'
import { unlessAborted } from '../transport/on-abort.ts'
import { coalesceBy } from './coalesce.ts'
import { isSettled, type Payment } from './payment.ts'
import type { PaymentStore } from './payment-store.ts'
import { type AccountReading, readAccount, type Untracked } from './untracked-payments.ts'

/**
 * Compares the journal with the histories of its accounts. An account is compared until that is proved: a copy is restored
 * before its journal is opened, so nothing can be missing afterwards.
 */
export type JournalComparison = {
  /**
   * Returns the payments of an account that the journal does not have, or null. The node is asked after the
   * call.
   *
   * @throws {NodeError} what the look-ups throw
   */
  readonly of: (core: PinnedCore, address: Address, options?: Cancellable) => Promise<Untracked | null>
  /**
   * True if a node has a payment that is deep in the chain, and none that the journal does not have. If the payment was made
   * since the journal was opened, its account is not compared again.
   *
   * @throws {NodeError} what the look-ups throw
   */
  readonly proves: (
    core: PinnedCore,
    payment: Payment,
    options: { readonly isMadeHere: boolean },
  ) => Promise<boolean>
  /** True if nothing of an account can be missing. */
  readonly isProved: (address: Address) => boolean
}

/** Time for which a comparison that cost many requests is not made again, in ms. */
const UNSURE_MS = 60_000

const nothing: AccountReading = { untracked: null, shown: new Set() }

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
  const unsure = new Map<string, { readonly reading: AccountReading; readonly untilMs: number }>()
  const cores = new Map<string, PinnedCore>()

  async function compare(client: PinnedCore, address: Address): Promise<AccountReading> {
    const now = client.clock.monotonicMs()
    const key = `${address} ${client.source}`
    const before = unsure.get(key)
    if (before !== undefined && now < before.untilMs) return before.reading
    const known = past.filter((payment) => fromOf(payment) === address)
    const reading = await readAccount({ client, store, address, past: known, signal: closing })
    if (reading.untracked?.newest === null) unsure.set(key, { reading, untilMs: now + UNSURE_MS })
    return reading
  }

  const comparisons = coalesceBy((key: string): Promise<AccountReading> => {
    const [address = '', source = ''] = key.split(' ')
    const core = cores.get(source)
    if (core === undefined) throw new TypeError('no such node')
    return compare(core, address as Address)
  })

  const reading = (core: PinnedCore, address: Address): Promise<AccountReading> => {
    if (whole.has(address)) return Promise.resolve(nothing)
    cores.set(core.source, core)
    return comparisons(`${address} ${core.source}`)
  }

  return {
    of: async (core, address, { signal } = {}) =>
      (await unlessAborted(reading(core, address), [signal])).untracked,
    proves: async (core, payment, { isMadeHere }) => {
      const address = fromOf(payment)
      if (whole.has(address)) return true
      const { untracked, shown } = await unlessAborted(reading(core, address), [closing])
      const isProved = untracked === null && shown.has(payment.id)
      if (isProved && isMadeHere) whole.add(address)
      return isProved
    },
    isProved: (address) => whole.has(address),
  }
}
