import { inTransaction } from '@hailstone/database'
import { addressBlock } from '@hailstone/runtime/node'
import { sql } from 'kysely'
import { createTurns } from '../in-turn.ts'
import type { PeopleQueries } from './people-tables.ts'
import { nameKeyOf, type PersonStore } from './person-store.ts'
import { RefusedError } from './refused-error.ts'
import { hashOf } from './sessions.ts'

const MINUTE_MS = 60_000
/** Time in which wrong tries are counted, in ms. */
const WINDOW_MS = 15 * MINUTE_MS
/**
 * Wrong tries within the window. A stranger closes a name for addresses of his own; many together close it for all but
 * the machine of the console.
 */
const TRIES = { ofNameAndAddress: 5, ofAddress: 20, ofSite: 100, ofName: 100 } as const
/** Tries that wait to be counted, as many as wait for the hash of a password. */
const MAX_WAITING = 32
/** Time for which a full limit is not asked for again, in ms, and the number of those in memory. */
const [KNOWN_MS, MAX_KNOWN] = [1000, 10_000]
/** Groups of 16 bits of an IPv6 address that a site has: providers give whole networks of 48 bits. */
const SITE_GROUPS = 3

/** Facts about a try that limits are counted by. */
export type TryPlace = {
  readonly name: string
  readonly address: string
  /** True if the page was opened on the machine of the console. */
  readonly isLocal: boolean
}

/** A try that was counted. */
export type TakenTry = {
  readonly giveBack: () => Promise<void>
  /** Gives a right try back, and forgets wrong ones of the same name and place. */
  readonly forget: () => Promise<void>
}

/**
 * Limits of tries, counted in the tables: a restart forgets none, and no number of invented names pushes one out. Every
 * try that is let through is a hash of a password, so the rows of a window are no more than can be hashed in it.
 */
export type SignInLimits = {
  /**
   * Counts a try before it is judged, so that many at once are not more than many in a row.
   *
   * @throws {RefusedError} after too many
   */
  readonly take: (place: TryPlace) => Promise<TakenTry>
}

/** One limit that a try counts for; the key is a hash, since a password may have been typed as a name. */
type Counted = { readonly key: Buffer; readonly most: number }

/** Returns what a try counts for. All tries have the same order, so that no two wait for each other. */
function countedOf({ name, address, isLocal }: TryPlace) {
  const nameKey = nameKeyOf(name)
  // A proxy that does not pass on addresses is no reason to close this machine.
  const place = isLocal ? 'this machine' : addressBlock(address)
  const site = addressBlock(address, SITE_GROUPS)
  const counted = (most: number, ...parts: readonly string[]): Counted => ({
    ...{ key: hashOf(JSON.stringify(parts)), most },
  })
  const ofPair = counted(TRIES.ofNameAndAddress, 'name and address', nameKey, place)
  const all: readonly Counted[] = [
    counted(TRIES.ofAddress, 'address', place),
    ofPair,
    ...(isLocal ? [] : [counted(TRIES.ofName, 'name', nameKey)]),
    ...(isLocal || !site.includes(':') ? [] : [counted(TRIES.ofSite, 'site', site)]),
  ]
  return { all, ofPair }
}

/** The oldest try that leaves the window before another one is free; null while there are fewer. */
const oldestOfFull = sql<Date>`times[cardinality(times) + 1 - most]`

/** Reads which limits have no free try within the window. */
const findFull = (queries: PeopleQueries, limits: readonly Counted[], since: Date) =>
  queries
    .selectFrom('sign_in_try')
    .select(['key', oldestOfFull.as('oldest')])
    .where(
      'key',
      'in',
      limits.map(({ key }) => key),
    )
    .where(oldestOfFull, '>', since)
    .execute()

