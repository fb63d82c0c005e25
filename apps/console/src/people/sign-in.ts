import type { PeopleTables } from './people-tables.ts'
import { type JudgedPerson, nameKeyOf, type PersonStore, personColumns } from './person-store.ts'
import { RefusedError } from './refused-error.ts'
import { includesRole } from './roles.ts'
import { PROVIDER_SESSION_MS, type Sessions } from './sessions.ts'
import { createSignInLimits, type TakenTry, type TryPlace } from './sign-in-limits.ts'
import { findTotpStep } from './totp.ts'

export type SignInParameters = TryPlace & {
  readonly password: string
  /** Code of the second factor. */
  readonly code?: string | undefined
}

/** A person as read for a sign-in. */
type FoundPerson = JudgedPerson & Pick<PeopleTables['person'], 'name' | 'totp_step'>

/** A person whom a provider proved. */
export type ProvedPerson = {
  readonly person: FoundPerson
  /** Makes the account at the provider the one of the person; undefined if it is already. @throws {RefusedError} */
  readonly link: (() => Promise<void>) | undefined
}

export type SignIn = {
  /**
   * Opens a session and returns its secret. A name that nobody has costs the same work as one that somebody has.
   *
   * @throws {RefusedError}
   */
  readonly signIn: (parameters: SignInParameters) => Promise<string>
  /**
   * The same for a person whom a provider proved; the session ends after 12 hours. `hasSecondFactor` is true if the
   * provider asked for one.
   *
   * @throws {RefusedError}
   */
  readonly signInProved: (
    proved: ProvedPerson,
    parameters: Pick<SignInParameters, 'address' | 'isLocal' | 'code'> & {
      readonly hasSecondFactor?: boolean
    },
  ) => Promise<string>
  /** Asserts that a signed-in person knows the password, and returns the person as judged. @throws {RefusedError} */
  readonly provePassword: (
    password: string,
    place: TryPlace,
  ) => Promise<JudgedPerson & { readonly name: string }>
}

export function createSignIn(people: PersonStore, sessions: Sessions): SignIn {
  const { queries, passwords, now } = people
  const limits = createSignInLimits(people)

  /** Gives the try back if the check itself failed, e.g. without a database. */
  async function judge<Result>(taken: TakenTry, step: () => Promise<Result>) {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status === 503) await taken.giveBack().catch(() => {})
      throw error
    }
  }

  async function judgePassword(name: string, password: string): Promise<FoundPerson> {
    const person = await queries
      .selectFrom('person')
      .select(personColumns)
      .where('name_key', '=', nameKeyOf(name))
      .executeTakeFirst()
    const isRight = await passwords.check(password, person?.password)
    if (person !== undefined && isRight) return person
    // A refused name that nobody has is noted once a minute for all of them, so a wait would tell which names exist.
    people.noteSignInLater({ person: null, action: 'sign-in refused', subject: person?.name ?? null })
    throw new RefusedError(401, 'The name or the password is wrong.')
  }

  /** One statement: of two requests with the same code, one finds it used. */
  async function useCode(person: FoundPerson, code: string): Promise<boolean> {
    const { id, totp_secret: secret, totp_step: after } = person
    const step = secret === null ? undefined : findTotpStep(secret, code, { nowMs: now(), after })
    if (step === undefined) return false
    const { numUpdatedRows } = await queries
      .updateTable('person')
      .set({ totp_step: step })
      .where('id', '=', id)
      .where('totp_step', '<', step)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** Asserts the second factor of a person who is proved otherwise. */
  async function assertSecondFactor(
    person: FoundPerson,
    taken: TakenTry | undefined,
    { code, isLocal }: Pick<SignInParameters, 'code' | 'isLocal'>,
  ): Promise<void> {
    if (person.totp_secret !== null) {
      if (code === undefined) {
        await taken?.giveBack()
        throw new RefusedError(401, 'Now the code of the second factor.', { needsCode: true })
      }
      if (!(await useCode(person, code))) {
        await people.noteSignIn({ person: null, action: 'sign-in refused: code', subject: person.name })
        throw new RefusedError(401, 'The code is wrong, or was used.', { needsCode: true })
      }
    } else if (!isLocal && includesRole(person.role, 'admin')) {
      await taken?.giveBack()
      throw new RefusedError(
        403,
        `From another machine an ${person.role} needs a second factor: "npm run console -- people totp NAME" on the machine of the console makes one.`,
      )
    }
  }

  async function openSession(
    person: FoundPerson,
    taken: TakenTry | undefined,
    open: () => Promise<string>,
  ): Promise<string> {
    const secret = await (taken === undefined ? open() : judge(taken, open))
    await taken?.forget()
    await people.noteSignIn({ person: person.name, action: 'signed in', subject: null })
    return secret
  }

  return {
    async signIn({ name, password, ...more }) {
      const taken = await limits.take({ name, ...more })
      const person = await judge(taken, () => judgePassword(name, password))
      await assertSecondFactor(person, taken, more)
      return await openSession(person, taken, () => sessions.open(person))
    },
    async signInProved({ person, link }, { hasSecondFactor = false, ...more }) {
      // What no code is asked for has no tries that strangers could use up.
      const needsNoCode = hasSecondFactor || person.totp_secret === null
      const taken = needsNoCode ? undefined : await limits.take({ name: person.name, ...more })
      if (!hasSecondFactor) await assertSecondFactor(person, taken, more)
      return await openSession(person, taken, async () => {
        await link?.()
        return await sessions.open(person, PROVIDER_SESSION_MS)
      })
    },
    async provePassword(password, place) {
      const { name } = place
      const taken = await limits.take(place)
      const person = await judge(taken, () => judgePassword(name, password))
      await taken.giveBack()
      return person
    },
  }
}
