import { isNodeError, parseJson, stringifyJson } from '@hailstone/protocol'
import type { CursorStore } from './watchers/cursor-store.ts'

/** When a session of a key on this machine was last alive: a restart is told from a second device by it. */
export type OwnRecord = {
  /** Unix milliseconds; null when it is not known. */
  readonly lastAliveMs: () => Promise<number | null>
  /** Notes that the session is alive, at most every ten seconds. */
  readonly alive: () => void
  readonly settled: () => Promise<void>
}

const NOTED_EVERY_MS = 10_000

/** A store that fails costs a false alarm after a restart, and nothing else. */
export function openOwnRecord(parameters: {
  readonly store: CursorStore
  readonly name: string
  readonly now: () => number
}): OwnRecord {
  const { store, name, now } = parameters
  let notedAt = Number.NEGATIVE_INFINITY
  let writing: Promise<void> = Promise.resolve()
  return {
    lastAliveMs: async () => {
      const text = await store.read(name).catch(() => null)
      return text === null ? null : timeIn(text)
    },
    alive: () => {
      if (now() - notedAt < NOTED_EVERY_MS) return
      notedAt = now()
      const text = stringifyJson({ version: 1, aliveAtMs: BigInt(Math.round(notedAt)) })
      writing = writing.then(() => store.write(name, text)).catch(() => undefined)
    },
    settled: () => writing,
  }
}

function timeIn(text: string): number | null {
  try {
    const { aliveAtMs } = parseJson(text) as { readonly aliveAtMs?: unknown }
    return typeof aliveAtMs === 'bigint' ? Number(aliveAtMs) : null
  } catch (error) {
    if (isNodeError(error)) return null
    throw error
  }
}
