import { inTransaction } from '@hailstone/database'
import type { ExpressionBuilder, Transaction } from 'kysely'
import type { PasswordCost } from './passwords.ts'
import { createPasswords, type DeriveKey, type Passwords } from './passwords.ts'
import type { AuditKind, PeopleQueries, PeopleTables } from './people-tables.ts'
import { nameOf } from './person-name.ts'
import { RefusedError } from './refused-error.ts'
import { includesRole, type Role, tokenRoles } from './roles.ts'
import { createTotpSecret, findTotpStep } from './totp.ts'
import { createTryLimit } from './try-limit.ts'

/** A person as lists show it. */
export type Person = {
  readonly id: number
  readonly name: string
  readonly role: Role
  /** True if a code is asked for after the password. */
  readonly hasTotp: boolean
  readonly createdAt: Date
}

/** Changes that one person makes to another; each ends the sessions of the other, a lower role tokens of higher ones. */
export type PersonChange = {
  readonly role?: Role | undefined
  readonly password?: string | undefined
  /** True takes the second factor away. */
  readonly removeTotp?: boolean | undefined
}

/** Facts by which a sign-in was judged. It counts only while the row of the person still has them. */
export type JudgedPerson = Pick<PeopleTables['person'], 'role' | 'password' | 'totp_secret'> & {
  readonly id: number
}

export type AuditEntry = {
  readonly at: Date
  readonly person: string | null
  readonly action: string
  readonly subject: string | null
  readonly kind: AuditKind
}

/** Entry as it is noted, beside its time and kind. */
type Note = Omit<AuditEntry, 'at' | 'kind'>

/** Name of the person that acts; null for the command. */
type Actor = string | null

/** People of the console, their passwords and second factors, and what they did. */
export type PersonStore = {
  readonly queries: PeopleQueries
  readonly passwords: Passwords
  readonly now: () => number
  readonly hasAny: () => Promise<boolean>
  readonly list: () => Promise<readonly Person[]>
  /** @throws {RefusedError} for a name that is taken or cannot be one, and for a first person who is no owner */
  readonly add: (
    person: { readonly name: string; readonly role: Role; readonly password: string },
    by: Actor,
  ) => Promise<Person>
  /** @throws {RefusedError} if nobody has this number, and if no owner would be left */
  readonly change: (id: number, change: PersonChange, by: Actor) => Promise<Person>
  /**
   * Changes the own password, ends the sessions of the person, and returns what the next session is opened by.
   *
   * @throws {RefusedError} if the person was changed since the old password was judged
   */
  readonly changePassword: (
    person: JudgedPerson & Pick<Person, 'name'>,
    password: string,
  ) => Promise<JudgedPerson>
  /** Removes a person with sessions and tokens. The last person of all can be removed with `isLast` alone. */
  readonly remove: (id: number, by: Actor, options?: { readonly isLast?: boolean }) => Promise<void>
  readonly findByName: (name: string) => Promise<Person | undefined>
  /** Makes a secret of a second factor that is in use when {@link PersonStore.confirmTotp} was given a code of it. */
  readonly beginTotp: (id: number) => Promise<Buffer>
  readonly confirmTotp: (person: Pick<Person, 'id' | 'name'>, code: string) => Promise<void>
  /** Makes a second factor that is in use at once. */
  readonly setTotp: (id: number, by: Actor) => Promise<Buffer>
  /** Notes a change, which is kept for a year. */
  readonly note: (entry: Note) => Promise<void>
  /** Notes a sign-in or a refused one; the same one is noted once a minute. The newest 10,000 are kept. */
  readonly noteSignIn: (entry: Note) => Promise<void>
  /**
   * Notes a sign-in once the answer is on its way. One that cannot be written waits for the next one, for a look at the
   * log, or for the end of the server.
   */
  readonly noteSignInLater: (entry: Note) => void
  /** Writes the sign-ins that wait for it. @throws whatever the tables throw; the others still wait */
  readonly writeNotes: () => Promise<void>
  /** The newest 200 changes and the newest 200 sign-ins. */
  readonly audit: () => Promise<readonly AuditEntry[]>
}

