import type { Client } from '@hailstone/client'
import { isConnectionLoss, migrate } from '@hailstone/database'
import { apiError, isNodeError, type TokenId } from '@hailstone/protocol'
import { type Claim, isProved, repeated } from '@hailstone/runtime'
import { beginIndex, readRules } from './begin-index.ts'
import { catchUp, type Progress } from './follow-chain.ts'
import { indexOwner } from './index-owner.ts'
import { isOfDatabase, judgeFailure, mayPass } from './judge-failure.ts'
import type { OpeningMemory } from './learn-opening.ts'
import { migrations } from './migrations.ts'
import { noteOwners } from './note-owners.ts'
import type { Index } from './open-index.ts'
import { claimCursor, isFree, releaseCursor, startBeat, tellStatus } from './store/cursor.ts'

export type RunIndexerParameters = {
  readonly index: Pick<Index, 'queries' | 'isExclusive'>
  readonly client: Client
  /** Tokens to index; those that an index was begun with cannot be changed. */
  readonly tokenIds: readonly TokenId[]
  /** Time between two looks at the API, in ms. @default 2000 */
  readonly pollMs?: number | undefined
  /** Time without a beat after which an earlier writer counts as dead, in ms. A living one beats every 2000. @default 6000 */
  readonly leaseMs?: number | undefined
  /** True for a writer from which any other one may take over at once. @default false */
  readonly isYielding?: boolean | undefined
  /** Ends the run between two transactions, also while it starts. */
  readonly signal?: AbortSignal | undefined
  /** Called after each look at the API. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Called when the database is unreachable or refuses a statement. The run continues with the next poll. */
  readonly onStoreLost?: ((error: unknown) => void) | undefined
  /** Called after each transaction with its newest height. */
  readonly onCommit?: ((height: number) => void) | undefined
}

const POLL_MS = 2000

/** What it takes to believe that a token does not exist, which ends a run. */
const UNKNOWN_PROOF = { answers: 3, overMs: 60_000 }

/** Calls what the program gave; a failure of that must not end the run. */
function tell<Given>(listener: ((given: Given) => void) | undefined, given: Given): void {
  try {
    listener?.(given)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}

/**
 * Keeps an index up to date until the signal ends it: begins it if it is empty, becomes its only writer, and follows the
 * chain of the API. Whatever fails is reported and tried again every `pollMs`, without a limit, but for what a person has to
 * change.
 *
 * @throws {NodeError} `STORE_INVALID` while another process writes there; `CONFIGURATION_INVALID`; `TOKEN_UNKNOWN` if the
 *   API says so for a minute
 */
export async function runIndexer(parameters: RunIndexerParameters): Promise<void> {
  const { client, signal, pollMs = POLL_MS, onProgress, onStoreLost } = parameters
  const { clock } = client
  const isEnded = (): boolean => signal?.aborted === true
  let writer: IndexWriter | undefined
  const memory: OpeningMemory = new Map()
  let height = -1
  let unknown: Claim | null = null
  const look = async (): Promise<Progress> => {
    writer ??= await openHeldWriter({ ...parameters, memory })
    unknown = null
    return await writer.step()
  }
  const report = (error: unknown): void => {
    unknown = isNodeError(error, 'TOKEN_UNKNOWN')
      ? repeated(unknown, { source: client.apiUrl, atMs: clock.monotonicMs() })
      : null
    if (!mayPass(error) || isProved(unknown, UNKNOWN_PROOF)) throw error
    const [status, note] = judgeFailure(error)
    if (isOfDatabase(error) || !isNodeError(error)) tell(onStoreLost, error)
    else tell(onProgress, { status, note, height, apiHeight: undefined, undone: 0 })
  }
  try {
    while (!isEnded()) {
      try {
        const progress = await look()
        height = progress.height
        tell(onProgress, progress)
      } catch (error) {
        // The signal makes the request that is under way fail.
        if (isEnded()) return
        report(error)
      }
      await clock.sleep(pollMs, signal).catch((error: unknown) => {
        if (!isEnded()) throw error
      })
    }
  } finally {
    await writer?.[Symbol.asyncDispose]()
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

/** A writer that tells under which name it writes now. */
export type HeldWriter = IndexWriter & { readonly holder: () => string }

/**
 * Begins an index if it is empty, and becomes its writer. After a rebuild has replaced the tables, another writer has
 * ended in order, or the tables were restored from a copy, the next step becomes the writer again, unless a newer version
 * of this software made the tables.
 *
 * @throws {NodeError} as {@link runIndexer}, and failures of the database and the API
 */
export const openWriter = (parameters: RunIndexerParameters): Promise<IndexWriter> =>
  openHeldWriter(parameters)

/** As {@link openWriter}. @param parameters.memory what earlier attempts to begin have walked */
export async function openHeldWriter(
  parameters: RunIndexerParameters & { readonly memory?: OpeningMemory | undefined },
): Promise<HeldWriter> {
  const { index, client, tokenIds, signal, leaseMs, isYielding, onCommit, memory } = parameters
  const { queries } = index
  const claim = async () => {
    const tokens = new Map((await readRules(queries)).map((rules) => [rules.id, rules]))
    const held = await claimCursor(index, { leaseMs, signal, isYielding })
    return { tokens, ...held, timer: index.isExclusive ? undefined : startBeat(queries, held.holder) }
  }
  await beginIndex(queries, client, { tokenIds, apiUrl: client.apiUrl, signal, memory })
  memory?.clear()
  let claimed = await claim()
  const look = async (): Promise<Progress> => {
    const { tokens, holder, timer } = claimed
    const followed = { index, client, holder, beat: timer, tokens, signal }
    const progress = await catchUp({ ...followed, onCommit: (height) => tell(onCommit, height) })
    await tellStatus(queries, holder, progress)
    if (progress.status === 'current') await noteOwners(queries, client, { holder, tokens, signal })
    return progress
  }
  const lookAgain = async (): Promise<Progress> => {
    claimed.timer?.end()
    await migrate(queries, migrations, undefined, indexOwner)
    await beginIndex(queries, client, { tokenIds, apiUrl: client.apiUrl, signal, mustBeBegun: true })
    claimed = await claim()
    return await look()
  }
  return {
    holder: () => claimed.holder,
    async step() {
      try {
        return await look().catch(async (error: unknown) => {
          if (!isNodeError(error, 'STORE_INVALID') || !(await isFree(queries, claimed))) throw error
          return await lookAgain()
        })
      } catch (error) {
        // Where it can be told at all, readers of the index are told.
        const [status, note] = judgeFailure(error)
        if (mayPass(error) && !isConnectionLoss(error) && signal?.aborted !== true)
          await tellStatus(queries, claimed.holder, { status, note }).catch(() => {})
        throw error
      }
    },
    // What is not released, because the server is away or the tables are, goes to the next process after `leaseMs`.
    async [Symbol.asyncDispose]() {
      claimed.timer?.end()
      await releaseCursor(queries, claimed.holder).catch(() => {})
    },
  }
}
