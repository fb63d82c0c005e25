import {
  connectDatabase,
  type DatabaseConnection,
} from '../../../../packages/client/src/web/connect-database.ts'

/** Key-value store of the engine in IndexedDB. Values are cloned: bigints and crypto keys survive. */
export type Storage = {
  readonly get: <T>(name: string) => Promise<T | undefined>
  readonly set: (name: string, value: unknown) => Promise<void>
  readonly remove: (name: string) => Promise<void>
  /**
   * Reads values and writes those that `act` returns, undefined to remove one, in one transaction: nobody else writes
   * meanwhile, and a page that is killed has written all of it or nothing. Returns the values as they were before.
   *
   * @param act may throw, and then nothing is written; called a second time if the browser closed the database before the write
   */
  readonly swap: (names: readonly string[], act: (values: Values) => Values) => Promise<Values>
}

export type Values = Readonly<Record<string, unknown>>

const VALUES = 'values'

/** @param create called with a new database, to create its object stores */
function openDatabase(name: string, create: (database: IDBDatabase) => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(name, 1)
    asked.onupgradeneeded = () => create(asked.result)
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
    asked.onblocked = () => reject(new Error('The storage is in use by another version of this app.'))
  })
}

/**
 * Opens a database that is reopened when the browser has closed it.
 *
 * @param create called with a new database, to create its object stores
 */
export const connectStores = (
  name: string,
  create: (database: IDBDatabase) => void,
): Promise<DatabaseConnection> => connectDatabase(() => openDatabase(name, create))

/** @param name database name, unique per brand */
export async function openStorage(name: string): Promise<Storage> {
  const { use } = await connectStores(name, (created) => void created.createObjectStore(VALUES))
  const run = <T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    use(
      (database) =>
        new Promise((resolve, reject) => {
          const transaction = database.transaction(VALUES, mode, { durability: 'strict' })
          const asked = act(transaction.objectStore(VALUES))
          transaction.oncomplete = () => resolve(asked.result)
          transaction.onabort = () => reject(transaction.error)
        }),
    )
  return {
    get: (key) => run('readonly', (store) => store.get(key)),
    set: async (key, value) => {
      await run('readwrite', (store) => store.put(value, key))
    },
    remove: async (key) => {
      await run('readwrite', (store) => store.delete(key))
    },
    swap: (names, act) =>
      use(
        (database) =>
          new Promise((resolve, reject) => {
            const transaction = database.transaction(VALUES, 'readwrite', { durability: 'strict' })
            const store = transaction.objectStore(VALUES)
            const asked = names.map((key) => [key, store.get(key)] as const)
            let before: Values = {}
            let fault: unknown
            const write = (): void => {
              try {
                before = Object.fromEntries(asked.map(([key, { result }]) => [key, result]))
                for (const [key, value] of Object.entries(act(before)))
                  if (value === undefined) store.delete(key)
                  else store.put(value, key)
              } catch (error) {
                fault = error
                transaction.abort()
              }
            }
            // Requests of one transaction are answered in order.
            const last = asked.at(-1)?.[1]
            if (last !== undefined) last.onsuccess = write
            transaction.oncomplete = () => resolve(before)
            transaction.onabort = () => reject(fault ?? transaction.error)
          }),
      ),
  }
}

/** True if the database exists, or if the browser cannot list databases. */
export async function mayHaveDatabase(name: string): Promise<boolean> {
  if (typeof indexedDB.databases !== 'function') return true
  const databases = await indexedDB.databases().catch(() => null)
  return databases?.some((database) => database.name === name) ?? true
}