/** Entries about sign-ins that are kept, and entries of each kind that are shown. */
const [KEPT_SIGN_INS, SHOWN_ENTRIES] = [10_000, 200]
/** Time for which entries about changes are kept, in ms. Their number has no limit, so that none pushes out another. */
const CHANGES_MS = 366 * 86_400_000
/** Time in which the same sign-in is noted once, in ms. */
const SAME_SIGN_IN_MS = 60_000

/** Returns the name as it is looked for; of a text that can be no name, too. */
export const nameKeyOf = (text: string): string =>
  // The database refuses a zero byte, and a name that nobody has is no other failure than another one.
  text.normalize('NFKC').trim().toLowerCase().replaceAll('\0', '\ufffd')

const nobody = (): RefusedError => new RefusedError(404, 'There is no such person.')

type Row = Pick<PeopleTables['person'], 'name' | 'role' | 'totp_secret' | 'created_at'> & {
  readonly id: number
}

const personOf = ({ id, name, role, totp_secret, created_at }: Row): Person => ({
  ...{ id, name, role, hasTotp: totp_secret !== null, createdAt: created_at },
})

const columns = ['id', 'name', 'role', 'totp_secret', 'created_at'] as const

/** Columns of a person that a sign-in is judged by. */
export const personColumns = ['id', 'name', 'role', 'password', 'totp_secret', 'totp_step'] as const

/** Condition of a statement about the row of a person, which must be as it was judged. */
export const isAsJudged =
  ({ id, role, password, totp_secret }: JudgedPerson) =>
  (is: ExpressionBuilder<PeopleTables, 'person'>) =>
    is.and([
      is('id', '=', id),
      is('role', '=', role),
      is('password', '=', password),
      is('totp_secret', 'is not distinct from', totp_secret),
    ])

export const changedMeanwhile = (): RefusedError =>
  new RefusedError(401, 'This person was changed meanwhile. Sign in again.')

/**
 * Locks the row of the person that acts, whose request may have waited for long since it was judged.
 *
 * @throws {RefusedError} if the person is no owner any more
 */
export async function assertActsAsOwner(transaction: PeopleQueries, by: Actor): Promise<void> {
  if (by === null) return
  const row = await transaction
    .selectFrom('person')
    .select('role')
    .where('name_key', '=', nameKeyOf(by))
    .forShare()
    .executeTakeFirst()
  if (row?.role !== 'owner') throw changedMeanwhile()
}

/** Locks the owners, so that two requests at once do not remove the last two. */
async function assertOtherOwner(transaction: PeopleQueries, id: number): Promise<void> {
  const owners = await transaction
    .selectFrom('person')
    .select('id')
    .where('role', '=', 'owner')
    .forUpdate()
    .execute()
  if (owners.every((owner) => owner.id === id))
    throw new RefusedError(409, 'This is the only owner. Make another person an owner first.')
}

export async function noteChange(queries: PeopleQueries, now: number, entry: Note): Promise<void> {
  await queries
    .insertInto('audit')
    .values({ at: new Date(now), ...entry, kind: 'change' })
    .execute()
  await queries
    .deleteFrom('audit')
    .where('kind', '=', 'change')
    .where('at', '<', new Date(now - CHANGES_MS))
    .execute()
}

async function noteSignIn(queries: PeopleQueries, now: number, entry: Note): Promise<void> {
  await queries
    .insertInto('audit')
    .values({ at: new Date(now), ...entry, kind: 'sign-in' })
    .execute()
  const newestTooMany = queries
    .selectFrom('audit')
    .select('id')
    .where('kind', '=', 'sign-in')
    .orderBy('id', 'desc')
    .offset(KEPT_SIGN_INS)
    .limit(1)
  await queries.deleteFrom('audit').where('kind', '=', 'sign-in').where('id', '<=', newestTooMany).execute()
}

