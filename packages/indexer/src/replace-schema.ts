import { setTimeout } from 'node:timers/promises'
import { assertOwner, inTransaction, namesText } from '@hailstone/database'
import { hostError, NodeError, type TokenId } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { migrations } from './migrations.ts'
import { indexOwner } from './open-index.ts'
import { packageVersion } from './package-version.ts'
import type { Schema } from './schema.ts'
import { isProcess, LEASE_MS } from './store/cursor.ts'

/** Names the schema that is filled beside another one and replaces it. */
export const nextOf = (schema: string): string => `${schema}_next`

/** Beginning of the comment on a schema that a rebuild has made; no other one is dropped, filled or swapped. */
const MARK = `Owner: ${indexOwner.program} rebuild`

/** Returns the comment on the next schema of a rebuild. One with another comment is not gone on with. */
export const rebuildMark = (tokenIds: readonly TokenId[]): string =>
  `${MARK}, version ${packageVersion()}, tokens ${tokenIds.join(', ')}`

const dropSchema = (queries: Kysely<Schema>, schema: string): Promise<unknown> =>
  sql`drop schema if exists ${sql.id(schema)} cascade`.execute(queries)

/** Locks the next schema of an index until the transaction ends: one process at a time creates, drops or places it. */
const lockNext = (transaction: Kysely<Schema>, schema: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`hailstone-indexer ${nextOf(schema)}`}, 0))`.execute(
    transaction,
  )

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

/** True if a process fills the next schema: its beat moves within the time of a lease. */
async function isBeingFilled(queries: Kysely<Schema>, next: string): Promise<boolean> {
  const table = `${next}.cursor`
  const read = async () => {
    const { rows: there } = await sql`select where to_regclass(${`"${next}".cursor`}) is not null`.execute(
      queries,
    )
    if (there.length === 0) return undefined
    const { rows } = await sql<{ holder: string | null; beat: bigint }>`
      select holder, beat from ${sql.table(table)}`.execute(queries)
    return rows[0]
  }
  const before = await read()
  if (before === undefined || !isProcess(before.holder)) return false
  await setTimeout(LEASE_MS)
  return (await read())?.beat !== before.beat
}

/**
 * Makes the next schema of an index, or goes on with one that has this mark. One of another rebuild that nobody fills is
 * made anew. Returns its OID.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` if another program, or a person, made it; `STORE_INVALID` while another
 *   rebuild fills it
 */
export async function beginNext(
  queries: Kysely<Schema>,
  {
    schema,
    mark,
    isExclusive,
  }: { readonly schema: string; readonly mark: string; readonly isExclusive: boolean },
): Promise<string | undefined> {
  const next = nextOf(schema)
  const found = await readSchema(queries, next)
  const isOther = found !== undefined && found.comment !== mark
  if (isOther && found.comment?.startsWith(MARK) !== true)
    throw new NodeError('CONFIGURATION_INVALID', {
      path: 'schema',
      expected: `one beside which the name ${next} is free, since a rebuild fills it: rename that schema, or drop it if it is of no use`,
      found: `a schema ${next} that no rebuild of this version made`,
    })
  if (isOther && !isExclusive && (await isBeingFilled(queries, next)))
    throw hostError('STORE_INVALID', { reason: `another rebuild fills ${next}; wait for it, or end it` })
  return await inTransaction(queries, async (transaction) => {
    await lockNext(transaction, schema)
    const now = await readSchema(transaction, next)
    if (now?.oid !== found?.oid) throw removedByAnother(schema)
    if (found?.comment === mark) return found.oid
    if (found !== undefined) {
      await assertIndexAlone(transaction, next)
      await dropSchema(transaction, next)
    }
    await sql`create schema ${sql.id(next)}`.execute(transaction)
    await sql`comment on schema ${sql.id(next)} is ${sql.lit(mark)}`.execute(transaction)
    return (await readSchema(transaction, next))?.oid
  })
}

