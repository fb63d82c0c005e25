import { assertOwner, inTransaction, namesText } from '@hailstone/database'
import { NodeError } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { indexOwner } from './index-owner.ts'
import { migrations } from './migrations.ts'
import type { Schema } from './schema.ts'

/** Names the schema that is filled beside another one and replaces it. */
export const nextOf = (schema: string): string => `${schema}_next`

export const dropSchema = (queries: Kysely<Schema>, schema: string): Promise<unknown> =>
  sql`drop schema if exists ${sql.id(schema)} cascade`.execute(queries)

type Space = { readonly oid: string; readonly comment: string | null }

/** Reads a schema, whose OID stays the same when it is renamed; undefined if it does not exist. */
export async function readSchema(queries: Kysely<Schema>, schema: string): Promise<Space | undefined> {
  const { rows } = await sql<Space>`
    select oid::text as oid, obj_description(oid, 'pg_namespace') as comment
      from pg_namespace where nspname = ${schema}`.execute(queries)
  return rows[0]
}

/** Tables and views of the migrations. */
const ownNames = migrations.flatMap(({ statements }) =>
  [...statements.matchAll(/create (?:table|view) (\w+)/g)].map(([, name]) => name as string),
)

/**
 * Asserts that a schema holds an index alone, or nothing, since all that it holds goes with it.
 *
 * @throws {NodeError} `STORE_INVALID` if its tables belong to another program, `CONFIGURATION_INVALID` with the names of
 *   what else is there
 */
export async function assertIndexAlone(queries: Kysely<Schema>, schema: string): Promise<void> {
  const isIndex = await assertOwner(queries, indexOwner, `${schema}.migration`)
  const own = isIndex ? `{${['migration', ...ownNames].join(',')}}` : '{}'
  const { rows } = await sql<{ name: string }>`
    select o.type || ' ' || o.identity as name
    from pg_depend d cross join pg_identify_object(d.classid, d.objid, d.objsubid) o
    where d.refclassid = 'pg_namespace'::regclass and d.deptype = 'n'
      and d.refobjid = (select oid from pg_namespace where nspname = ${schema})
      and not (d.classid = 'pg_class'::regclass and d.objid in (
        select c.oid from pg_class c
          left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
          left join pg_class p on p.oid = i.inhparent
        where coalesce(p.relname, c.relname) = any(${own}::text[])
      ))
    order by 1`.execute(queries)
  if (rows.length === 0) return
  throw new NodeError('CONFIGURATION_INVALID', {
    path: 'schema',
    expected:
      'one that holds nothing but an index, since a rebuild would remove the rest: move it to another schema before',
    found: namesText(rows.map(({ name }) => name)),
  })
}

/**
 * True if nothing names who made a schema with a table of steps: a rebuild of a version without marks leaves that when it is
 * killed. In a folder it may also be empty. On a server an empty one may be anybody's, and one whose writer has given the
 * cursor back is an index that somebody keeps.
 */
export async function isUnmarked(
  queries: Kysely<Schema>,
  schema: string,
  isExclusive: boolean,
): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean; comment: string | null; isBegun: boolean }>`
    select steps is not null as "isThere", obj_description(steps, 'pg_class') as comment,
      to_regclass(${`"${schema}".cursor`}) is not null as "isBegun"
    from to_regclass(${`"${schema}".migration`}) as steps`.execute(queries)
  const [row] = rows
  if (row === undefined || row.comment !== null) return false
  if (isExclusive || !row.isThere || !row.isBegun) return isExclusive || row.isThere
  const idle = await sql`select from ${sql.table(`${schema}.cursor`)} where holder is null`.execute(queries)
  return idle.rows.length === 0
}

/** Drops the next schema of an index in a folder if nothing marks it and it holds an index alone, or nothing. */
export const dropUnmarked = (queries: Kysely<Schema>, schema: string): Promise<void> =>
  inTransaction(queries, async (transaction) => {
    const next = nextOf(schema)
    const found = await readSchema(transaction, next)
    if (found?.comment !== null || !(await isUnmarked(transaction, next, true))) return
    await assertIndexAlone(transaction, next)
    await dropSchema(transaction, next)
  })
