/** Content of a store at the time it was opened. */
export type JournalContent = {
  /** JSON of every record whose checksum fits, oldest first. */
  readonly records: readonly string[]
  /** Records that were stored and cannot be read any more. What they said is not known. */
  readonly damagedRecords: number
  /** Bytes of a record that was being written when the program ended; it was never reported as stored. */
  readonly tornBytes: number
}

export type AppendOptions = {
  /** Room to keep for later records, so that what follows cannot fail for lack of space. @default 0 */
  readonly keepFreeBytes?: number | undefined
}

/**
 * Keeps the records of payments: append-only, each with a checksum, no keys in them. One program at a time; who
 * opens a store hands it to `createPayments`, which closes it.
 *
 * `append` and `replace` reject with `JOURNAL_WRITE_FAILED`.
 */
export type JournalStore = {
  readonly read: () => Promise<JournalContent>
  /** Resolves when the record would survive a power cut. All of it or nothing is ever read back. */
  readonly append: (json: string, options?: AppendOptions | undefined) => Promise<void>
  /** Puts these records in place of all others, atomically. */
  readonly replace: (records: readonly string[]) => Promise<void>
  /** Waits for what is being written. Can be called twice. */
  readonly close: () => Promise<void>
}

/** Names a place in the program, for tests that end it there. */
export type Failpoint = (name: string) => void
