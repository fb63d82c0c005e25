import type { Client } from '@hailstone/client'
import { connectPostgres, isConnectionLoss, migrate, openDatabase } from '@hailstone/database'
import { hostError, isNodeError, type TokenId } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { indexOwner } from './index-owner.ts'
import { assertIndexAlone, nextOf, readSchema } from './index-schema.ts'
import { isOfDatabase, mayPass } from './judge-failure.ts'
import { type OpeningMemory, walkedCount } from './learn-opening.ts'
import { migrations } from './migrations.ts'
import {
  assertSchemaName,
  closeSoonAfter,
  EMBEDDED_SCHEMA,
  INDEX_SCHEMA,
  type Index,
  type IndexPlace,
  openIndex,
  openOnServer,
} from './open-index.ts'
import { openWaiting, storeLossText } from './open-waiting.ts'
import { assertNewestNotOfFuture } from './read-blocks.ts'
import {
  assertNothingDepends,
  type Begun,
  beginNext,
  copyRights,
  dropUnbegun,
  rebuildMark,
  removedByAnother,
  takePlace,
} from './replace-schema.ts'
import { assertCurrent, type HeldWriter, openHeldWriter } from './run-indexer.ts'
import type { Schema } from './schema.ts'

export type RebuildParameters = {
  readonly place: IndexPlace
  readonly client: Client
  readonly tokenIds: readonly TokenId[]
  /** Time between two looks at an API or a server that is away, in ms. @default 2000 */
  readonly pollMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with each new reason for which the rebuild waits: an API or a database that is away, or answers that cannot be true. */
  readonly onWait?: ((reason: string) => void) | undefined
}

/**
 * Builds an index anew beside the one that is there, and puts it into its place when it has reached the newest block.
 * Until then readers see the old one. Tables in other schemas of the database, such as those of a console, stay as they
 * are. Readers keep their rights, which are given before the walk, so that one that cannot be given ends it there. What a
 * rebuild that ended has filled stays, and the next one of the same version and tokens goes on with it. Returns the height.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` with the names of what is not the index's: in its schema, in the one beside it,
 *   added to its tables, or in others that depend on them; `STORE_INVALID` if the place belongs to another program, or another rebuild is
 *   under way; `HEIGHT_UNAVAILABLE`, and what indexing throws
 */
export async function rebuildIndex(parameters: RebuildParameters): Promise<number> {
  const { folder, database, schema = INDEX_SCHEMA } = parameters.place
  if (database !== undefined) return rebuildOnServer(parameters, database, schema)
  if (folder !== undefined) return rebuildInFolder(parameters, folder)
  await using index = await openIndex()
  return await fill(parameters, { index, place: async () => {} })
}

const POLL_MS = 2000

/** Time without a block after which a rebuild ends, in ms. */
const GIVE_UP_AFTER_MS = 3_600_000

/** Looks in a row at an API whose answers cannot be true. A proxy that is busy may answer with a page of HTML for a while. */
const MAX_LIES = 30

/** True if a rebuild waits for a failure to pass; somebody who mistyped a token looks on. */
const isWaitedFor = (error: unknown): boolean =>
  isOfDatabase(error) || (isNodeError(error) && mayPass(error) && error.code !== 'TOKEN_UNKNOWN')

type Filled = {
  readonly index: Pick<Index, 'queries' | 'isExclusive'>
  /** Puts what the holder of the cursor has filled into its place. A second call after a lost answer does it once. */
  readonly place: (holder: string) => Promise<void>
  /**
   * Throws if the tables are not those of this rebuild any more, whatever the database reports about them. Once they are
   * filled they may be in their place.
   */
  readonly assertThere?: ((isFilled: boolean) => Promise<void>) | undefined
}

/**
 * Fills an index up to the newest block, puts it into its place, and returns its height. What an indexer would wait for is
 * waited for here, too; a fork that is too deep ends it.
 */