/** Removes the tokens of a person that may do what the person may not, and returns their number. */
async function removeTokensAbove(transaction: PeopleQueries, id: number, role: Role): Promise<number> {
  const higher = tokenRoles.filter((one) => !includesRole(role, one))
  if (higher.length === 0) return 0
  const { numDeletedRows } = await transaction
    .deleteFrom('api_token')
    .where('created_by', '=', id)
    .where('role', 'in', higher)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const isTaken = (error: unknown): boolean => (error as { readonly code?: unknown } | null)?.code === '23505'

/** @param parameters.cost of passwords that are made from now on */
export function createPersonStore(parameters: {
  readonly queries: PeopleQueries
  readonly now?: (() => number) | undefined
  readonly cost?: PasswordCost | undefined
  readonly derive?: DeriveKey | undefined
}): PersonStore {
  const { queries, now = Date.now, cost, derive } = parameters
  const passwords = createPasswords({ cost, derive })
  const signIns = createTryLimit({ tries: 1, windowMs: SAME_SIGN_IN_MS, now })
  /** Sign-ins that wait to be written, the oldest first. */
  const waiting: { readonly at: number; readonly entry: Note }[] = []
  let writing: Promise<void> = Promise.resolve()
  /** Returns whether it is the first of its minute. */
  function keepNote(entry: Note): boolean {
    if (signIns(JSON.stringify(entry)) !== 0) return false
    waiting.push({ at: now(), entry })
    // The log would not keep more either.
    if (waiting.length > KEPT_SIGN_INS) waiting.shift()
    return true
  }
  async function writeWaiting(): Promise<void> {
    for (let note = waiting.shift(); note !== undefined; note = waiting.shift())
      try {
        await noteSignIn(queries, note.at, note.entry)
      } catch (error) {
        waiting.unshift(note)
        throw error
      }
  }
  function writeNotes(): Promise<void> {
    const done = writing.then(writeWaiting)
    writing = done.catch(() => {})
    return done
  }
  const inStep = <Result>(step: (transaction: Transaction<PeopleTables>) => Promise<Result>) =>
    inTransaction(queries, (transaction) => step(transaction as Transaction<PeopleTables>))
  const find = async (transaction: PeopleQueries, id: number): Promise<Row> => {
    const row = await transaction.selectFrom('person').select(columns).where('id', '=', id).executeTakeFirst()
    if (row === undefined) throw nobody()
    return row
  }
  const endSessions = (transaction: PeopleQueries, id: number) =>
    transaction.deleteFrom('session').where('person', '=', id).execute()
  return {
    queries,
    passwords,
    now,
    async hasAny() {
      return (await queries.selectFrom('person').select('id').limit(1).executeTakeFirst()) !== undefined
    },
    async list() {
      const rows = await queries.selectFrom('person').select(columns).orderBy('name_key').execute()
      return rows.map(personOf)
    },
    async add(person, by) {
      const name = nameOf(person.name)
      const { role } = person
      const password = await passwords.hash(person.password, name)
      try {
        return await inStep(async (transaction) => {
          await assertActsAsOwner(transaction, by)
          const first = await transaction.selectFrom('person').select('id').limit(1).executeTakeFirst()
          if (first === undefined && role !== 'owner')
            throw new RefusedError(409, 'The first person is an owner, who can add others.')
          const values = { name, name_key: nameKeyOf(name), role, password, created_at: new Date(now()) }
          const row = await transaction
            .insertInto('person')
            .values({ ...values, totp_secret: null, totp_pending: null, totp_step: 0, subject: null })
            .returning(columns)
            .executeTakeFirstOrThrow()
          await noteChange(transaction, now(), {
            person: by,
            action: `person added as ${role}`,
            subject: name,
          })
          return personOf(row)
        })
      } catch (error) {
        if (isTaken(error)) throw new RefusedError(409, 'This name is taken.')
        throw error
      }
    },
    async change(id, { role, password, removeTotp }, by) {
      const { name } = await find(queries, id)
      const hash = password === undefined ? undefined : await passwords.hash(password, name)
      return inStep(async (transaction) => {
        await assertActsAsOwner(transaction, by)
        const before = await find(transaction, id)
        if (before.role === 'owner' && role !== undefined && role !== 'owner')
          await assertOtherOwner(transaction, id)
        const row = await transaction
          .updateTable('person')
          .set({
            ...(role === undefined ? {} : { role }),
            ...(hash === undefined ? {} : { password: hash, totp_pending: null, subject: null }),
            ...(removeTotp === true ? { totp_secret: null, totp_pending: null } : {}),
          })
          .where('id', '=', id)
          .returning(columns)
          .executeTakeFirst()
        if (row === undefined) throw nobody()
        await endSessions(transaction, id)
        const removed = role === undefined ? 0 : await removeTokensAbove(transaction, id, role)
        const changes = [
          ...(role === undefined ? [] : [`role ${role}`]),
          ...(removed === 0 ? [] : [`${removed} ${removed === 1 ? 'token' : 'tokens'} removed`]),
          ...(hash === undefined ? [] : ['password']),
          ...(removeTotp === true ? ['second factor removed'] : []),
        ]
        await noteChange(transaction, now(), {
          person: by,
          action: `person changed: ${changes.join(', ')}`,
          subject: name,
        })
        return personOf(row)
      })
    },
    async changePassword(judged, text) {
      const { id, name } = judged
      const password = await passwords.hash(text, name)
      await inStep(async (transaction) => {
        const row = await transaction
          .updateTable('person')
          .set({ password, totp_pending: null })
          .where(isAsJudged(judged))
          .returning('id')
          .executeTakeFirst()
        if (row === undefined) throw changedMeanwhile()
        await endSessions(transaction, id)
        await noteChange(transaction, now(), {
          person: name,
          action: 'person changed: password',
          subject: name,
        })
      })
      return { ...judged, password }
    },
    remove: (id, by, { isLast = false } = {}) =>
      inStep(async (transaction) => {
        await assertActsAsOwner(transaction, by)
        const { name, role } = await find(transaction, id)
        const other = await transaction
          .selectFrom('person')
          .select('id')
          .where('id', '<>', id)
          .limit(1)
          .executeTakeFirst()
        if (role === 'owner' && !(isLast && other === undefined)) await assertOtherOwner(transaction, id)
        await transaction.deleteFrom('person').where('id', '=', id).execute()
        await noteChange(transaction, now(), { person: by, action: 'person removed', subject: name })
      }),
    async findByName(name) {
      const row = await queries
        .selectFrom('person')
        .select(columns)
        .where('name_key', '=', nameKeyOf(name))
        .executeTakeFirst()
      return row === undefined ? undefined : personOf(row)
    },
    async beginTotp(id) {
      const secret = createTotpSecret()
      await queries.updateTable('person').set({ totp_pending: secret }).where('id', '=', id).execute()
      return secret
    },
    confirmTotp: ({ id, name }, code) =>
      inStep(async (transaction) => {
        const row = await transaction
          .selectFrom('person')
          .select('totp_pending')
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        const secret = row?.totp_pending
        if (secret == null) throw new RefusedError(409, 'Ask for a new secret first.')
        const step = findTotpStep(secret, code, { nowMs: now(), after: 0 })
        if (step === undefined)
          throw new RefusedError(400, 'This is no code of the new secret. Is the clock of the device right?')
        await transaction
          .updateTable('person')
          .set({ totp_secret: secret, totp_pending: null, totp_step: step })
          .where('id', '=', id)
          .execute()
        await noteChange(transaction, now(), { person: name, action: 'second factor set up', subject: name })
      }),
    setTotp: (id, by) =>
      inStep(async (transaction) => {
        const { name } = await find(transaction, id)
        const secret = createTotpSecret()
        await transaction
          .updateTable('person')
          .set({ totp_secret: secret, totp_pending: null, totp_step: 0 })
          .where('id', '=', id)
          .execute()
        await endSessions(transaction, id)
        await noteChange(transaction, now(), { person: by, action: 'second factor set up', subject: name })
        return secret
      }),
    note: (entry) => noteChange(queries, now(), entry),
    async noteSignIn(entry) {
      if (keepNote(entry)) await writeNotes()
    },
    noteSignInLater(entry) {
      // The embedded database keeps everything else waiting while it writes, the answer too.
      if (keepNote(entry)) setImmediate(() => void writeNotes().catch(() => {}))
    },
    writeNotes,
    async audit() {
      await writeNotes()
      const newest = (kind: AuditKind) =>
        queries
          .selectFrom('audit')
          .select('id')
          .where('kind', '=', kind)
          .orderBy('id', 'desc')
          .limit(SHOWN_ENTRIES)
      return queries
        .selectFrom('audit')
        .select(['at', 'person', 'action', 'subject', 'kind'])
        .where((is) => is.or([is('id', 'in', newest('change')), is('id', 'in', newest('sign-in'))]))
        .orderBy('id', 'desc')
        .execute()
    },
  }
}
