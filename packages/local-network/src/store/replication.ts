import { hostError } from '@hailstone/protocol'
import { sql } from 'kysely'
import type { Queries } from './queries.ts'

/**
 * Expression with the reason why a commit is acknowledged although no standby has it on its disk; null if one must have
 * it. Both settings can be read by every user of the database.
 */
export const UNREPLICATED = sql<string | null>`
  case
    when coalesce(current_setting('synchronous_standby_names', true), '') = ''
      then 'synchronous_standby_names is empty'
    when current_setting('synchronous_commit', true) in ('off', 'local', 'remote_write')
      then 'synchronous_commit is ' || current_setting('synchronous_commit', true)
  end`

/** @throws {NodeError} `STORE_NOT_REPLICATED` */
export async function assertReplicated(queries: Queries): Promise<void> {
  const { rows } = await sql<{ reason: string | null }>`select ${UNREPLICATED} as reason`.execute(queries)
  const reason = rows[0]?.reason ?? null
  if (reason !== null) throw hostError('STORE_NOT_REPLICATED', { reason })
}

/**
 * Resolves when a standby has everything that can be read now: a commit of its own waits for it, behind all others. What
 * can be read proves nothing by itself, since a server shows a commit whose wait was ended in any way. It writes one
 * record of the log and no row, and needs no rights.
 *
 * @throws {NodeError} `STORE_NOT_REPLICATED`
 */
export async function confirmReplicated(queries: Queries): Promise<void> {
  await assertReplicated(queries)
  await sql`select from pg_logical_emit_message(true, 'hailstone', '')`.execute(queries)
  await assertReplicated(queries)
}

/** Returns true if the server keeps a commit waiting until a standby has it. */
export async function isStandbyAwaited(queries: Queries): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where wait_event = 'SyncRep' and datname = current_database() limit 1
  `.execute(queries)
  return rows.length > 0
}
