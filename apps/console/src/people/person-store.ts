import { inTransaction } from '@hailstone/database'
import type { ExpressionBuilder, UpdateObject } from 'kysely'
import { type AuditLog, createAuditLog, noteChange } from './audit-log.ts'
import { createPasswords, type DeriveKey, type PasswordCost, type Passwords } from './passwords.ts'
import type { PeopleQueries, PeopleTables } from './people-tables.ts'
import { nameOf } from './person-name.ts'
import { RefusedError } from './refused-error.ts'
import { includesRole, type Role, tokenRoles } from './roles.ts'
import { createTotpSecret, findTotpStep } from './totp.ts'

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

/** Name of the person that acts; null for the command. */
type Actor = string | null

/** People of the console, their passwords and second factors, and what they did. */
export type PersonStore = AuditLog & {
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
}

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

/** A change of the people within one transaction. */
type Change = {
  readonly transaction: PeopleQueries
  readonly now: number
  readonly by: Actor
}

const noteOf = ({ transaction, now, by }: Change, action: string, subject: string): Promise<void> =>
  noteChange(transaction, now, { person: by, action, subject })

async function find(queries: PeopleQueries, id: number): Promise<Row> {
  const row = await queries.selectFrom('person').select(columns).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw nobody()
  return row
}

const update = (
  queries: PeopleQueries,
  id: number,
  values: UpdateObject<PeopleTables, 'person'>,
): Promise<Row | undefined> =>
  queries.updateTable('person').set(values).where('id', '=', id).returning(columns).executeTakeFirst()

const endSessions = (transaction: PeopleQueries, id: number) =>
  transaction.deleteFrom('session').where('person', '=', id).execute()

/** Finds somebody, other than the person with the number. */
const findAnybody = (queries: PeopleQueries, than = 0) =>
  queries.selectFrom('person').select('id').where('id', '<>', than).limit(1).executeTakeFirst()

