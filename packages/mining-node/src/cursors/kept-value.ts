import { cursorError, isNodeError, sha256Hex } from '@hailstone/protocol'
import type { CursorStore } from './cursor-store.ts'

/** Store and name of a value that is kept from run to run. */
export type KeptAt = { readonly store: CursorStore; readonly name: string }

export type KeptValue<T> = {
  /**
   * Null for a name that was never written.
   *
   * @throws {NodeError} `CURSOR_STORE_FAILED`, also for a text that was not written whole, or not by this version
   */
  readonly read: () => Promise<T | null>
  readonly write: (value: T) => Promise<void>
  /** Resolves to true if nobody else wrote since we read or wrote. */
  readonly isOurs: () => Promise<boolean>
}

const VERSION = 'hailstone cursor 3 '

/** Prefixes a text with its digest: only texts with a valid digest are taken for ours. */
const sealed = (text: string): string => sha256Hex(VERSION + text) + text

const DIGEST_LENGTH = 64

/** Amounts are bigints, which JSON has not. */
const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
const fromText = (name: string, value: unknown): unknown =>
  name === 'amount' ? BigInt(value as string) : value

const DAMAGED = 'its text is cut short or altered; bring back a copy, or remove it'

/** Uses a store, which may be the program's own. @throws {NodeError} `CURSOR_STORE_FAILED` */
async function of<T>(
  at: KeptAt | undefined,
  use: (store: CursorStore, name: string) => Promise<T>,
): Promise<T | undefined> {
  if (at === undefined) return undefined
  const { store, name } = at
  try {
    return await use(store, name)
  } catch (cause) {
    if (isNodeError(cause)) throw cause
    throw cursorError({ name, reason: cause instanceof Error ? cause.message : String(cause) }, { cause })
  }
}

/** A value in a store of cursors; without one it is kept nowhere. Bigints in it are called `amount`. */
export function keptValue<T>(at: KeptAt | undefined): KeptValue<T> {
  let last: string | null = null
  const found = async (): Promise<string | null> => (await of(at, (store, name) => store.read(name))) ?? null
  return {
    read: async () => {
      last = await found()
      if (at === undefined || last === null) return null
      const text = String(last).slice(DIGEST_LENGTH)
      if (last === sealed(text)) return JSON.parse(text, fromText) as T
      throw cursorError({ name: at.name, reason: DAMAGED })
    },
    write: async (value) => {
      const text = sealed(JSON.stringify(value, asText))
      await of(at, (store, name) => store.write(name, text))
      last = text
    },
    isOurs: async () => at === undefined || (await found()) === last,
  }
}
