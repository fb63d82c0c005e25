import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { hostError, isNodeError, type NodeError } from '@hailstone/protocol'
import { type Kysely, sql, type UpdateObject } from 'kysely'
import { MIGRATED } from '../migrations.ts'
import type { Index } from '../open-index.ts'
import type { IndexStatus, Schema } from '../schema.ts'
import { storableText } from '../storable-text.ts'

export type Cursor = Schema['cursor']

/** Time in which a living process changes its beat at least once, in ms. */
export const LEASE_MS = 6000

/** Time between two beats, in ms; a third of the lease. */
const BEAT_MS = 2000

/** @throws {NodeError} `STORE_INVALID` if nothing was begun there */
export async function readCursor(queries: Kysely<Schema>): Promise<Cursor> {
  const row = await queries.selectFrom('cursor').selectAll().executeTakeFirst()
  if (row === undefined) throw hostError('STORE_INVALID', { reason: 'no index was begun there' })
  return row
}

/** Returns the holder of the cursor; null after a regular end and in a new index. */
export async function holderOf(queries: Kysely<Schema>): Promise<string | null> {
  const row = await queries.selectFrom('cursor').select('holder').executeTakeFirst()
  return row?.holder ?? null
}

/**
 * True if a cursor that a writer lost can be claimed again: nobody has it, or the tables were restored from a copy, whose
 * beat is from before that writer began, or whose holder is that writer.
 *
 * @throws {NodeError} `STORE_UNREACHABLE` if the tables are empty, as they are while they are restored
 */
export async function isFree(queries: Kysely<Schema>, { holder, beat }: Claimed): Promise<boolean> {
  const now = await queries.selectFrom('cursor').select(['holder', 'beat']).executeTakeFirst()
  if (now === undefined) throw tablesEmpty()
  return !isProcess(now.holder) || now.holder === holder || now.beat < beat
}

/** Returns the error of tables in which an index was before; nothing is begun there, since a copy may come back. */
export const tablesEmpty = (): NodeError<'STORE_UNREACHABLE'> =>
  hostError('STORE_UNREACHABLE', {
    reason: 'the tables of the index are empty; restore them, or start the indexer again to begin anew',
  })

/** True if the holder of the cursor is a process: neither nobody nor a migration. */
export const isProcess = (holder: string | null): boolean => holder !== null && holder !== MIGRATED

/** Begins the name of a holder that only looks. An indexer that begins takes over from it at once. */
const YIELDING = 'check '

/** True if the holder of the cursor gives way to an indexer. */
export const yields = (holder: string | null): boolean => holder?.startsWith(YIELDING) === true

const takenOver = () =>
  hostError('STORE_INVALID', { reason: 'another indexer took over, and writes there now' })

const WRITTEN =
  'another process writes there, an indexer or the pages over it; end it, or give this one a folder or a schema of its own'

/** Name that the statements of a writer carry, and the beat with which it began. */
export type Claimed = { readonly holder: string; readonly beat: bigint }

/**
 * Makes this process the one that writes. Waits for as long as a process that lives may take to show it, unless that one
 * gives way.
 *
 * @throws {NodeError} `STORE_INVALID` while another process writes
 * @throws {Error} `AbortError` if the signal ends the wait
 */
export async function claimCursor(
  { queries, isExclusive }: Pick<Index, 'queries' | 'isExclusive'>,
  {
    leaseMs = LEASE_MS,
    signal,
    isYielding = false,
  }: {
    readonly leaseMs?: number | undefined
    readonly signal?: AbortSignal | undefined
    /** True to give way to whoever claims it afterwards. @default false */
    readonly isYielding?: boolean | undefined
  } = {},
): Promise<Claimed> {
  const before = await readCursor(queries)
  if (isProcess(before.holder) && !isExclusive && (isYielding || !yields(before.holder))) {
    await setTimeout(leaseMs, undefined, { signal })
    const now = await readCursor(queries)
    if (now.holder !== null && (now.beat !== before.beat || now.holder !== before.holder))
      throw hostError('STORE_INVALID', { reason: WRITTEN })
  }
  const holder = `${isYielding ? YIELDING : ''}${randomUUID()}`
  const beat = before.beat + 1n
  const { numUpdatedRows } = await queries
    .updateTable('cursor')
    .set({ holder, beat })
    .where('beat', '=', before.beat)
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return { holder, beat }
  // One that gives way began in the meantime, or moved its beat.
  if (!isYielding && yields(await holderOf(queries)))
    return await claimCursor({ queries, isExclusive }, { leaseMs, signal })
  throw hostError('STORE_INVALID', { reason: WRITTEN })
}

