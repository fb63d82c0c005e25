import { inTransaction } from '@hailstone/database'
import { hostError, NodeError } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Names the schema that is filled beside another one and replaces it. */
export const nextOf = (schema: string): string => `${schema}_next`

export const dropSchema = (queries: Kysely<Schema>, schema: string): Promise<unknown> =>
  sql`drop schema if exists ${sql.id(schema)} cascade`.execute(queries)

/** Locks the next schema of an index until the transaction ends: one process at a time creates, drops or places it. */
const lockNext = (transaction: Kysely<Schema>, schema: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`hailstone-indexer ${nextOf(schema)}`}, 0))`.execute(
    transaction,
  )

/** Returns the OID of a schema, which stays the same when it is renamed; undefined if it does not exist. */
export async function schemaOid(queries: Kysely<Schema>, schema: string): Promise<string | undefined> {
  const { rows } = await sql<{ oid: string }>`
    select oid::text as oid from pg_namespace where nspname = ${schema}`.execute(queries)
  return rows[0]?.oid
}

/** Creates the next schema of an index, dropping a leftover one. Returns its OID. */
export const beginNext = (queries: Kysely<Schema>, schema: string): Promise<string | undefined> =>
  inTransaction(queries, async (transaction) => {
    await lockNext(transaction, schema)
    await dropSchema(transaction, nextOf(schema))
    await sql`create schema ${sql.id(nextOf(schema))}`.execute(transaction)
    return await schemaOid(transaction, nextOf(schema))
  })

/** Drops the next schema of an index if its OID is still this one. */
export const dropNext = (queries: Kysely<Schema>, schema: string, oid: string | undefined): Promise<void> =>
  inTransaction(queries, async (transaction) => {
    await lockNext(transaction, schema)
    if ((await schemaOid(transaction, nextOf(schema))) === oid) await dropSchema(transaction, nextOf(schema))
  })

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

/** Returns the error of a rebuild whose tables a later one dropped. */
export const removedByAnother = (schema: string): NodeError =>
  hostError('STORE_INVALID', {
    reason: `another rebuild began, and removed the tables of this one from ${nextOf(schema)}`,
  })

/** Returns the statements that replace a schema by its next one, to run in one transaction. */
export function replacement(schema: string): readonly string[] {
  const [old, next] = [`"${schema}"`, `"${nextOf(schema)}"`]
  return [
    // A lost connection may have left the rebuild as the writer, and the indexer that is running would end because of it.
    `update ${next}.cursor set holder = null`,
    `drop schema if exists ${old} cascade`,
    `alter schema ${next} rename to ${old}`,
  ]
}

/**
 * Replaces a schema by its next one, which must have this OID. One transaction renames both, so that readers always find
 * one of them. Readers keep their rights. Does nothing if the schema has this OID already.
 *
 * @throws {NodeError} `STORE_INVALID` if another process has created the next schema again, and as
 *   {@link assertNothingDepends}
 */
export async function takePlace(
  queries: Kysely<Schema>,
  schema: string,
  oid: string | undefined,
): Promise<void> {
  await inTransaction(queries, async (transaction) => {
    await lockNext(transaction, schema)
    // Then an earlier attempt was committed and its answer lost.
    if ((await schemaOid(transaction, schema)) === oid) return
    if ((await schemaOid(transaction, nextOf(schema))) !== oid) throw removedByAnother(schema)
    await assertNothingDepends(transaction, schema)
    await copyRights(transaction, schema)
    for (const statement of replacement(schema)) await sql.raw(statement).execute(transaction)
  })
}
