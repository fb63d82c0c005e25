import type { Client } from '@hailstone/client'
import { connectPostgres, isConnectionLoss, migrate, openDatabase } from '@hailstone/database'
import { hostError, isNodeError, type TokenId } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { migrations } from './migrations.ts'
import {
  assertSchemaName,
  dropRemains,
  EMBEDDED_SCHEMA,
  INDEX_SCHEMA,
  type Index,
  type IndexPlace,
  openIndex,
  openOnServer,
} from './open-index.ts'
import { assertNewestNotOfFuture } from './read-blocks.ts'
import {
  assertNothingDepends,
  beginNext,
  copyRights,
  dropNext,
  nextOf,
  removedByAnother,
  replacement,
  schemaOid,
  takePlace,
} from './replace-schema.ts'
import { assertCurrent, openWriter } from './run-indexer.ts'
import type { Schema } from './schema.ts'

export type RebuildParameters = {
  readonly place: IndexPlace
  readonly client: Client
  readonly tokenIds: readonly TokenId[]
  readonly signal?: AbortSignal | undefined
  /** Called with each new reason for which the rebuild waits: an API or a database that is away, or answers that cannot be true. */
  readonly onWait?: ((reason: string) => void) | undefined
}

/**
 * Builds an index anew beside the one that is there, and puts it into its place when it has reached the newest block.
 * Until then readers see the old one. Tables in other schemas of the database, such as those of a console, stay as they
 * are. Readers keep their rights, which are given before the walk, so that one that cannot be given ends it there. A
 * rebuild that fails removes its tables, unless they are on a server and finished. Returns the height.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, also with the names of what depends on the tables from other schemas;
 *   `HEIGHT_UNAVAILABLE`, and what indexing throws
 */
export async function rebuildIndex(parameters: RebuildParameters): Promise<number> {
  const { folder, database, schema = INDEX_SCHEMA } = parameters.place
  if (database !== undefined) return rebuildOnServer(parameters, database, schema)
  if (folder !== undefined) return rebuildInFolder(parameters, folder)
  await using index = await openIndex()
  return await fill(parameters, index)
}

/** Time between two looks at an API or a server that is away, in ms. */
const POLL_MS = 2000

/** Time without a block after which a rebuild is given up, in ms. What it has is lost then, and may be days of work. */
const GIVE_UP_AFTER_MS = 3_600_000

/** Looks in a row at an API whose answers cannot be true. A proxy that is busy may answer with a page of HTML for a while. */
const MAX_LIES = 30

/**
 * Fills an index and returns its height. What an indexer would wait for is waited for here, too; a fork that is too deep
 * ends it.
 */
async function fill(
  { client, tokenIds, signal, onWait }: RebuildParameters,
  index: Pick<Index, 'queries' | 'isExclusive'>,
): Promise<number> {
  await assertNewestNotOfFuture(client, signal)
  await using writer = await openWriter({ index, client, tokenIds, signal, leaseMs: 0 })
  const { clock } = client
  let [height, movedAt, lies, reason] = [-1, clock.monotonicMs(), 0, '']
  for (;;) {
    const maySucceed = (): boolean => clock.monotonicMs() - movedAt < GIVE_UP_AFTER_MS && lies < MAX_LIES
    let wait: string
    try {
      const progress = await writer.step()
      if (progress.status === 'current') return progress.height
      if (progress.height > height) [height, movedAt, lies] = [progress.height, clock.monotonicMs(), 0]
      lies = progress.status === 'api lies' ? lies + 1 : 0
      if (progress.status === 'deep fork' || !maySucceed()) assertCurrent(progress)
      wait = progress.note ?? progress.status
    } catch (error) {
      if (!isConnectionLoss(error) || !maySucceed()) throw error
      wait = (error as Error).message
    }
    if (wait !== reason) onWait?.(wait)
    reason = wait
    await clock.sleep(POLL_MS, signal)
  }
}

/** The database of a rebuild and the schema that it fills. */
type Filling = {
  readonly queries: Kysely<Schema>
  /** Name of the schema that is replaced. */
  readonly schema: string
  /** OID of the schema with the new tables. */
  readonly oid: string | undefined
  /** True if the new tables outlive this process. The next process that opens a folder drops them. */
  readonly isOnServer: boolean
}

