import { randomUUID } from 'node:crypto'
import { hostError } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import type { Index } from '../open-index.ts'
import type { IndexStatus, Schema } from '../schema.ts'
import { storableText } from '../storable-text.ts'

export type Cursor = Schema['cursor']

/** Time in which a living process changes its beat, in ms: while it reads blocks, with each commit, and with each poll. */
const LEASE_MS = 6000

/** @throws {NodeError} `STORE_INVALID` if nothing was begun there */
export async function readCursor(queries: Kysely<Schema>): Promise<Cursor> {
  const row = await queries.selectFrom('cursor').selectAll().executeTakeFirst()
  if (row === undefined) throw hostError('STORE_INVALID', { reason: 'no index was begun there' })
  return row
}

/** Returns the process that writes an index; null after a regular end, and before anything was begun. */
export async function holderOf(queries: Kysely<Schema>): Promise<string | null> {
  const row = await queries.selectFrom('cursor').select('holder').executeTakeFirst()
  return row?.holder ?? null
}

const takenOver = () =>
  hostError('STORE_INVALID', { reason: 'another indexer took over, and writes there now' })

/**
 * Makes this process the one that writes, and returns the name that its statements carry. Waits for as long as a process
 * that lives may take to show it.
 *
 * @throws {NodeError} `STORE_INVALID` while another process writes
 */
export async function claimCursor(
  { queries, isExclusive }: Pick<Index, 'queries' | 'isExclusive'>,
  {
    leaseMs = LEASE_MS,
    signal,
  }: { readonly leaseMs?: number | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<string> {
  const before = await readCursor(queries)
  if (before.holder !== null && !isExclusive) {
    await pause(leaseMs, signal)
    const now = await readCursor(queries)
    if (now.holder !== null && (now.beat !== before.beat || now.holder !== before.holder))
      throw hostError('STORE_INVALID', { reason: 'another indexer writes there' })
  }
  const holder = randomUUID()
  const { numUpdatedRows } = await queries
    .updateTable('cursor')
    .set({ holder, beat: sql`beat + 1` })
    .where('beat', '=', before.beat)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw hostError('STORE_INVALID', { reason: 'another indexer writes there' })
  return holder
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
 * Moves the cursor. First statement of each transaction that writes: it locks the row, and finds it only if no other
 * process has moved it.
 *
 * @throws {NodeError} `STORE_INVALID` if another process took over
 */
export async function moveCursor(queries: Kysely<Schema>, { from, to, holder }: CursorMove): Promise<void> {
  const { numUpdatedRows } = await queries
    .updateTable('cursor')
    .set({ ...to, beat: sql`beat + 1` })
    .where('height', '=', from.height)
    .where('hash', '=', from.hash)
    .where('holder', '=', holder)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw takenOver()
}

/**
 * Shows that this process lives.
 *
 * @throws {NodeError} `STORE_INVALID` if another process took over
 */
export async function moveBeat(queries: Kysely<Schema>, holder: string): Promise<void> {
  const { numUpdatedRows } = await queries
    .updateTable('cursor')
    .set({ beat: sql`beat + 1` })
    .where('holder', '=', holder)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw takenOver()
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
  const { numUpdatedRows } = await queries
    .updateTable('cursor')
    .set({
      ...{ status, beat: sql`beat + 1` },
      note: note === null ? null : storableText(note),
      ...(apiHeight === undefined ? {} : { api_height: apiHeight, seen_at: sql`now()` }),
    })
    .where('holder', '=', holder)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw takenOver()
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
