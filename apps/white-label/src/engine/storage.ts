/** Key-value store of the engine in IndexedDB. Values are cloned: bigints and crypto keys survive. */
export type Storage = {
  readonly get: <T>(name: string) => Promise<T | undefined>
  readonly set: (name: string, value: unknown) => Promise<void>
  readonly remove: (name: string) => Promise<void>
  /** Reads and writes in one transaction, so that nobody else writes meanwhile. @param act returns a request */
  readonly change: (act: (store: IDBObjectStore) => IDBRequest<unknown>) => Promise<unknown>
}

const VALUES = 'values'

/** @param create called with a new database, to create its object stores */
export function openDatabase(name: string, create: (database: IDBDatabase) => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(name, 1)
    asked.onupgradeneeded = () => create(asked.result)
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
    asked.onblocked = () => reject(new Error('The storage is in use by another version of this app.'))
  })
}

/** @param name database name, unique per brand */
export async function openStorage(name: string): Promise<Storage> {
  const database = await openDatabase(name, (created) => void created.createObjectStore(VALUES))
  const run = <T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(VALUES, mode, { durability: 'strict' })
      const asked = act(transaction.objectStore(VALUES))
      transaction.oncomplete = () => resolve(asked.result)
      transaction.onabort = () => reject(transaction.error)
    })
  return {
    get: (key) => run('readonly', (store) => store.get(key)),
    set: async (key, value) => {
      await run('readwrite', (store) => store.put(value, key))
    },
    remove: async (key) => {
      await run('readwrite', (store) => store.delete(key))
    },
    change: (act) => run('readwrite', act),
  }
}
