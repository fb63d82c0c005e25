import { assertArgument, paymentError, type VerifyText, verifyText } from '@hailstone/protocol'
import type { ClientCore } from '../client-core.ts'
import type { Clock } from '../transport/clock.ts'
import { SIGNING_TIMEOUT_MS } from '../wallet/signed-in-time.ts'
import type { FeeCap } from './fee-cap.ts'
import { openJournal } from './journal.ts'
import type { Failpoint, JournalStore } from './journal-store.ts'
import type { PaymentSigner } from './order.ts'
import { PaymentManager, type PaymentManagerParameters } from './payment-manager.ts'
import type { Payments } from './payments.ts'

/** Parameters of {@link createPayments}. */
export type CreatePaymentsParameters = {
  /** Asks the network and sends. It is not closed with the payments. */
  readonly client: ClientCore
  /** Store of the payments. `createPayments` takes ownership and closes it. */
  readonly journal: JournalStore
  /** Wallet that pays. May be omitted while it is locked: tracking stored payments needs no key. */
  readonly wallet?: PaymentSigner | undefined
  /** @default one percent of the amount, a tenth of a coin, or with `consent` a coin: whichever is most */
  readonly feeCap?: FeeCap | undefined
  /** Macroblocks on top of the one that holds a payment before it is final. @default 3 */
  readonly confirmations?: number | undefined
  /** Pause between two questions about a payment, at first. @default 2000 */
  readonly pollMs?: number | undefined
  /**
   * Settled payments that are kept, the newest ones; idempotency keys are known as long. A payment with a key that was
   * executed as a copy is kept besides: its own bytes would be a second payment. @default 10000
   */
  readonly keepSettled?: number | undefined
  /**
   * Pays although records were lost, damaged or gone with an old copy, after somebody looked at the account's history.
   *
   * @default false
   */
  readonly acceptDamage?: boolean | undefined
  /** @default the client's */
  readonly clock?: Clock | undefined
  /**
   * Time limit of one signature in ms, for signers that answer later. A payment that is not signed by then came to
   * nothing, and its signature is dropped. @default 120000
   */
  readonly signingTimeoutMs?: number | undefined
  /** Checks each signature before it is stored. @default the pure implementation */
  readonly verify?: VerifyText | undefined
  /** Called at named places, so that tests can end the program there. @default none */
  readonly failpoint?: Failpoint | undefined
  /** Overwritten records that are not worth a new file. @default 1000 */
  readonly minOverwritten?: number | undefined
}

/**
 * Opens the payments of a journal. The journal's own records are read; the network is not asked yet.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`; `JOURNAL_INVALID`, also for a store that other payments of this program use;
 *   what the store throws. The store is then closed
 * @example
 * await using payments = await createPayments({ client, wallet, journal: await openFileJournal({ path }) })
 * await payments.resume()
 * const payment = await payments.pay({ to, amount, idempotencyKey: 'order 17' })
 * const { state } = await payment.settled()
 */
export async function createPayments(parameters: CreatePaymentsParameters): Promise<Payments> {
  assertArgument(
    parameters?.client?.clock,
    'client',
    'a client, of createClient({ apiUrl })',
    parameters?.client,
  )
  const isAwaited = typeof Object(parameters.journal).then !== 'function'
  const aJournal = 'a journal, such as that of openFileJournal({ path })'
  assertArgument(isAwaited, 'journal', 'awaited: await openFileJournal({ path })', parameters.journal)
  assertArgument(parameters.journal?.append, 'journal', aJournal, parameters.journal)
  const store = parameters.journal
  if (inUse.has(store)) {
    const reason = 'other payments of this program use it; one key would be paid by each of them'
    throw paymentError('JOURNAL_INVALID', { path: 'journal', reason })
  }
  inUse.add(store)
  const close = (): Promise<void> => {
    inUse.delete(store)
    return store.close()
  }
  const owned: JournalStore = {
    read: () => store.read(),
    append: (json, options) => store.append(json, options),
    replace: (records) => store.replace(records),
    close,
  }
  try {
    const given = givenOf(parameters)
    const { keepSettled = 10_000, minOverwritten = 1_000 } = parameters
    const { acceptDamage } = given
    const journal = await openJournal({ store: owned, keepSettled, minOverwritten, acceptDamage })
    if (acceptDamage && journal.damagedRecords > 0) await journal.compact()
    return new PaymentManager({ ...given, journal })
  } catch (error) {
    // A store that cannot be used is not kept from others either.
    await close()
    throw error
  }
}

/** Stores that payments of this program have open. */
const inUse = new WeakSet<JournalStore>()

/**
 * Checks the settings and fills in what is left out.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
function givenOf(parameters: CreatePaymentsParameters): Omit<PaymentManagerParameters, 'journal'> {
  parameters.client.diagnostics?.names?.payments(parameters)
  const { clock = parameters.client.clock, confirmations = 3, pollMs = 2_000, wallet } = parameters
  const { acceptDamage = false, feeCap = {}, verify = verifyText, failpoint } = parameters
  const { signingTimeoutMs = SIGNING_TIMEOUT_MS, keepSettled = 0, minOverwritten = 0 } = parameters
  for (const [name, count] of Object.entries({ confirmations, keepSettled, minOverwritten }))
    assertArgument(Number.isSafeInteger(count) && count >= 0, name, 'a whole number from 0', count)
  for (const [name, ms] of Object.entries({ pollMs, signingTimeoutMs }))
    assertArgument(ms >= 1 && ms < 2 ** 31, name, 'milliseconds from 1 to 2147483647', ms)
  const client: ClientCore = { ...parameters.client, clock }
  const settings = { client, wallet, feeCap, confirmations, pollMs, acceptDamage, verify, failpoint }
  return { ...settings, signingTimeoutMs }
}
