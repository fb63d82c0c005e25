import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase, removeDatabase } from '@hailstone/database'
import { sql } from 'kysely'
import { indexOwner } from './index-owner.ts'

/** True if the tables of an embedded database name their program. */
async function isMarked(folder: string): Promise<boolean> {
  const { queries, close } = await openDatabase<object>({ folder, migrations: [] })
  try {
    const { rows } = await sql`
      select where obj_description(to_regclass('migration'), 'pg_class') is not null`.execute(queries)
    return rows.length > 0
  } finally {
    await close()
  }
}

/**
 * Removes the database of an index that a rebuild filled in a folder inside, in versions that marked nothing. One that names
 * its program was opened by somebody, and stays.
 *
 * @throws {NodeError} `STORE_LOCKED` while a process has it, `STORE_INVALID` if it is of another program
 */
export async function removeRemainsInside(folder: string): Promise<void> {
  const next = join(folder, 'next')
  if (!existsSync(join(next, 'database', 'PG_VERSION')) || existsSync(join(next, 'database.owner'))) return
  if (await isMarked(next)) return
  await removeDatabase(next, indexOwner)
  // Other files keep it.
  await rmdir(next).catch(() => {})
}
