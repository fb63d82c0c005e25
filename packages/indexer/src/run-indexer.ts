import type { Client } from '@hailstone/client'
import { isConnectionLoss, migrate } from '@hailstone/database'
import { apiError, isNodeError, type TokenId } from '@hailstone/protocol'
import { beginIndex, readRules } from './begin-index.ts'
import { catchUp, type Progress } from './follow-chain.ts'
import { migrations } from './migrations.ts'
import { noteOwners } from './note-owners.ts'
import type { Index } from './open-index.ts'
import { claimCursor, holderOf, isProcess, releaseCursor, startBeat, tellStatus } from './store/cursor.ts'

export type RunIndexerParameters = {
  readonly index: Pick<Index, 'queries' | 'isExclusive'>
  readonly client: Client
  /** Tokens to index; those that an index was begun with cannot be changed. */
  readonly tokenIds: readonly TokenId[]
  /** Time between two looks at the API, in ms. @default 2000 */
  readonly pollMs?: number | undefined
  /** Time without a beat after which an earlier writer counts as dead, in ms. A living one beats every 2000. @default 6000 */
  readonly leaseMs?: number | undefined
  /** Ends the run between two transactions, also while it starts. */
  readonly signal?: AbortSignal | undefined
  /** Called after each look at the API. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Called when the database is unreachable. The run continues with the next poll. */
  readonly onStoreLost?: ((error: unknown) => void) | undefined
  /** Called after each transaction with its newest height. */
  readonly onCommit?: ((height: number) => void) | undefined
}

const POLL_MS = 2000

/**
 * Keeps an index up to date until the signal ends it: begins it if it is empty, becomes its only writer, and follows the
 * chain of the API. Once it runs, it retries an unreachable database every `pollMs`, without a limit.
 *
 * @throws {NodeError} `STORE_INVALID` while another process writes there; `CONFIGURATION_INVALID`, `TOKEN_UNKNOWN`
 */
export async function runIndexer(parameters: RunIndexerParameters): Promise<void> {
  const { client, signal, pollMs = POLL_MS, onProgress, onStoreLost } = parameters
  const isEnded = (): boolean => signal?.aborted === true
  // The signal makes the request that is under way fail.
  await using writer = await openWriter(parameters).catch((error: unknown): undefined => {
    if (!isEnded()) throw error
  })
  while (writer !== undefined && !isEnded()) {
    try {
      onProgress?.(await writer.step())
    } catch (error) {
      if (isEnded()) return
      if (!isConnectionLoss(error)) throw error
      onStoreLost?.(error)
    }
    await client.clock.sleep(pollMs, signal).catch((error: unknown) => {
      if (!isEnded()) throw error
    })
  }
}

/** The only writer of an index, one look at the API at a time. */
export type IndexWriter = AsyncDisposable & {
  /** Brings the index up to the API and notes how that went. */
  readonly step: () => Promise<Progress>
}

/**
 * Asserts that an index has reached the newest block of the API.
 *
 * @throws {NodeError} with the note: `REQUEST_FAILED` if the API is behind or away, `CHAIN_INCONSISTENT` if it cannot be
 *   followed
 */
export function assertCurrent({ status, note, height }: Pick<Progress, 'status' | 'note' | 'height'>): void {
  const reason = (note ?? status).replace(/\.$/, '')
  if (status === 'behind')
    throw apiError('REQUEST_FAILED', { path: '', asked: `height ${height + 1}`, reason })
  if (status !== 'current') throw apiError('CHAIN_INCONSISTENT', { height, reason })
}

/**
 * Begins an index if it is empty, and becomes its writer. After a rebuild has replaced the tables, or another writer has
 * ended in order, the next step becomes the writer again, unless a newer version of this software made the tables.
 *
 * @throws {NodeError} as {@link runIndexer}
 */
export async function openWriter(parameters: RunIndexerParameters): Promise<IndexWriter> {
  const { index, client, tokenIds, signal, leaseMs, onCommit } = parameters
  const { queries } = index
  const claim = async () => {
    await beginIndex(queries, client, { tokenIds, apiUrl: client.apiUrl, signal })
    const tokens = new Map((await readRules(queries)).map((rules) => [rules.id, rules]))
    const holder = await claimCursor(index, { leaseMs, signal })
    return { tokens, holder, beat: index.isExclusive ? undefined : startBeat(queries, holder) }
  }
  let claimed = await claim()
  const look = async (): Promise<Progress> => {
    const { tokens, holder, beat } = claimed
    const progress = await catchUp({ index, client, holder, beat, tokens, signal, onCommit })
    await tellStatus(queries, holder, progress)
    if (progress.status === 'current') await noteOwners(queries, client, { holder, tokens, signal })
    return progress
  }
  return {
    async step() {
      try {
        return await look()
      } catch (error) {
        if (!isNodeError(error, 'STORE_INVALID') || isProcess(await holderOf(queries))) throw error
        claimed.beat?.end()
        await migrate(queries, migrations)
        claimed = await claim()
        return await look()
      }
    },
    // Not released while the server is away: the next process takes over after `leaseMs` without a beat.
    async [Symbol.asyncDispose]() {
      claimed.beat?.end()
      await releaseCursor(queries, claimed.holder).catch((error: unknown) => {
        if (!isConnectionLoss(error)) throw error
      })
    },
  }
}
