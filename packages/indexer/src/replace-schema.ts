import { setTimeout } from 'node:timers/promises'
import { inTransaction } from '@hailstone/database'
import { hostError, NodeError, type TokenId } from '@hailstone/protocol'
import { type Kysely, sql } from 'kysely'
import { indexOwner } from './index-owner.ts'
import { assertIndexAlone, assertNone, dropSchema, nextOf, readSchema } from './index-schema.ts'
import { packageVersion } from './package-version.ts'
import type { Schema } from './schema.ts'
import { isProcess, LEASE_MS } from './store/cursor.ts'

/** Beginning of the comment on a schema that a rebuild has made; no other one is dropped, filled or swapped. */
const MARK = `Owner: ${indexOwner.program} rebuild`

/** Returns the comment on the next schema of a rebuild. One with another comment is not gone on with. */
export const rebuildMark = (tokenIds: readonly TokenId[]): string =>
  `${MARK}, version ${packageVersion()}, tokens ${tokenIds.join(', ')}`

/** Locks the next schema of an index until the transaction ends: one process at a time creates, drops or places it. */
const lockNext = (transaction: Kysely<Schema>, schema: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`hailstone-indexer ${nextOf(schema)}`}, 0))`.execute(
    transaction,
  )

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

/** The next schema as a rebuild finds or makes it. */
export type Begun = {
  readonly oid: string | undefined
  /** True if this rebuild made it. */
  readonly isNew: boolean
}

/** The mark of a schema that several rebuilds have worked with, one after the other or at once: none of them drops it. */
const joined = (mark: string): string => `${mark}, joined`

const commentOn = (queries: Kysely<Schema>, schema: string, comment: string): Promise<unknown> =>
  sql`comment on schema ${sql.id(schema)} is ${sql.lit(comment)}`.execute(queries)

const notMade = (next: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', {
    path: 'schema',
    expected: `one beside which the name ${next} is free, since a rebuild fills it: rename that schema, or drop it if it is of no use`,
    found: `a schema ${next} that no rebuild of this version made`,
  })

/**
 * Makes the next schema of an index, or goes on with one that has this mark. One of another rebuild that nobody fills is
 * made anew.
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
): Promise<Begun> {
  const next = nextOf(schema)
  const found = await readSchema(queries, next)
  const isSame = found?.comment === mark || found?.comment === joined(mark)
  const isOther = found !== undefined && !isSame
  if (isOther && found.comment?.startsWith(MARK) !== true) throw notMade(next)
  if (isOther && !isExclusive && (await isBeingFilled(queries, next)))
    throw hostError('STORE_INVALID', { reason: `another rebuild fills ${next}; wait for it, or end it` })
  return await inTransaction(queries, async (transaction) => {
    await lockNext(transaction, schema)
    const now = await readSchema(transaction, next)
    if (now?.oid !== found?.oid) throw removedByAnother(schema)
    if (isSame) {
      await commentOn(transaction, next, joined(mark))
      return { oid: found?.oid, isNew: false }
    }
    if (found !== undefined) {
      await assertIndexAlone(transaction, next)
      await dropSchema(transaction, next)
    }
    await sql`create schema ${sql.id(next)}`.execute(transaction)
    await commentOn(transaction, next, mark)
    return { oid: (await readSchema(transaction, next))?.oid, isNew: true }
  })
}

/** Drops the next schema of an index if this rebuild made it, no other one has joined, and no index was begun there. */
export async function dropUnbegun(
  queries: Kysely<Schema>,
  schema: string,
  { oid, isNew }: Begun,
): Promise<void> {
  if (!isNew) return
  await inTransaction(queries, async (transaction) => {
    const next = nextOf(schema)
    await lockNext(transaction, schema)
    const now = await readSchema(transaction, next)
    if (now?.oid !== oid || now?.comment?.endsWith(joined('')) === true) return
    const { rows } = await sql`select from ${sql.table(`${next}.cursor`)}`.execute(transaction)
    if (rows.length > 0) return
    await assertIndexAlone(transaction, next)
    await dropSchema(transaction, next)
  })
}

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
  assertNone(
    rows,
    'one on which nothing outside depends, since a rebuild would remove it: drop it before, and create it again afterwards',
  )
}

/**
 * Asserts that the tables of the next schema have every part of those of a schema, such as columns, indexes, comments and
 * settings: what somebody added would go without a word.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` with the names
 */
async function assertNothingAdded(queries: Kysely<Schema>, schema: string): Promise<void> {
  const partsOf = (space: string) => sql`
    select part || ' ' || c.relname || '.' || name as name from pg_class c cross join lateral (
      select 'column' as part, attname as name from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped
      union all select 'constraint', conname from pg_constraint where conrelid = c.oid
      union all select 'index', i.relname from pg_index join pg_class i on i.oid = indexrelid where indrelid = c.oid
      union all select 'policy', polname from pg_policy where polrelid = c.oid
      union all select 'rule', rulename from pg_rewrite where ev_class = c.oid
      union all select 'trigger', tgname from pg_trigger where tgrelid = c.oid and not tgisinternal
      union all select 'setting', unnest(reloptions)
      union all select 'comment', description from pg_description
        where objoid = c.oid and classoid = 'pg_class'::regclass
    ) parts
    where c.relnamespace = (select oid from pg_namespace where nspname = ${space})
      and c.relkind in ('r', 'p', 'v') and not c.relispartition`
  const { rows } = await sql<{ name: string }>`
    (${partsOf(schema)}) except (${partsOf(nextOf(schema))}) order by 1`.execute(queries)
  assertNone(
    rows,
    'one with tables as the indexer makes them, since a rebuild makes them anew: drop what was added before, and add it again afterwards',
  )
}

/**
 * Gives the readers of a schema the same rights in the next one, for the tables and columns that are there.
 *
 * @throws {NodeError} as {@link assertNothingAdded}
 */
export async function copyRights(queries: Kysely<Schema>, schema: string): Promise<void> {
  const next = nextOf(schema)
  await assertNothingAdded(queries, schema)
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
