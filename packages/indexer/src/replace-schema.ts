import { NodeError } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Names the schema that is filled beside another one and replaces it. */
export const nextOf = (schema: string): string => `${schema}_next`

export const dropSchema = (queries: Kysely<Schema>, schema: string): Promise<unknown> =>
  sql`drop schema if exists ${sql.id(schema)} cascade`.execute(queries)

/**
 * Asserts that nothing in other schemas depends on the tables of one, since it would go with them.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` with the names
 */
export async function assertNothingDepends(queries: Kysely<Schema>, schema: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    with space as (select oid from pg_namespace where nspname = ${schema}),
    inside as (
      select 'pg_class'::regclass as class, oid from pg_class where relnamespace in (select oid from space)
      union all select 'pg_type'::regclass, oid from pg_type where typnamespace in (select oid from space)
      union all select 'pg_proc'::regclass, oid from pg_proc where pronamespace in (select oid from space)
    ),
    -- What depends is a view by its rule and a table by its constraint, default, trigger or policy.
    depending as (
      select d.classid, d.objid, coalesce(r.ev_class, nullif(c.conrelid, 0), a.adrelid, t.tgrelid, p.polrelid) as owner
      from pg_depend d join inside i on i.class = d.refclassid and i.oid = d.refobjid
        left join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
        left join pg_constraint c on d.classid = 'pg_constraint'::regclass and c.oid = d.objid
        left join pg_attrdef a on d.classid = 'pg_attrdef'::regclass and a.oid = d.objid
        left join pg_trigger t on d.classid = 'pg_trigger'::regclass and t.oid = d.objid
        left join pg_policy p on d.classid = 'pg_policy'::regclass and p.oid = d.objid
      where d.deptype in ('n', 'a')
    ),
    outside as (
      select case when owner is null then classid else 'pg_class'::regclass end as class, coalesce(owner, objid) as oid
      from depending
    )
    select distinct o.type || ' ' || o.identity as name
      from outside, pg_identify_object(outside.class, outside.oid, 0) o
      where o.schema is distinct from ${schema} and (outside.class, outside.oid) not in (select class, oid from inside)
      order by 1`.execute(queries)
  if (rows.length === 0) return
  throw new NodeError('CONFIGURATION_INVALID', {
    path: 'schema',
    expected:
      'one on which nothing outside depends, since a rebuild would remove it: drop it before, and create it again afterwards',
    found: rows.map(({ name }) => name).join(', '),
  })
}

/** Gives the readers of a schema the same rights in the next one, for the tables that are there. */
export async function copyRights(queries: Kysely<Schema>, schema: string): Promise<void> {
  const next = nextOf(schema)
  // In the catalogue, grantee 0 stands for PUBLIC, which is not a role.
  const { rows } = await sql<{ role: string | null; name: string }>`
    select case when acl.grantee <> 0 then pg_get_userbyid(acl.grantee) end as role, old.relname as name
    from pg_class old join pg_namespace space on space.oid = old.relnamespace
      cross join lateral aclexplode(old.relacl) acl
    where space.nspname = ${schema} and acl.privilege_type = 'SELECT' and acl.grantee <> old.relowner
      and exists (
        select from pg_class new join pg_namespace place on place.oid = new.relnamespace
        where place.nspname = ${next} and new.relname = old.relname
      )`.execute(queries)
  const idOf = (role: string | null) => (role === null ? sql`public` : sql.id(role))
  for (const role of new Set(rows.map((row) => row.role)))
    await sql`grant usage on schema ${sql.id(next)} to ${idOf(role)}`.execute(queries)
  for (const { role, name } of rows)
    await sql`grant select on ${sql.id(next, name)} to ${idOf(role)}`.execute(queries)
}

/**
 * Puts the next schema into the place of one. One transaction renames both, so that no reader finds none. Readers keep
 * their rights.
 *
 * @throws {NodeError} as {@link assertNothingDepends}
 */
export async function takePlace(queries: Kysely<Schema>, schema: string): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    await assertNothingDepends(transaction, schema)
    await copyRights(transaction, schema)
    await dropSchema(transaction, schema)
    await sql`alter schema ${sql.id(nextOf(schema))} rename to ${sql.id(schema)}`.execute(transaction)
  })
}
