import { isNodeError, paymentError } from '@hailstone/protocol'
import { type AppendOptions, type JournalStore, journalWriteFailed } from './journal-store.ts'
import { isSettled, type Payment, type PaymentState } from './payment.ts'
import { decodePayment, encodePayment, type ReadRecord } from './payment-record.ts'

/** Payments over a store. */
export type Journal = {
  /** Payments that the journal holds at the moment, oldest first. */
  readonly payments: readonly Payment[]
  readonly damagedRecords: number
  /**
   * Resolves when it would survive a power cut, to the ids of settled payments that are kept no longer.
   *
   * @throws {NodeError} `JOURNAL_WRITE_FAILED`, also for any other error of the store
   */
  readonly write: (payment: Payment, options?: AppendOptions) => Promise<readonly string[]>
  /** True if so many records were overwritten that compacting is worth it. */
  readonly isBloated: () => boolean
  /** Writes what is kept into a new file, and forgets the rest. When that fails the old one is still there. */
  readonly compact: () => Promise<void>
  readonly close: () => Promise<void>
}

export type OpenJournalParameters = {
  readonly store: JournalStore
  /** Settled payments that are kept, the newest ones. Their idempotency keys are known as long. */
  readonly keepSettled: number
  /** Overwritten records that are not worth a new file. */
  readonly minOverwritten: number
  /** Takes what can be read for everything there was. */
  readonly acceptDamage: boolean
}

/**
 * Reads what a store holds.
 *
 * @throws {NodeError} `JOURNAL_INVALID` when a newer version of this package wrote it; what the store throws
 */
export async function openJournal(parameters: OpenJournalParameters): Promise<Journal> {
  const { store, keepSettled, minOverwritten, acceptDamage } = parameters
  const content = await store.read()
  const records = content.records.map(decodePayment)
  assertVersion(records)
  const unread = records.filter(({ kind }) => kind === 'damaged').length
  const damagedRecords = content.damagedRecords + unread
  const current = latest(records, damagedRecords === 0 || acceptDamage)
  let settledCount = [...current.values()].filter(isDone).length
  const writing = new Set<Promise<unknown>>()
  let compacting: Promise<void> | undefined
  let overwritten = records.length - current.size

  const append = async (payment: Payment, options?: AppendOptions): Promise<readonly string[]> => {
    try {
      await store.append(encodePayment(payment), options)
    } catch (error) {
      throwUnknownOutcome(error)
    }
    // In the order of their last change, so that what settled first is dropped first.
    const before = current.get(payment.id)
    if (before !== undefined && isDone(before)) settledCount--
    current.delete(payment.id)
    current.set(payment.id, payment)
    overwritten++
    if (isDone(payment)) settledCount++
    return dropSettled()
  }
  const dropSettled = (): readonly string[] => {
    const dropped: string[] = []
    // Payments that came to nothing are the first to go.
    for (const isNext of [isWithdrawn, isDone])
      for (const payment of settledCount > keepSettled ? current.values() : []) {
        if (settledCount <= keepSettled) break
        if (!isNext(payment)) continue
        current.delete(payment.id)
        dropped.push(payment.id)
        settledCount--
        overwritten++
      }
    return dropped
  }
  const replace = async (): Promise<void> => {
    await Promise.allSettled(writing)
    const keeping = new Set(kept([...current.values()], keepSettled))
    await store.replace([...keeping].map(encodePayment))
    for (const payment of current.values()) if (!keeping.has(payment)) current.delete(payment.id)
    settledCount = [...current.values()].filter(isDone).length
    overwritten = 0
  }
  dropSettled()
  return {
    get payments() {
      return [...current.values()].sort((a, b) => a.createdAtMs - b.createdAtMs)
    },
    damagedRecords,
    write: async (payment, options) => {
      // What is written must not fall between the reading of `current` and the new file.
      while (compacting !== undefined) await compacting.catch(() => undefined)
      const written = append(payment, options)
      writing.add(written)
      return written.finally(() => writing.delete(written))
    },
    // A record that the store never answers for would hold up the new file, and everybody else with it.
    isBloated: () =>
      compacting === undefined && writing.size === 0 && overwritten > Math.max(minOverwritten, current.size),
    compact: () => {
      compacting ??= replace().finally(() => {
        compacting = undefined
      })
      return compacting
    },
    close: store.close,
  }
}

/** Whatever a store throws, the record may be there after a restart; only its own error can say otherwise. */
function throwUnknownOutcome(error: unknown): never {
  if (isNodeError(error, 'JOURNAL_WRITE_FAILED')) throw error
  throw journalWriteFailed({ reason: 'its store failed', mayBeStored: true }, error)
}

/**
 * True for payments that are settled and can be forgotten. One that was executed as a copy cannot: its own bytes, sent
 * again under its key, would be a second payment.
 */
const isDone = (payment: Payment): boolean =>
  isSettled(payment) && !(payment.state.status === 'superseded' && payment.idempotencyKey !== null)

const isWithdrawn = ({ state }: Payment): boolean => state.status === 'withdrawn'

function assertVersion(records: readonly ReadRecord[]): void {
  const newer = records.find((record) => record.kind === 'newerVersion')
  if (newer === undefined) return
  const reason = `version ${newer.version} of its records is newer than this program`
  throw paymentError('JOURNAL_INVALID', { path: 'records', reason })
}

/**
 * The last record of each payment, in the order in which they began. One that ends with its intent was never
 * sent: its bytes were not stored. Unless records are missing, then that cannot be known.
 */
function latest(records: readonly ReadRecord[], isWhole: boolean): Map<string, Payment> {
  const payments = new Map<string, Payment>()
  for (const record of records) {
    if (record.kind !== 'payment') continue
    payments.delete(record.payment.id)
    payments.set(record.payment.id, record.payment)
  }
  for (const payment of isWhole ? payments.values() : []) {
    if (payment.state.status === 'prepared') payments.set(payment.id, { ...payment, state: NEVER_SIGNED })
  }
  return payments
}

const NEVER_SIGNED: PaymentState = {
  status: 'withdrawn',
  reason: 'the program ended before it was signed',
}

/** Everything that is under way, and the newest of what is settled. What was withdrawn has nothing to say. */
function kept(payments: readonly Payment[], keepSettled: number): readonly Payment[] {
  const telling = payments.filter((payment) => payment.state.status !== 'withdrawn')
  const settled = telling.filter(isDone)
  const dropped = new Set(settled.slice(0, Math.max(0, settled.length - keepSettled)))
  return telling.filter((payment) => !dropped.has(payment))
}