/** Lets the next process begin at once. */
export async function releaseCursor(queries: Kysely<Schema>, holder: string): Promise<void> {
  await queries.updateTable('cursor').set({ holder: null }).where('holder', '=', holder).execute()
}

export type CursorMove = {
  readonly from: Pick<Cursor, 'height' | 'hash'>
  readonly to: Pick<Cursor, 'height' | 'hash' | 'next_hash' | 'undo_from'>
  readonly holder: string
}

/**
 * Changes the cursor and its beat, which shows that this process lives.
 *
 * @param from what the row has to be besides
 * @throws {NodeError} `STORE_INVALID` if another process took over
 */
async function changeCursor(
  queries: Kysely<Schema>,
  holder: string,
  change: UpdateObject<Schema, 'cursor'>,
  from: Partial<Pick<Cursor, 'height' | 'hash'>> = {},
): Promise<void> {
  const { numUpdatedRows } = await queries
    .updateTable('cursor')
    .set({ ...change, beat: sql`beat + 1` })
    .where(({ and }) => and({ holder, ...from }))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw takenOver()
}

/**
 * Moves the cursor. First statement of each transaction that writes: it locks the row, and finds it only if no other
 * process has moved it.
 *
 * @throws {NodeError} `STORE_INVALID` if another process took over
 */
export const moveCursor = (queries: Kysely<Schema>, { from, to, holder }: CursorMove): Promise<void> =>
  changeCursor(queries, holder, to, { height: from.height, hash: from.hash })

/**
 * Locks the cursor where it is, until the transaction ends: no other process can take over before that.
 *
 * @throws {NodeError} `STORE_INVALID` if another process took over
 */
export async function holdCursor(transaction: Kysely<Schema>, holder: string): Promise<void> {
  const held = await transaction
    .selectFrom('cursor')
    .select('id')
    .where('holder', '=', holder)
    .forShare()
    .executeTakeFirst()
  if (held === undefined) throw takenOver()
}

/** Beat of the writing process, from the claim of the cursor to its release. */
export type Beat = {
  /**
   * Asserts that no beat so far has found another holder. Sends no query.
   *
   * @throws {NodeError} `STORE_INVALID` if another process has taken over
   */
  readonly assertHeld: () => void
  readonly end: () => void
}

/**
 * Starts a timer that moves the beat every two seconds, because a slow API or a long poll interval can exceed the lease.
 * It stops when another process has taken over, and does not keep the process alive.
 */
export function startBeat(queries: Kysely<Schema>, holder: string): Beat {
  let isMoving = false
  let lost: unknown
  const move = async (): Promise<void> => {
    // The query may be waiting for a transaction of this process; a second one would wait too.
    if (isMoving) return
    isMoving = true
    try {
      await changeCursor(queries, holder, {})
    } catch (error) {
      // An unreachable server or missing tables: the next statement of the writer reports that.
      if (!isNodeError(error, 'STORE_INVALID')) return
      lost = error
      clearInterval(timer)
    } finally {
      isMoving = false
    }
  }
  const timer = setInterval(() => void move(), BEAT_MS)
  timer.unref()
  return {
    assertHeld() {
      if (lost !== undefined) throw lost
    },
    end: () => clearInterval(timer),
  }
}

/** Says how it goes, and shows that this process lives. */
export async function tellStatus(
  queries: Kysely<Schema>,
  holder: string,
  progress: {
    readonly status: IndexStatus
    readonly note: string | null
    readonly apiHeight?: number | undefined
  },
): Promise<void> {
  const { status, note, apiHeight } = progress
  await changeCursor(queries, holder, {
    status,
    note: note === null ? null : storableText(note),
    ...(apiHeight === undefined ? {} : { api_height: apiHeight, seen_at: sql`now()` }),
  })
}
