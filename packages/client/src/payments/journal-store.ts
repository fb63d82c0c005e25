import { assertArgument, type ErrorFacts, type NodeError, paymentError } from '@hailstone/protocol'

/** Content of a store at the time it was opened. */
export type JournalContent = {
  /** JSON of every record whose checksum fits, oldest first. */
  readonly records: readonly string[]
  /** Records that were stored and cannot be read any more. What they said is not known. */
  readonly damagedRecords: number
  /** Bytes of a record that was being written when the program ended; it was never reported as stored. */
  readonly tornBytes: number
}

/** Options of writing to a journal. */
export type AppendOptions = {
  /** Room to keep for later records, so that what follows cannot fail for lack of space. @default 0 */
  readonly keepFreeBytes?: number | undefined
}

/**
 * Keeps the records of payments: append-only, each with a checksum, no keys in them. One program at a time; who
 * opens a store hands it to `createPayments`, which closes it.
 *
 * `append` and `replace` reject with `JOURNAL_WRITE_FAILED`, of {@link journalWriteFailed}. After any other error, or with
 * `mayBeStored`, a record counts as one that may be there after a restart.
 */
export type JournalStore = {
  /** Reads all records that were stored, oldest first. */
  readonly read: () => Promise<JournalContent>
  /** Resolves when the record would survive a power cut. All of it or nothing is ever read back. */
  readonly append: (json: string, options?: AppendOptions | undefined) => Promise<void>
  /** Puts these records in place of all others, atomically. */
  readonly replace: (records: readonly string[]) => Promise<void>
  /** Waits for what is being written. Can be called twice. */
  readonly close: () => Promise<void>
}

/**
 * Creates the error with which a journal store says that it could not write. `mayBeStored` is false only if the record is
 * certainly not stored.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function journalWriteFailed(
  facts: ErrorFacts['JOURNAL_WRITE_FAILED'],
  cause?: unknown,
): NodeError<'JOURNAL_WRITE_FAILED'> {
  const { reason, mayBeStored } = Object(facts)
  assertArgument(typeof reason === 'string', 'reason', 'why it could not be written', reason)
  assertArgument(typeof mayBeStored === 'boolean', 'mayBeStored', 'a boolean', mayBeStored)
  return paymentError('JOURNAL_WRITE_FAILED', facts, { cause })
}

/** Names a place in the program, for tests that end it there. */
export type Failpoint = (name: string) => void
