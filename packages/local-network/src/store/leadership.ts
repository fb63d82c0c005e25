import { hostError } from '@hailstone/protocol'
import { sql } from 'kysely'
import type { Queries } from './queries.ts'

/** Who leads, and where everything else stands, in one look. */
export type SharedState = {
  readonly term: number
  readonly holder: string
  /** Where the leader takes miners, `host:port`; null when it has no gateway. */
  readonly relay: string | null
  /** Whether the leader has not been heard of for longer than its lease. */
  readonly isVacant: boolean
  readonly minersVersion: bigint
  /** Of the open key block. */
  readonly height: number
  readonly branch: number
  readonly poolSize: number
  readonly poolNewest: bigint
}

const ROW = 1

/** Null while nobody has ever led. */
export async function readSharedState(queries: Queries): Promise<SharedState | null> {
  const { rows } = await sql<{
    term: bigint
    holder: string
    relay: string | null
    is_vacant: boolean
    miners_version: bigint
    height: number
    branch: string | null
    pool_size: bigint
    pool_newest: bigint | null
  }>`
    select term, holder, relay, expires_at < now() as is_vacant, miners_version,
      (select max(height) from key_block) as height,
      (select value from chain_parameter where name = 'branch') as branch,
      (select count(*) from pool_transaction) as pool_size,
      (select max(number) from pool_transaction) as pool_newest
    from leadership where id = ${ROW}
  `.execute(queries)
  const [row] = rows
  return row === undefined
    ? null
    : {
        term: Number(row.term),
        holder: row.holder,
        relay: row.relay,
        isVacant: row.is_vacant,
        minersVersion: row.miners_version,
        height: row.height,
        branch: Number(row.branch ?? 0),
        poolSize: Number(row.pool_size),
        poolNewest: row.pool_newest ?? 0n,
      }
}

export type Claim = {
  readonly holder: string
  readonly relay: string | null
  readonly leaseMs: number
  /** A holder that is known to be dead, whose lease need not be waited for. */
  readonly deadHolder: string | null
}

const lease = (leaseMs: number) => sql`now() + ${leaseMs} * interval '1 millisecond'`

/** Takes the lead if nobody has it; answers the new term, or null. Times are the server's. */
export async function claimLead(queries: Queries, claim: Claim): Promise<number | null> {
  const { holder, relay, leaseMs, deadHolder } = claim
  const { rows } = await sql<{ term: bigint }>`
    insert into leadership (id, term, holder, relay, expires_at, miners_version, miners)
    values (${ROW}, 1, ${holder}, ${relay}, ${lease(leaseMs)}, 0, '[]')
    on conflict (id) do update set term = leadership.term + 1, holder = excluded.holder, relay = excluded.relay,
      expires_at = excluded.expires_at, miners_version = leadership.miners_version + 1, miners = '[]'
    where leadership.expires_at < now() or leadership.holder = ${deadHolder ?? ''}
    returning term
  `.execute(queries)
  return rows[0] === undefined ? null : Number(rows[0].term)
}

/** False when the term is over. A lease that ran out while nobody wanted it goes on. */
export async function renewLead(queries: Queries, term: number, leaseMs: number): Promise<boolean> {
  const { rows } = await sql`
    update leadership set expires_at = ${lease(leaseMs)} where id = ${ROW} and term = ${term} returning term
  `.execute(queries)
  return rows.length === 1
}

/** So that the next one need not wait for the lease. */
export async function releaseLead(queries: Queries, term: number): Promise<void> {
  await sql`
    update leadership set expires_at = now() - interval '1 second', holder = '', relay = null
    where id = ${ROW} and term = ${term}
  `.execute(queries)
}

/** The text is what followers show of the miners that are connected to the leader. */
export async function writeMiners(queries: Queries, term: number, miners: string): Promise<void> {
  await sql`
    update leadership set miners = ${miners}, miners_version = miners_version + 1
    where id = ${ROW} and term = ${term} and miners <> ${miners}
  `.execute(queries)
}

export async function readMiners(queries: Queries): Promise<string> {
  const row = await queries.selectFrom('leadership').select('miners').where('id', '=', ROW).executeTakeFirst()
  return row?.miners ?? '[]'
}

/**
 * Part of every transaction that changes the chain: keeps the term from ending before the commit, so that a
 * process which was cut off and does not know it writes nothing.
 *
 * @throws {NodeError} `LEADERSHIP_LOST`
 */
export async function assertLead(queries: Queries, term: number): Promise<void> {
  const { rows } = await sql`
    select term from leadership where id = ${ROW} and term = ${term} for share
  `.execute(queries)
  if (rows.length !== 1) throw hostError('LEADERSHIP_LOST', { term })
}