/** Counts a try for each limit that has one free, in one statement, and returns the others. */
async function countTry(
  transaction: PeopleQueries,
  limits: readonly Counted[],
  { at, since }: { readonly at: Date; readonly since: Date },
): Promise<readonly Counted[]> {
  const times = sql<Date[]>`array[${at}::timestamptz]`
  const rows = await transaction
    .insertInto('sign_in_try')
    .values(limits.map((one) => ({ ...one, times })))
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          most: sql`excluded.most`,
          times: sql`(sign_in_try.times || excluded.times)[cardinality(sign_in_try.times) + 2 - excluded.most:]`,
        })
        .where(
          sql<boolean>`sign_in_try.times[cardinality(sign_in_try.times) + 1 - excluded.most] > ${since} is not true`,
        ),
    )
    .returning('key')
    .execute()
  return limits.filter((one) => !rows.some(({ key }) => one.key.equals(key)))
}

/** Removes rows without a try within the window; one that another try holds waits for the next time. */
async function removeOld(queries: PeopleQueries, since: Date): Promise<void> {
  const old = queries
    .selectFrom('sign_in_try')
    .select('key')
    .where(sql<boolean>`times[cardinality(times)] > ${since} is not true`)
    .forUpdate()
    .skipLocked()
  await queries.deleteFrom('sign_in_try').where('key', 'in', old).execute()
}

const removeNewest = (queries: PeopleQueries, key: Buffer) =>
  queries
    .updateTable('sign_in_try')
    .set({ times: sql`times[:cardinality(times) - 1]` })
    .where('key', '=', key)
    .execute()

const minutes = (ms: number): string =>
  ms <= MINUTE_MS ? 'a minute' : `${Math.ceil(ms / MINUTE_MS)} minutes`

export function createSignInLimits({ queries, now }: Pick<PersonStore, 'queries' | 'now'>): SignInLimits {
  const inTurn = createTurns({
    limit: MAX_WAITING,
    refusal: 'Too many people sign in at once. Try again in a minute.',
  })
  /** Full limits, by their keys in hex: the time of the next free try, and when the tables said so. */
  const known = new Map<string, { readonly freeAt: number; readonly askedAt: number }>()
  let removedAt = Number.NEGATIVE_INFINITY
  const since = (): Date => new Date(now() - WINDOW_MS)

  function assertNotKnown(limits: readonly Counted[]): void {
    const waits = limits
      .flatMap(({ key }) => known.get(key.toString('hex')) ?? [])
      .filter(({ askedAt }) => now() - askedAt < KNOWN_MS)
      .map(({ freeAt }) => freeAt - now())
    const waitMs = Math.max(0, ...waits)
    if (waitMs === 0) return
    throw new RefusedError(429, `Too many wrong tries. Try again in ${minutes(waitMs)}.`, {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    })
  }

  async function assertFree(transaction: PeopleQueries, limits: readonly Counted[]): Promise<void> {
    const rows = await findFull(transaction, limits, since())
    if (known.size > MAX_KNOWN) known.clear()
    for (const { key, oldest } of rows)
      known.set(Buffer.from(key).toString('hex'), { freeAt: oldest.getTime() + WINDOW_MS, askedAt: now() })
    assertNotKnown(limits)
  }

  async function takeAll(limits: readonly Counted[]): Promise<void> {
    await inTransaction(queries, async (transaction) => {
      // Asked first, so that a refused try writes nothing.
      for (let left = limits; left.length > 0; ) {
        await assertFree(transaction, left)
        left = await countTry(transaction, left, { at: new Date(now()), since: since() })
      }
    })
    if (now() - removedAt < MINUTE_MS) return
    removedAt = now()
    await removeOld(queries, since())
  }

  return {
    async take(place) {
      const { all, ofPair } = countedOf(place)
      assertNotKnown(all)
      // One at a time: strangers who come at once use one connection to the tables, and leave the others.
      await inTurn(() => takeAll(all))
      async function giveBack(): Promise<void> {
        for (const { key } of all) {
          known.delete(key.toString('hex'))
          await removeNewest(queries, key)
        }
      }
      return {
        giveBack,
        async forget() {
          await giveBack()
          await queries.deleteFrom('sign_in_try').where('key', '=', ofPair.key).execute()
        },
      }
    },
  }
}
