import { keystoreError, type NodeError } from '@hailstone/protocol'
import { connectDatabase } from './connect-database.ts'

/** A greater number is a format this program does not know. */
const VERSION = 1
const KEYSTORES = 'keystores'

/** The texts of keystores by address, in IndexedDB. */
export type VaultDatabase = {
  readonly addresses: () => Promise<readonly string[]>
  readonly read: (address: string) => Promise<string | undefined>
  /** Writes through to the disk. Does nothing, and says so, when the stored text is not `expected`. */
  readonly write: (change: VaultChange) => Promise<boolean>
  readonly close: () => void
}

type VaultChange = {
  readonly address: string
  /** Undefined removes it. */
  readonly text: string | undefined
  /** Value that must be stored now; omitted if any value is accepted. */
  readonly expected?: string | undefined
}

const unavailable = (reason: string, cause?: unknown): NodeError =>
  keystoreError('VAULT_UNAVAILABLE', { reason }, { cause })

/** @throws {NodeError} `VAULT_UNAVAILABLE`, `KEYSTORE_VERSION_UNKNOWN` */
export async function openVaultDatabase(name: string): Promise<VaultDatabase> {
  const { use, close } = await connectDatabase(() => openDatabase(name))

  const act = <T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => () => T): Promise<T> =>
    use(
      (database) =>
        new Promise<T>((resolve, reject) => {
          const transaction = database.transaction(KEYSTORES, mode, { durability: 'strict' })
          const answer = ask(transaction.objectStore(KEYSTORES))
          transaction.oncomplete = () => resolve(answer())
          transaction.onabort = () => reject(transaction.error)
        }),
    ).catch((error: unknown) => {
      throw error === null || error instanceof DOMException ? accessFault(name, error) : error
    })

  return {
    addresses: () =>
      act('readonly', (store) => {
        const keys = store.getAllKeys()
        return () => keys.result.map(String)
      }),
    read: (address) =>
      act('readonly', (store) => {
        const text = store.get(address)
        return () => text.result as string | undefined
      }),
    write: ({ address, text, expected }) =>
      act('readwrite', (store) => {
        let isWritten = false
        const stored = store.get(address)
        stored.onsuccess = () => {
          if (expected !== undefined && stored.result !== expected) return
          isWritten = true
          if (text === undefined) store.delete(address)
          else store.put(text, address)
        }
        return () => isWritten
      }),
    close,
  }
}

function accessFault(name: string, cause: DOMException | null): NodeError {
  if (cause?.name === 'InvalidStateError')
    return unavailable('its database was closed; load the page again', cause)
  const reason = cause?.name === 'QuotaExceededError' ? 'no space is left' : 'the browser refused'
  return keystoreError('KEYSTORE_WRITE_FAILED', { place: name, reason }, { cause })
}

function openDatabase(name: string): Promise<IDBDatabase> {
  if (typeof indexedDB === 'undefined') throw unavailable('it has no IndexedDB')
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, VERSION)
    opening.onupgradeneeded = () => opening.result.createObjectStore(KEYSTORES)
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(openingFault(opening.error))
    opening.onblocked = () => reject(unavailable('another page holds an older version; close it'))
  })
}

function openingFault(error: DOMException | null): NodeError {
  if (error?.name !== 'VersionError')
    return unavailable('its storage cannot be opened, as in private windows', error)
  // Which version it is, the browser does not say; it is at least the next.
  return keystoreError(
    'KEYSTORE_VERSION_UNKNOWN',
    { version: VERSION + 1, newestKnown: VERSION },
    { cause: error },
  )
}
