/** Access to a database that is reopened when the browser has closed it. */
export type DatabaseConnection = {
  /** Runs `act` on the database. If the browser had closed it, reopens it and runs `act` once more. */
  readonly use: <T>(act: (database: IDBDatabase) => Promise<T>) => Promise<T>
  /** Closes the database for good. */
  readonly close: () => void
}

/**
 * Names of the errors of a connection that the browser has closed. `UnknownError` is WebKit's, when its database process
 * has ended: every later use of the connection fails with it.
 */
const CLOSED = ['InvalidStateError', 'AbortError', 'UnknownError']

/** True for an error of a closed connection. Its transactions were aborted, so they have written nothing. */
const isClosing = (error: unknown): boolean => error instanceof DOMException && CLOSED.includes(error.name)

/**
 * Opens a database of the browser. After `close`, and after another tab has requested to upgrade or delete the database,
 * `use` rejects with an `InvalidStateError`.
 *
 * @param open opens it, each time; what it throws is passed on
 */
export async function connectDatabase(open: () => Promise<IDBDatabase>): Promise<DatabaseConnection> {
  let current: Promise<IDBDatabase> | null = null
  let isOver = false

  function drop(closed: Promise<IDBDatabase>): void {
    if (current === closed) current = null
  }

  function opened(): Promise<IDBDatabase> {
    if (isOver) return Promise.reject(new DOMException('The storage is closed.', 'InvalidStateError'))
    if (current !== null) return current
    const opening = open()
    current = opening
    opening.then(
      (database) => {
        if (isOver) database.close()
        // Browsers close databases themselves, for example when the site's data is deleted or the disk fails.
        database.onclose = () => drop(opening)
        // Another tab wants to delete or upgrade it, which waits for this connection. Reopening would create it again.
        database.onversionchange = close
      },
      () => drop(opening),
    )
    return opening
  }

  function close(): void {
    isOver = true
    current?.then(
      (database) => database.close(),
      () => undefined,
    )
    current = null
  }

  await opened()
  return {
    use: async (act) => {
      const given = opened()
      const database = await given
      try {
        return await act(database)
      } catch (error) {
        if (isOver || !isClosing(error)) throw error
        drop(given)
        database.close()
        return act(await opened())
      }
    },
    close,
  }
}
