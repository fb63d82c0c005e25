import { assertOwner, namesText } from '@hailstone/database'
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
  assertNone(
    rows,
    'one that holds nothing but an index, since a rebuild would remove the rest: move it to another schema before',
  )
}

/** @throws {NodeError} `CONFIGURATION_INVALID` with the names of what a schema should not have */
export function assertNone(rows: readonly { readonly name: string }[], expected: string): void {
  if (rows.length === 0) return
  const found = namesText(rows.map(({ name }) => name))
  throw new NodeError('CONFIGURATION_INVALID', { path: 'schema', expected, found })
}