/**
 * Returns the cause of a failure to fill the tables. When a later rebuild has dropped them, that is the cause, whatever the
 * database reports about the missing tables.
 */
async function causeOf(error: unknown, { queries, schema, oid }: Filling): Promise<unknown> {
  const next = await schemaOid(queries, nextOf(schema)).catch(() => oid)
  return next === oid || isNodeError(error) ? error : removedByAnother(schema)
}

/** Drops what a rebuild that failed has made, unless one that began later has made it anew. */
const dropFailed = ({ queries, schema, oid }: Filling): Promise<void> =>
  dropNext(queries, schema, oid).catch(() => {})

/** Returns the message of an error, with the SQL that puts the finished tables into their place. */
function unplaced(error: unknown, schema: string): string {
  const reason = (error as Error).message.replace(/\.$/, '')
  const statements = ['begin', ...replacement(schema), 'commit'].join('; ')
  return `${reason}; the new tables are finished, in the schema "${nextOf(schema)}", and take their place with: ${statements}`
}

/**
 * Puts finished tables into their place. Retries while the server is unreachable, as long as {@link fill} does. Never
 * drops finished tables on a server: they may be the work of days.
 *
 * @throws {NodeError} `STORE_INVALID` with the SQL that is left to run, and as {@link takePlace}
 */
async function placeFinished({ client, signal, onWait }: RebuildParameters, filling: Filling): Promise<void> {
  const { queries, schema, oid, isOnServer } = filling
  const { clock } = client
  const since = clock.monotonicMs()
  let reason = ''
  for (;;) {
    try {
      return await takePlace(queries, schema, oid)
    } catch (error) {
      if (isNodeError(error, 'STORE_INVALID')) throw error
      if (!isOnServer) {
        await dropFailed(filling)
        throw error
      }
      const words = unplaced(error, schema)
      if (!isConnectionLoss(error) || clock.monotonicMs() - since >= GIVE_UP_AFTER_MS)
        throw hostError('STORE_INVALID', { reason: words }, { cause: error })
      if (words !== reason) onWait?.(`${words}.`)
      reason = words
    }
    await clock.sleep(POLL_MS, signal)
  }
}

/** Fills new tables and puts them into their place. Drops them if filling fails. */
async function fillAndPlace(
  parameters: RebuildParameters,
  filling: Filling,
  fillTables: () => Promise<number>,
): Promise<number> {
  const height = await fillTables().catch(async (error: unknown) => {
    const cause = await causeOf(error, filling)
    await dropFailed(filling)
    throw cause
  })
  await placeFinished(parameters, filling)
  return height
}

async function rebuildOnServer(parameters: RebuildParameters, url: string, schema: string): Promise<number> {
  assertSchemaName(schema)
  const { queries, close } = connectPostgres<Schema>({ url, applicationName: 'hailstone-indexer' })
  try {
    await assertNothingDepends(queries, schema)
    const filling = { queries, schema, oid: await beginNext(queries, schema), isOnServer: true }
    const fillOnServer = async (): Promise<number> => {
      await using index = await openOnServer(url, nextOf(schema))
      await copyRights(queries, schema)
      return await fill(parameters, index)
    }
    return await fillAndPlace(parameters, filling, fillOnServer)
  } finally {
    await close()
  }
}

/** The same in a folder, whose only connection looks into the new schema meanwhile. */
async function rebuildInFolder(parameters: RebuildParameters, folder: string): Promise<number> {
  const next = nextOf(EMBEDDED_SCHEMA)
  // Without migrations the old tables are left as they are, whichever version wrote them.
  const { queries, close } = await openDatabase<Schema>({ folder, migrations: [] })
  try {
    await dropRemains(queries, folder)
    await assertNothingDepends(queries, EMBEDDED_SCHEMA)
    await sql`create schema ${sql.id(next)}`.execute(queries)
    const oid = await schemaOid(queries, next)
    const filling = { queries, schema: EMBEDDED_SCHEMA, oid, isOnServer: false }
    return await fillAndPlace(parameters, filling, async () => {
      await sql`set search_path to ${sql.id(next)}`.execute(queries)
      await migrate(queries, migrations)
      await copyRights(queries, EMBEDDED_SCHEMA)
      return await fill(parameters, { queries, isExclusive: true })
    })
  } finally {
    await close()
  }
}