async function fill(
  { client, tokenIds, pollMs = POLL_MS, signal, onWait }: RebuildParameters,
  { index, place, assertThere }: Filled,
): Promise<number> {
  const { clock } = client
  const memory: OpeningMemory = new Map()
  let writer: HeldWriter | undefined
  /** Height of what is filled and waits for its place. */
  let filled: number | undefined
  /** Blocks that were walked for what the tokens began with, then those that are filled. */
  let [blocks, movedAt, lies, reason] = [0, clock.monotonicMs(), 0, '']
  const noteMoved = (to: number): void => {
    if (to > blocks) [blocks, movedAt, lies] = [to, clock.monotonicMs(), 0]
  }
  const maySucceed = (): boolean => clock.monotonicMs() - movedAt < GIVE_UP_AFTER_MS && lies < MAX_LIES
  const look = async (): Promise<string | undefined> => {
    if (writer === undefined) {
      await assertNewestNotOfFuture(client, signal)
      writer = await openHeldWriter({ index, client, tokenIds, signal, memory })
      blocks = 0
    }
    const progress = await writer.step()
    noteMoved(progress.height + 1)
    if (progress.status === 'current') {
      ;[filled, movedAt] = [progress.height, clock.monotonicMs()]
      return undefined
    }
    lies = progress.status === 'api lies' ? lies + 1 : 0
    if (progress.status === 'deep fork' || !maySucceed()) assertCurrent(progress)
    return progress.note ?? progress.status
  }
  try {
    for (;;) {
      let wait: string | undefined
      try {
        wait = filled === undefined ? await look() : undefined
        if (filled !== undefined && writer !== undefined) {
          await place(writer.holder())
          return filled
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (!isConnectionLoss(error)) await assertThere?.(filled !== undefined)
        noteMoved(walkedCount(memory))
        if (isNodeError(error, 'CHAIN_INCONSISTENT')) lies++
        if (!isWaitedFor(error) || !maySucceed()) throw error
        wait = storeLossText(error)
      }
      if (wait !== undefined && wait !== reason) onWait?.(wait)
      reason = wait ?? reason
      await clock.sleep(pollMs, signal)
    }
  } finally {
    await writer?.[Symbol.asyncDispose]()
  }
}

/** The database of a rebuild and the schema that it fills. */
type Filling = {
  readonly queries: Kysely<Schema>
  /** Name of the schema that is replaced. */
  readonly schema: string
  /** The schema with the new tables. */
  readonly next: Begun
}

/** Puts filled tables into their place. The words of a failure say where they are, and how they get there. */
async function placeFilled({ queries, schema, next }: Filling, holder: string): Promise<void> {
  await takePlace(queries, { schema, oid: next.oid, holder }).catch((error: unknown) => {
    if (isNodeError(error, 'STORE_INVALID')) throw error
    const { code, message } = error as Error & { readonly code?: string }
    const reason = `${message.replace(/\.$/, '')}; the new tables are finished, in the schema ${nextOf(schema)}, and the next rebuild puts them into their place`
    // A right that is missing, or a setting that is wrong, stays so.
    if (!isOfDatabase(error) || code?.startsWith('42') === true)
      throw hostError('STORE_INVALID', { reason }, { cause: error })
    throw Object.assign(new Error(reason, { cause: error }), { code })
  })
}

async function fillAndPlace(
  parameters: RebuildParameters,
  filling: Filling,
  index: Pick<Index, 'queries' | 'isExclusive'>,
  untilOpen: <T>(open: () => Promise<T>) => Promise<T> = (open) => open(),
): Promise<number> {
  const { queries, schema, next } = filling
  const { oid } = next
  const assertThere = async (isFilled: boolean): Promise<void> => {
    for (const name of [nextOf(schema), ...(isFilled ? [schema] : [])]) {
      const now = await readSchema(queries, name).catch(() => ({ oid }))
      if (now?.oid === oid) return
    }
    throw removedByAnother(schema)
  }
  const place = (holder: string): Promise<void> => placeFilled(filling, holder)
  try {
    await untilOpen(() => copyRights(queries, schema))
    return await fill(parameters, { index, place, assertThere })
  } catch (error) {
    await dropUnbegun(queries, schema, next).catch(() => {})
    throw error
  }
}

/** Waits for a server as {@link fill} does, up to an hour in a row. */
function waitForOpening({ client: { clock }, pollMs = POLL_MS, signal, onWait }: RebuildParameters) {
  let reason = ''
  return <T>(open: () => Promise<T>): Promise<T> => {
    const startedAt = clock.monotonicMs()
    const onStoreLost = (error: unknown): void => {
      if (clock.monotonicMs() - startedAt >= GIVE_UP_AFTER_MS) throw error
      const wait = storeLossText(error)
      if (wait !== reason) onWait?.(wait)
      reason = wait
    }
    return openWaiting(open, { clock, pollMs, onStoreLost, signal })
  }
}

async function rebuildOnServer(parameters: RebuildParameters, url: string, schema: string): Promise<number> {
  assertSchemaName(schema)
  const { queries, close } = connectPostgres<Schema>({ url, applicationName: indexOwner.program })
  const untilOpen = waitForOpening(parameters)
  closeSoonAfter(parameters.signal, { isExclusive: false, close })
  try {
    const next = await untilOpen(() => beginFilling(parameters, { queries, schema, isExclusive: false }))
    await using index = await untilOpen(() => openOnServer(url, nextOf(schema)))
    closeSoonAfter(parameters.signal, index)
    return await fillAndPlace(parameters, { queries, schema, next }, index, untilOpen)
  } finally {
    await close()
  }
}

/** The same in a folder, whose only connection looks into the new schema meanwhile. */
async function rebuildInFolder(parameters: RebuildParameters, folder: string): Promise<number> {
  // Without migrations the old tables are left as they are, whichever version wrote them.
  const { queries, close } = await openDatabase<Schema>({ folder, migrations: [] })
  const schema = EMBEDDED_SCHEMA
  try {
    const next = await beginFilling(parameters, { queries, schema, isExclusive: true })
    await sql`set search_path to ${sql.id(nextOf(schema))}`.execute(queries)
    await migrate(queries, migrations, undefined, indexOwner)
    return await fillAndPlace(parameters, { queries, schema, next }, { queries, isExclusive: true })
  } finally {
    await close()
  }
}

/** Asserts that nothing is lost with the old tables, and makes the place of the new ones. */
async function beginFilling(
  { tokenIds }: RebuildParameters,
  at: { readonly queries: Kysely<Schema>; readonly schema: string; readonly isExclusive: boolean },
): Promise<Begun> {
  await assertIndexAlone(at.queries, at.schema)
  await assertNothingDepends(at.queries, at.schema)
  return await beginNext(at.queries, { ...at, mark: rebuildMark(tokenIds) })
}
