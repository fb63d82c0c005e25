import { hostError, type NodeError } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'

/** Program that tables belong to. */
export type Owner = {
  /** Name of its command, e.g. `hailstone-indexer`. It is kept with the tables. */
  readonly program: string
  /** Tables that it alone has, all of them: those that were made before a name was kept are recognised by them. */
  readonly tables: readonly string[]
  /** True if nothing is begun in a database that has tables of another program, in whatever schema. @default false */
  readonly needsOwnDatabase?: boolean | undefined
}

/** Returns the error for tables, or a folder, of another program. */
export const notOurs = (program: string, belongsTo: string): NodeError =>
  hostError('STORE_INVALID', {
    reason: `it belongs to ${belongsTo} and not to ${program}, which leaves it as it is; choose another folder, schema or database`,
  })

/** Most names that a sentence lists. */
const MAX_NAMES = 5

/**
 * Joins names for a sentence; of many, the first ones and how many there are besides. Each has a letter in front: an error
 * takes twelve words in a row for a recovery phrase, and does not repeat them.
 */
export function namesText(names: readonly string[]): string {
  if (names.length === 1) return names.join()
  const shown = names.slice(0, MAX_NAMES).map((name, at) => `(${'abcde'[at]}) ${name}`)
  const more = names.length - MAX_NAMES
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The mark is the comment on the table of the steps, so it goes wherever that goes: into dumps and other schemas. */
const PREFIX = 'Owner: '

export const markOwner = <Schema>(queries: Kysely<Schema>, { program }: Owner, table: string) =>
  sql`comment on table ${sql.table(table)} is ${sql.lit(PREFIX + program)}`.execute(queries)

/** What was found of a table of steps: whose it is, null if nobody's name is kept, its columns, and the tables beside it. */
type Found = { readonly program: string | null; readonly columns: string; readonly names: readonly string[] }

async function find<Schema>(queries: Kysely<Schema>, table: string): Promise<Found | null> {
  const quoted = table.replaceAll(/[^.]+/g, '"$&"')
  const { rows } = await sql<{ comment: string | null; columns: string | null; names: string | null }>`
    select obj_description(steps.oid, 'pg_class') as comment,
      (select string_agg(attname, ',' order by attname) from pg_attribute
        where attrelid = steps.oid and attnum > 0 and not attisdropped) as columns,
      (select string_agg(relname, ',' order by relname) from pg_class beside
        where beside.relnamespace = steps.relnamespace and beside.oid <> steps.oid
          and beside.relkind in ('r', 'p') and not beside.relispartition) as names
    from pg_class steps where steps.oid = to_regclass(${quoted})`.execute(queries)
  const [row] = rows
  if (row === undefined) return null
  const { comment, columns, names } = row
  return {
    program: comment?.startsWith(PREFIX) === true ? comment.slice(PREFIX.length) : null,
    columns: columns ?? '',
    names: names === null ? [] : names.split(','),
  }
}

/** True if there is a table of steps, whosever it is. */
export const hasSteps = async <Schema>(queries: Kysely<Schema>, table: string): Promise<boolean> =>
  (await find(queries, table)) !== null

/**
 * Asserts that no schema of the database has tables of another program of ours.
 *
 * @throws {NodeError} `STORE_INVALID` that names program and schema
 */
export async function assertOwnDatabase<Schema>(queries: Kysely<Schema>, { program }: Owner): Promise<void> {
  const { rows } = await sql<{ comment: string; schema: string }>`
    select description as comment, nspname as schema from pg_description
      join pg_class on pg_class.oid = objoid join pg_namespace on pg_namespace.oid = relnamespace
      where classoid = 'pg_class'::regclass and objsubid = 0
        and starts_with(description, ${PREFIX}) and description <> ${PREFIX + program}
      order by 2 limit 1`.execute(queries)
  const [found] = rows
  if (found === undefined) return
  throw notOurs(
    program,
    `${found.comment.slice(PREFIX.length)}, whose tables are in the schema ${found.schema}`,
  )
}

/** Columns of a table of steps, by their names. */
const COLUMNS = 'applied_at,version'

/**
 * Asserts that tables belong to a program, or to nobody yet. Tables without a mark, of versions that made none, get one.
 *
 * @param table in which the steps of the schema are noted
 * @returns false if there are no tables yet
 * @throws {NodeError} `STORE_INVALID` that names whose they are
 */
export async function assertOwner<Schema>(
  queries: Kysely<Schema>,
  owner: Owner,
  table = 'migration',
): Promise<boolean> {
  const found = await find(queries, table)
  if (found === null || found.program === owner.program) return found !== null
  const { program, columns, names } = found
  // A table of steps that stands alone is what a start has left that was killed, if it looks like one.
  const isRecognised =
    columns === COLUMNS && (names.length === 0 || owner.tables.every((name) => names.includes(name)))
  if (program !== null || !isRecognised) {
    const tables = names.length === 0 ? [table] : names
    throw notOurs(owner.program, program ?? `another program, with the tables ${namesText(tables)}`)
  }
  // Who may only read and write there cannot mark it, and recognises it the next time as well.
  await markOwner(queries, owner, table).catch(() => {})
  return true
}
