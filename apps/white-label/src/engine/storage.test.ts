import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connectStores, mayHaveDatabase, openStorage, type Storage } from './storage.ts'

const later = (act: () => void): void => void setTimeout(act)
const closed = (): DOMException =>
  new DOMException('The database connection is closing.', 'InvalidStateError')
const aborted = new DOMException('The connection was closed.', 'AbortError')

/** A stand-in for the part of IndexedDB that the storage uses, whose connections a test can close. */
function createBrowser() {
  const values = new Map<string, unknown>()
  const connections: Connection[] = []
  let abortsNext = false

  class Connection {
    onclose: (() => void) | null = null
    onversionchange: (() => void) | null = null
    isClosed = false
    close(): void {
      this.isClosed = true
    }
    createObjectStore(): void {}
    transaction() {
      if (this.isClosed) throw closed()
      const changes: (() => void)[] = []
      const asked = <T>(read: () => T) => {
        const request = { result: undefined as T | undefined, onsuccess: () => {} }
        later(() => {
          request.result = read()
          request.onsuccess()
        })
        return request
      }
      const change = (act: () => void) => {
        changes.push(act)
        return asked(() => undefined)
      }
      const transaction = {
        error: null as DOMException | null,
        oncomplete: () => {},
        onabort: () => {},
        objectStore: () => ({
          get: (key: string) => asked(() => values.get(key)),
          put: (value: unknown, key: string) => change(() => values.set(key, value)),
          delete: (key: string) => change(() => values.delete(key)),
        }),
      }
      const isAborted = abortsNext
      abortsNext = false
      setTimeout(() => {
        if (isAborted) {
          this.isClosed = true
          transaction.error = aborted
          return transaction.onabort()
        }
        for (const act of changes) act()
        transaction.oncomplete()
      }, 20)
      return transaction
    }
  }

  vi.stubGlobal('indexedDB', {
    open: () => {
      const asked = { result: new Connection(), onsuccess: () => {} }
      connections.push(asked.result)
      later(() => asked.onsuccess())
      return asked
    },
  })
  return {
    connections,
    newest: (): Connection => connections.at(-1) as Connection,
    abortNext: (): void => {
      abortsNext = true
    },
  }
}

let browser: ReturnType<typeof createBrowser>
let storage: Storage
beforeEach(async () => {
  browser = createBrowser()
  storage = await openStorage('brand')
})
afterEach(() => vi.unstubAllGlobals())

it('opens the database again that the browser closed, once for all that asks meanwhile', async () => {
  await storage.set('account', 1)
  browser.newest().isClosed = true
  expect(await Promise.all([storage.get('account'), storage.get('account')])).toEqual([1, 1])
  expect(browser.connections).toHaveLength(2)
  browser.newest().isClosed = true
  browser.newest().onclose?.()
  expect(await storage.swap(['account'], () => ({ account: 2 }))).toEqual({ account: 1 })
  expect(await storage.get('account')).toBe(2)
  expect(browser.connections).toHaveLength(3)
})

it('writes again what the browser aborted as it closed the database', async () => {
  browser.abortNext()
  await storage.set('account', 1)
  browser.abortNext()
  await storage.swap(['account'], ({ account }) => ({ account: Number(account) + 1 }))
  expect(await storage.get('account')).toBe(2)
})

it('makes way for a newer version or a deletion, and does not open the database again', async () => {
  const first = browser.newest()
  first.onversionchange?.()
  await Promise.resolve()
  expect(first.isClosed).toBe(true)
  await expect(storage.get('account')).rejects.toThrow('The storage is closed.')
  expect(browser.connections).toHaveLength(1)
})

it('passes on what fails for another reason, and what fails twice', async () => {
  const { use } = await connectStores('other', () => {})
  let runs = 0
  const failing = (error: Error) => async (): Promise<void> => {
    runs++
    throw error
  }
  const full = new DOMException('full', 'QuotaExceededError')
  await expect(use(failing(full))).rejects.toBe(full)
  expect(runs).toBe(1)
  await expect(use(failing(closed()))).rejects.toThrow('closing')
  expect(runs).toBe(3)
})

it.each(['InvalidStateError', 'AbortError', 'UnknownError'])(
  'opens the database again after an %s',
  async (name) => {
    const { use } = await connectStores('other', () => {})
    const before = browser.connections.length
    let runs = 0
    const act = async (): Promise<number> => {
      runs++
      if (runs === 1) throw new DOMException('Connection lost.', name)
      return runs
    }
    expect(await use(act)).toBe(2)
    expect(browser.connections).toHaveLength(before + 1)
  },
)

it('takes a database for there where the browser fails to list them: mining needs no list', async () => {
  const databases = vi
    .fn()
    .mockRejectedValueOnce(closed())
    .mockResolvedValue([{ name: 'other' }])
  vi.stubGlobal('indexedDB', { databases })
  expect([await mayHaveDatabase('own'), await mayHaveDatabase('own')]).toEqual([true, false])
})
