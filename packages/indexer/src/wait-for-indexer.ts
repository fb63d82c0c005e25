import type { Client } from '@hailstone/client'
import { hostError } from '@hailstone/protocol'
import type { Index } from './open-index.ts'
import { assertCurrent } from './run-indexer.ts'
import { type Cursor, readCursor } from './store/cursor.ts'

export type WaitForIndexerParameters = {
  readonly index: Pick<Index, 'queries'>
  readonly client: Client
  /** Time between two looks at the index, in ms. */
  readonly pollMs: number
  /** Time after which an index whose beat stands still has no indexer, in ms. @default 60000 */
  readonly standstillMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Ten times the lease of an indexer, which moves its beat for as long as it lives. */
const STANDSTILL_MS = 60_000

/**
 * Waits until the process that writes an index has brought it up to the API: the heights are the same, or a step of it
 * that ended after this call says so. Writes nothing, so that the indexer stays the writer.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT` if it cannot follow the API, `STORE_INVALID` if nothing moves it
 */
export async function waitForIndexer(parameters: WaitForIndexerParameters): Promise<void> {
  const { index, client, pollMs, standstillMs = STANDSTILL_MS, signal } = parameters
  const first = await readCursor(index.queries)
  let [beat, movedAt] = [first.beat, performance.now()]
  for (let now = first; ; now = await readCursor(index.queries)) {
    if (await isAtTip(client, now, signal)) return
    if (now.seen_at.getTime() !== first.seen_at.getTime()) return assertCurrent(now)
    if (now.beat !== beat) [beat, movedAt] = [now.beat, performance.now()]
    if (performance.now() - movedAt > standstillMs)
      throw hostError('STORE_INVALID', {
        reason: `no indexer has moved it above height ${now.height} for ${standstillMs / 1000} s; start it again, then check`,
      })
    await client.clock.sleep(pollMs, signal)
  }
}

async function isAtTip(client: Client, cursor: Cursor, signal: AbortSignal | undefined): Promise<boolean> {
  if ((await client.getHeight({ signal })) - 1 !== cursor.height) return false
  const above = await client.getMacroblock({ height: cursor.height + 1, signal })
  return above?.keyBlock.hash === cursor.next_hash
}
