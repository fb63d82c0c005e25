import { type Kysely, sql } from 'kysely'
import { PARTITION_HEIGHTS, partitionedTables } from '../migrations.ts'
import type { Schema } from '../schema.ts'

/** Makes the partitions of the large tables for these heights, where they are missing. */
export async function makePartitions(
  queries: Kysely<Schema>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const numberOf = (height: number): number => Math.floor(height / PARTITION_HEIGHTS)
  for (let number = numberOf(from); number <= numberOf(to); number++) {
    const first = sql.lit(number * PARTITION_HEIGHTS)
    const end = sql.lit((number + 1) * PARTITION_HEIGHTS)
    for (const name of partitionedTables) {
      await sql`create table if not exists ${sql.table(`${name}_p${number}`)}
        partition of ${sql.table(name)} for values from (${first}) to (${end})`.execute(queries)
    }
  }
}
