import type { Page } from 'playwright-core'

/** Everything that a page of this origin can get out of storage. */
export type StoredValues = {
  /** Number of stored crypto keys, exportable or not. */
  readonly cryptoKeys: number
  /** Number of byte values that could be ciphertexts. */
  readonly sealed: number
  /** Texts decrypted from those values with those keys. */
  readonly opened: readonly string[]
  /** Everything as text, bytes in hex. */
  readonly text: string
}

/** Opens every store of every database of this origin and tries every stored key on every stored value. */
export const storedValues = (page: Page): Promise<StoredValues> =>
  page.evaluate(async () => {
    const keys: CryptoKey[] = []
    const values: Uint8Array<ArrayBuffer>[] = []
    const texts: string[] = []
    const hex = (bytes: Uint8Array): string =>
      [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    function collect(value: unknown): void {
      if (value instanceof CryptoKey) keys.push(value)
      else if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
        const bytes =
          value instanceof ArrayBuffer
            ? new Uint8Array(value)
            : new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength)
        values.push(bytes)
        texts.push(hex(bytes))
      } else if (typeof value === 'object' && value !== null) {
        for (const [name, part] of Object.entries(value)) {
          texts.push(name)
          collect(part)
        }
      } else texts.push(String(value))
    }
    const all = (store: IDBObjectStore) =>
      new Promise<unknown>((done) => {
        const asked = store.getAll()
        asked.onsuccess = () => done(asked.result)
      })
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((done) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => done(opening.result)
      })
      texts.push(name)
      for (const store of database.objectStoreNames)
        collect(await all(database.transaction(store).objectStore(store)))
      database.close()
    }
    collect({ ...localStorage })
    collect({ ...sessionStorage })
    collect(document.cookie)
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) texts.push(url)
    const opened: string[] = []
    for (const key of keys) {
      if (key.extractable) opened.push(hex(new Uint8Array(await crypto.subtle.exportKey('raw', key))))
      for (const iv of values)
        for (const value of values) {
          const algorithm = { ...key.algorithm, iv, counter: iv, length: 64 }
          const plain = await crypto.subtle.decrypt(algorithm, key, value).catch(() => null)
          if (plain !== null) opened.push(new TextDecoder().decode(plain), hex(new Uint8Array(plain)))
        }
    }
    const sealed = values.filter(({ length }) => length > 16).length
    return { cryptoKeys: keys.length, sealed, opened, text: texts.join('\n') }
  })
