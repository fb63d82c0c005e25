import { hostError } from '@hailstone/protocol'
import { sql } from 'kysely'
import { formatLinePlace, type LineAddress, parseLinePlace } from '../cluster/line-address.ts'
import type { Queries } from './queries.ts'
import { UNREPLICATED } from './replication.ts'

/** Identity of a lead. A term alone may be given twice if a failover lost the newest row of the lease. */
export type Lead = {
  readonly term: number
  /** A name that is made anew for each claim; empty when the lead was given back. */
  readonly holder: string
}

/** A lead with the sign of life that its holder renews. */
export type Lease = Lead & { readonly beat: bigint }

export const isSameLease = (one: Lease, other: Lease): boolean =>
  one.term === other.term && one.holder === other.holder && one.beat === other.beat

/** The lease and the shared state, in one read. */
export type SharedState = Lease & {
  /** Address of the leader for the gateways of other processes; null if it has none. */
  readonly line: LineAddress | null
  /** Of the open key block. */
  readonly height: number
  readonly tailHash: string
  readonly branch: number
  readonly poolSize: number
  readonly poolNewest: bigint
  /** Why the server acknowledges commits that no standby has; null if a standby has each of them. */
  readonly unreplicated: string | null
}

const ROW = 1

/** A lease that was not renewed for so long, by the clock of whoever watches it, may be claimed. In ms. */
export const LEASE_MS = 3000

/** Null while nobody has ever led. */
export async function readSharedState(queries: Queries): Promise<SharedState | null> {
  const { rows } = await sql<{
    term: bigint
    holder: string
    relay: string | null
    secret: string | null
    beat: bigint
    height: number
    tail_hash: string
    branch: string | null
    pool_size: bigint
    pool_newest: bigint | null
    unreplicated: string | null
  }>`
    select term, holder, beat, relay, secret,
      (select max(height) from key_block) as height,
      (select hash from key_block order by height desc limit 1) as tail_hash,
      (select value from chain_parameter where name = 'branch') as branch,
      (select count(*) from pool_transaction) as pool_size,
      (select max(number) from pool_transaction) as pool_newest,
      ${UNREPLICATED} as unreplicated
    from leadership where id = ${ROW}
  `.execute(queries)
  const [row] = rows
  return row === undefined
    ? null
    : {
        term: Number(row.term),
        holder: row.holder,
        line: lineOf(row),
        beat: row.beat,
        height: row.height,
        tailHash: row.tail_hash,
        branch: Number(row.branch ?? 0),
        poolSize: Number(row.pool_size),
        poolNewest: row.pool_newest ?? 0n,
        unreplicated: row.unreplicated,
      }
}

function lineOf(row: { readonly relay: string | null; readonly secret: string | null }): LineAddress | null {
  const place = parseLinePlace(row.relay)
  return place === null || row.secret === null ? null : { ...place, secret: row.secret }
}

export type Claim = {
  readonly holder: string
  /** Where the process lets the gateways of others in once it leads; null for nowhere. */
  readonly line: LineAddress | null
  /** The lease as it was seen; the claim fails when it is another one by now. Null while nobody has ever led. */
  readonly seen: Lease | null
}

/**
 * Takes the lead if the lease is still the one that was seen; answers the new term, or null. No clock of any server
 * takes part: that the holder has not renewed it for long enough is for the claimer to know.
 */
export async function claimLead(queries: Queries, { holder, line, seen }: Claim): Promise<number | null> {
  const [relay, secret] = line === null ? [null, null] : [formatLinePlace(line), line.secret]
  const { rows } =
    seen === null
      ? await sql<{ term: bigint }>`
          insert into leadership (id, term, holder, relay, secret, expires_at, beat, miners_version, miners)
          values (${ROW}, 1, ${holder}, ${relay}, ${secret}, now(), 1, 0, '[]')
          on conflict (id) do nothing returning term
        `.execute(queries)
      : await sql<{ term: bigint }>`
          update leadership set term = term + 1, holder = ${holder}, relay = ${relay}, secret = ${secret}, beat = beat + 1
          where id = ${ROW} and term = ${seen.term} and holder = ${seen.holder} and beat = ${seen.beat}
          returning term
        `.execute(queries)
  return rows[0] === undefined ? null : Number(rows[0].term)
}

const isLead = ({ term, holder }: Lead) => sql`id = ${ROW} and term = ${term} and holder = ${holder}`

/** False when the lead is somebody else's. A lease that nobody wanted meanwhile goes on. */
export async function renewLead(queries: Queries, lead: Lead): Promise<boolean> {
  const { rows } = await sql`
    update leadership set beat = beat + 1 where ${isLead(lead)} returning term
  `.execute(queries)
  return rows.length === 1
}

/** So that the next one need not wait for the lease. */
export async function releaseLead(queries: Queries, lead: Lead): Promise<void> {
  await sql`
    update leadership set holder = '', relay = null, secret = null, beat = beat + 1 where ${isLead(lead)}
  `.execute(queries)
}

/**
 * Part of every transaction that changes the chain: keeps the lead from changing hands before the commit, so that a
 * process which was cut off and does not know it writes nothing.
 *
 * @throws {NodeError} `LEADERSHIP_LOST`
 */
export async function assertLead(queries: Queries, lead: Lead): Promise<void> {
  const { rows } = await sql`
    select term from leadership where ${isLead(lead)} for share
  `.execute(queries)
  if (rows.length !== 1) throw hostError('LEADERSHIP_LOST', { term: lead.term })
}
