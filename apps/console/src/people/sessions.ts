import { createHash, createHmac, randomBytes } from 'node:crypto'
import { inTransaction } from '@hailstone/database'
import type { PeopleQueries, PeopleTables } from './people-tables.ts'
import { changedMeanwhile, isAsJudged, type JudgedPerson, type PersonStore } from './person-store.ts'
import { RefusedError } from './refused-error.ts'
import type { Role } from './roles.ts'

/** Ends of a session, in ms. */
export const IDLE_MS = 12 * 3_600_000
export const SESSION_MS = 7 * 24 * 3_600_000
/** The console asks the provider at a sign-in alone: a person whom the provider closes is out after this time. */
export const PROVIDER_SESSION_MS = 12 * 3_600_000
/** Time between two notes of the last use, in ms: not every question writes. */
const NOTE_MS = 60_000
/** Sessions of one person; a further sign-in ends the oldest. */
const MAX_SESSIONS = 20

export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
export const createSecret = (): string => randomBytes(32).toString('base64url')

/** Returns what the page sends beside each change; nobody has it without the cookie, and no form can send it. */
export const csrfOf = (secret: string): string =>
  createHmac('sha256', secret).update('changes').digest('base64url')

/** Person behind an open session. */
export type SignedIn = {
  readonly session: number
  readonly person: {
    readonly id: number
    readonly name: string
    readonly role: Role
    readonly hasTotp: boolean
  }
}

export type SessionEntry = {
  readonly id: number
  readonly name: string
  readonly since: Date
  readonly lastAt: Date
}

/** Sessions of people, of which only hashes are kept. */
export type Sessions = {
  /**
   * Opens a session and returns its secret.
   *
   * @param lastsMs time after which it ends, however much it is used. Default: 7 days
   * @throws {RefusedError} if the person was changed since the sign-in was judged
   */
  readonly open: (judged: JudgedPerson, lastsMs?: number) => Promise<string>
  /** Returns the person of a secret; undefined after 12 idle hours, after `lastsMs`, or the end of the session. */
  readonly find: (secret: string) => Promise<SignedIn | undefined>
  readonly end: (secret: string) => Promise<void>
  readonly endOthers: (person: number, session: number) => Promise<void>
  /** Sessions of one person, or of everybody without one. */
  readonly list: (person?: number) => Promise<readonly SessionEntry[]>
  /** Ends a session by its number, of one person or of anybody. @throws {RefusedError} if there is no such session */
  readonly endNumber: (id: number, person?: number) => Promise<void>
}

export function createSessions({ queries, now }: Pick<PersonStore, 'queries' | 'now'>): Sessions {
  /** Sessions that go on at this moment end after the first time and were used after the second. */
  const bounds = () => ({ until: new Date(now()), lastAt: new Date(now() - IDLE_MS) })
  const endOld = async (): Promise<void> => {
    const { until, lastAt } = bounds()
    await queries
      .deleteFrom('session')
      .where((is) => is.or([is('until', '<', until), is('last_at', '<', lastAt)]))
      .execute()
  }
  const addSession = async (
    transaction: PeopleQueries,
    session: Pick<PeopleTables['session'], 'hash' | 'person' | 'until'>,
  ): Promise<void> => {
    const { person } = session
    const at = new Date(now())
    await transaction
      .insertInto('session')
      .values({ ...session, since: at, last_at: at })
      .execute()
    const newest = transaction
      .selectFrom('session')
      .select('id')
      .where('person', '=', person)
      .orderBy('id', 'desc')
      .limit(MAX_SESSIONS)
    await transaction
      .deleteFrom('session')
      .where('person', '=', person)
      .where('id', 'not in', newest)
      .execute()
  }
  return {
    async open(judged, lastsMs = SESSION_MS) {
      await endOld()
      const secret = createSecret()
      await inTransaction(queries, async (transaction) => {
        // The lock: a change that comes now waits, and ends this session as well.
        const same = await transaction
          .selectFrom('person')
          .select('id')
          .where(isAsJudged(judged))
          .forShare()
          .executeTakeFirst()
        if (same === undefined) throw changedMeanwhile()
        const until = new Date(now() + lastsMs)
        await addSession(transaction, { hash: hashOf(secret), person: judged.id, until })
      })
      return secret
    },
    async find(secret) {
      const { until, lastAt } = bounds()
      const row = await queries
        .selectFrom('session')
        .innerJoin('person', 'person.id', 'session.person')
        .select(['session.id as session', 'session.last_at', 'person.id', 'name', 'role', 'totp_secret'])
        .where('hash', '=', hashOf(secret))
        .where('until', '>=', until)
        .where('last_at', '>=', lastAt)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { session, id, name, role, totp_secret } = row
      if (now() - row.last_at.getTime() > NOTE_MS)
        await queries
          .updateTable('session')
          .set({ last_at: new Date(now()) })
          .where('id', '=', session)
          .execute()
      return { session, person: { id, name, role, hasTotp: totp_secret !== null } }
    },
    async end(secret) {
      await queries.deleteFrom('session').where('hash', '=', hashOf(secret)).execute()
    },
    async endOthers(person, session) {
      await queries.deleteFrom('session').where('person', '=', person).where('id', '<>', session).execute()
    },
    async list(person) {
      await endOld()
      const all = queries
        .selectFrom('session')
        .innerJoin('person', 'person.id', 'session.person')
        .select(['session.id', 'name', 'since', 'last_at'])
        .orderBy('last_at', 'desc')
        .orderBy('session.id')
        .limit(200)
      const rows = await (person === undefined ? all : all.where('person', '=', person)).execute()
      return rows.map(({ id, name, since, last_at }) => ({ id, name, since, lastAt: last_at }))
    },
    async endNumber(id, person) {
      const one = queries.deleteFrom('session').where('id', '=', id)
      const { numDeletedRows } = await (person === undefined
        ? one
        : one.where('person', '=', person)
      ).executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) throw new RefusedError(404, 'There is no such session.')
    },
  }
}
