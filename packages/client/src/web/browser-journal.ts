import { NodeError, paymentError } from '@hailstone/protocol'
import { openLine, sealLine } from '../payments/journal-line.ts'
import type { JournalContent, JournalStore } from '../payments/journal-store.ts'

/** Parameters of {@link openBrowserJournal}. */
export type OpenBrowserJournalParameters = {
  /** Of the database; one for each account. @default 'hailstone-payments' */
  readonly name?: string | undefined
}

/** A greater number is a format this program does not know. */
const VERSION = 1
const RECORDS = 'records'

/**
 * Opens a payment journal in IndexedDB, for one page at a time; each record is written through to the disk
 * before it counts. Ask the browser to keep it: `navigator.storage.persist()`. Without that it may be evicted.
 *
 * @throws {NodeError} `JOURNAL_LOCKED` while another page has it; `JOURNAL_INVALID` when a newer version wrote
 *   it; `CONFIGURATION_INVALID` in a browser without IndexedDB or Web Locks; `JOURNAL_WRITE_FAILED`
 */
export async function openBrowserJournal(
  parameters: OpenBrowserJournalParameters = {},
): Promise<JournalStore> {
  const { name = 'hailstone-payments' } = Object(parameters) as OpenBrowserJournalParameters
  assertPlatform()
  const release = await takeLock(name)
  if (release === null) throw paymentError('JOURNAL_LOCKED', { path: name, processId: null })
  try {
    const database = await openDatabase(name)
    let closed = false
    return {
      read: () => readAll(database),
      append: (json) => write(database, (store) => void store.add(sealLine(json))),
      replace: (records) =>
        write(database, (store) => {
          store.clear()
          for (const record of records) store.add(sealLine(record))
        }),
      close: async () => {
        if (closed) return
        closed = true
        // Transactions that were begun are finished first.
        database.close()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

function assertPlatform(): void {
  const missing = typeof indexedDB === 'undefined' ? 'IndexedDB' : navigator.locks ? null : 'Web Locks'
  if (missing === null) return
  const facts = { path: 'journal', expected: `a browser with ${missing}`, found: 'none' }
  throw new NodeError('CONFIGURATION_INVALID', facts)
}

/** The browser gives the lock back when the page ends, however it ends. */
const takeLock = (name: string): Promise<(() => void) | null> =>
  new Promise((resolve, reject) => {
    const hold = (lock: Lock | null): Promise<void> | undefined => {
      if (lock === null) {
        resolve(null)
        return undefined
      }
      return new Promise<void>((release) => resolve(release))
    }
    navigator.locks.request(name, { mode: 'exclusive', ifAvailable: true }, hold).catch(reject)
  })

const openDatabase = (name: string): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, VERSION)
    opening.onupgradeneeded = () => opening.result.createObjectStore(RECORDS, { autoIncrement: true })
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(openingFault(name, opening.error))
    opening.onblocked = () => reject(paymentError('JOURNAL_LOCKED', { path: name, processId: null }))
  })

const openingFault = (path: string, cause: DOMException | null): NodeError =>
  cause?.name === 'VersionError'
    ? paymentError('JOURNAL_INVALID', { path, reason: 'a newer version of this program wrote it' }, { cause })
    : paymentError('JOURNAL_WRITE_FAILED', { reason: faultOf(cause), mayBeStored: false }, { cause })

const faultOf = (cause: DOMException | null): string =>
  cause?.name === 'QuotaExceededError'
    ? 'no space is left'
    : `the browser failed (${cause?.name ?? 'unknown'})`

function readAll(database: IDBDatabase): Promise<JournalContent> {
  return new Promise((resolve, reject) => {
    const asked = database.transaction(RECORDS).objectStore(RECORDS).getAll()
    asked.onerror = () => reject(openingFault(database.name, asked.error))
    asked.onsuccess = () => {
      const opened = asked.result.map((line: unknown) => (typeof line === 'string' ? openLine(line) : null))
      const records = opened.filter((record) => record !== null)
      resolve({ records, damagedRecords: opened.length - records.length, tornBytes: 0 })
    }
  })
}

/** All of it or nothing; an aborted transaction has left nothing behind. */
function write(database: IDBDatabase, change: (store: IDBObjectStore) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: DOMException | null): void =>
      reject(paymentError('JOURNAL_WRITE_FAILED', { reason: faultOf(cause), mayBeStored: false }, { cause }))
    try {
      const transaction = database.transaction(RECORDS, 'readwrite', { durability: 'strict' })
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => fail(transaction.error)
      change(transaction.objectStore(RECORDS))
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      fail(error)
    }
  })
}