/** Drops the next schema of an index if its OID is still this one and no index was begun there. */
export const dropUnbegun = (
  queries: Kysely<Schema>,
  schema: string,
  oid: string | undefined,
): Promise<void> =>
  inTransaction(queries, async (transaction) => {
    const next = nextOf(schema)
    await lockNext(transaction, schema)
    if ((await readSchema(transaction, next))?.oid !== oid) return
    const { rows } = await sql`select from ${sql.table(`${next}.cursor`)}`.execute(transaction)
    if (rows.length > 0) return
    await assertIndexAlone(transaction, next)
    await dropSchema(transaction, next)
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

/** Gives the readers of a schema the same rights in the next one, for the tables and columns that are there. */
export async function copyRights(queries: Kysely<Schema>, schema: string): Promise<void> {
  const next = nextOf(schema)
  // In the catalogue, grantee 0 stands for PUBLIC, which is not a role.
  const { rows } = await sql<{ role: string | null; name: string; part: string | null; grantable: boolean }>`
    select case when acl.grantee <> 0 then pg_get_userbyid(acl.grantee) end as role, old.relname as name, part,
      acl.is_grantable as grantable
    from pg_class old join pg_namespace space on space.oid = old.relnamespace
      cross join lateral (
        select null::name as part, old.relacl as rights
        union all select attname, attacl from pg_attribute where attrelid = old.oid and not attisdropped
      ) given
      cross join lateral aclexplode(given.rights) acl
    where space.nspname = ${schema} and acl.privilege_type = 'SELECT' and acl.grantee <> old.relowner
      and exists (
        select from pg_class new join pg_namespace place on place.oid = new.relnamespace
        where place.nspname = ${next} and new.relname = old.relname and (part is null or exists (
          select from pg_attribute where attrelid = new.oid and attname = part and not attisdropped
        ))
      )`.execute(queries)
  const idOf = (role: string | null) => (role === null ? sql`public` : sql.id(role))
  for (const role of new Set(rows.map((row) => row.role)))
    await sql`grant usage on schema ${sql.id(next)} to ${idOf(role)}`.execute(queries)
  for (const { role, name, part, grantable } of rows) {
    const columns = part === null ? sql`` : sql`(${sql.id(part)})`
    const option = grantable ? sql`with grant option` : sql``
    await sql`grant select ${columns} on ${sql.id(next, name)} to ${idOf(role)} ${option}`.execute(queries)
  }
}

/** Returns the error of a rebuild whose tables are not its own any more. */
export const removedByAnother = (schema: string): NodeError =>
  hostError('STORE_INVALID', {
    reason: `another rebuild began, and removed or took over the tables of this one in ${nextOf(schema)}`,
  })

/**
 * Replaces a schema by its next one, which must have this OID and this holder: then it has what this rebuild filled. One
 * transaction renames both, so that readers always find one of them. Readers keep their rights. Does nothing if the schema
 * has this OID already.
 *
 * @throws {NodeError} `STORE_INVALID` if another process has made or taken over the next schema, and as
 *   {@link assertIndexAlone} and {@link assertNothingDepends}
 */
export async function takePlace(
  queries: Kysely<Schema>,
  {
    schema,
    oid,
    holder,
  }: { readonly schema: string; readonly oid: string | undefined; readonly holder: string },
): Promise<void> {
  const next = nextOf(schema)
  await inTransaction(queries, async (transaction) => {
    await lockNext(transaction, schema)
    // Then an earlier attempt was committed and its answer lost.
    if ((await readSchema(transaction, schema))?.oid === oid) return
    if ((await readSchema(transaction, next))?.oid !== oid) throw removedByAnother(schema)
    const { numAffectedRows } = await sql`
      update ${sql.table(`${next}.cursor`)} set holder = null where holder = ${holder}`.execute(transaction)
    if (numAffectedRows !== 1n) throw removedByAnother(schema)
    await assertIndexAlone(transaction, schema)
    await assertNothingDepends(transaction, schema)
    await copyRights(transaction, schema)
    await dropSchema(transaction, schema)
    await sql`alter schema ${sql.id(next)} rename to ${sql.id(schema)}`.execute(transaction)
    await sql`comment on schema ${sql.id(schema)} is null`.execute(transaction)
  })
}