/** @param person with the hash of the password */
async function addPerson(
  change: Change,
  person: Pick<PeopleTables['person'], 'name' | 'role' | 'password'>,
): Promise<Person> {
  const { transaction, now, by } = change
  const { name, role } = person
  await assertActsAsOwner(transaction, by)
  if (role !== 'owner' && (await findAnybody(transaction)) === undefined)
    throw new RefusedError(409, 'The first person is an owner, who can add others.')
  const row = await transaction
    .insertInto('person')
    .values({
      ...{ ...person, name_key: nameKeyOf(name), created_at: new Date(now) },
      ...{ totp_secret: null, totp_pending: null, totp_step: 0, subject: null },
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  await noteOf(change, `person added as ${role}`, name)
  return personOf(row)
}

/** @param password as a hash */
async function changePerson(
  change: Change,
  id: number,
  { role, password, removeTotp = false }: PersonChange,
): Promise<Person> {
  const { transaction, by } = change
  await assertActsAsOwner(transaction, by)
  const before = await find(transaction, id)
  if (before.role === 'owner' && role !== undefined && role !== 'owner')
    await assertOtherOwner(transaction, id)
  const row = await update(transaction, id, {
    ...(role === undefined ? {} : { role }),
    ...(password === undefined ? {} : { password, totp_pending: null, subject: null }),
    ...(removeTotp ? { totp_secret: null, totp_pending: null } : {}),
  })
  if (row === undefined) throw nobody()
  await endSessions(transaction, id)
  const removed = role === undefined ? 0 : await removeTokensAbove(transaction, id, role)
  const changes = [
    ...(role === undefined ? [] : [`role ${role}`]),
    ...(removed === 0 ? [] : [`${removed} ${removed === 1 ? 'token' : 'tokens'} removed`]),
    ...(password === undefined ? [] : ['password']),
    ...(removeTotp ? ['second factor removed'] : []),
  ]
  await noteOf(change, `person changed: ${changes.join(', ')}`, before.name)
  return personOf(row)
}

/** @param password as a hash */
async function setPassword(
  change: Change,
  judged: JudgedPerson & Pick<Person, 'name'>,
  password: string,
): Promise<void> {
  const { transaction } = change
  const row = await transaction
    .updateTable('person')
    .set({ password, totp_pending: null })
    .where(isAsJudged(judged))
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) throw changedMeanwhile()
  await endSessions(transaction, judged.id)
  await noteOf(change, 'person changed: password', judged.name)
}

async function removePerson(change: Change, id: number, isLast: boolean): Promise<void> {
  const { transaction, by } = change
  await assertActsAsOwner(transaction, by)
  const { name, role } = await find(transaction, id)
  const isAlone = (await findAnybody(transaction, id)) === undefined
  if (role === 'owner' && !(isLast && isAlone)) await assertOtherOwner(transaction, id)
  await transaction.deleteFrom('person').where('id', '=', id).execute()
  await noteOf(change, 'person removed', name)
}

async function confirmTotp(
  change: Change,
  { id, name }: Pick<Person, 'id' | 'name'>,
  code: string,
): Promise<void> {
  const { transaction, now } = change
  const row = await transaction
    .selectFrom('person')
    .select('totp_pending')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  const secret = row?.totp_pending
  if (secret == null) throw new RefusedError(409, 'Ask for a new secret first.')
  const step = findTotpStep(secret, code, { nowMs: now, after: 0 })
  if (step === undefined)
    throw new RefusedError(400, 'This is no code of the new secret. Is the clock of the device right?')
  await update(transaction, id, { totp_secret: secret, totp_pending: null, totp_step: step })
  await noteOf(change, 'second factor set up', name)
}

async function setTotp(change: Change, id: number): Promise<Buffer> {
  const { transaction } = change
  const { name } = await find(transaction, id)
  const secret = createTotpSecret()
  await update(transaction, id, { totp_secret: secret, totp_pending: null, totp_step: 0 })
  await endSessions(transaction, id)
  await noteOf(change, 'second factor set up', name)
  return secret
}

/** @param parameters.cost of passwords that are made from now on */
export function createPersonStore(parameters: {
  readonly queries: PeopleQueries
  readonly now?: (() => number) | undefined
  readonly cost?: PasswordCost | undefined
  readonly derive?: DeriveKey | undefined
}): PersonStore {
  const { queries, now = Date.now, cost, derive } = parameters
  const passwords = createPasswords({ cost, derive })
  const inStep = <Result>(by: Actor, step: (change: Change) => Promise<Result>): Promise<Result> =>
    inTransaction(queries, (transaction) => step({ transaction, now: now(), by }))
  return {
    ...createAuditLog({ queries, now }),
    queries,
    passwords,
    now,
    hasAny: async () => (await findAnybody(queries)) !== undefined,
    async list() {
      const rows = await queries.selectFrom('person').select(columns).orderBy('name_key').execute()
      return rows.map(personOf)
    },
    async add({ role, ...given }, by) {
      const name = nameOf(given.name)
      const password = await passwords.hash(given.password, name)
      return inStep(by, (change) => addPerson(change, { name, role, password })).catch((error: unknown) => {
        throw isTaken(error) ? new RefusedError(409, 'This name is taken.') : error
      })
    },
    async change(id, { password: text, ...more }, by) {
      const { name } = await find(queries, id)
      const password = text === undefined ? undefined : await passwords.hash(text, name)
      return inStep(by, (change) => changePerson(change, id, { ...more, password }))
    },
    async changePassword(judged, text) {
      const password = await passwords.hash(text, judged.name)
      await inStep(judged.name, (change) => setPassword(change, judged, password))
      return { ...judged, password }
    },
    remove: (id, by, { isLast = false } = {}) => inStep(by, (change) => removePerson(change, id, isLast)),
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
      await update(queries, id, { totp_pending: secret })
      return secret
    },
    confirmTotp: (person, code) => inStep(person.name, (change) => confirmTotp(change, person, code)),
    setTotp: (id, by) => inStep(by, (change) => setTotp(change, id)),
  }
}
