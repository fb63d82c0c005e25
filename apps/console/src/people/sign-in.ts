import type { JudgedPerson, PersonStore } from './person-store.ts'
import { nameKeyOf } from './person-store.ts'
import { RefusedError } from './refused-error.ts'
import { includesRole } from './roles.ts'
import type { Sessions } from './sessions.ts'
import { findTotpStep } from './totp.ts'
import { addressKey, createTryLimit } from './try-limit.ts'

/** Wrong tries within the window, for each name and for each address. */
const [TRIES_OF_NAME, TRIES_OF_ADDRESS, WINDOW_MS] = [5, 20, 15 * 60_000]

export type SignInParameters = {
  readonly name: string
  readonly password: string
  /** Code of the second factor. */
  readonly code?: string | undefined
  readonly address: string
  /** True if the page was opened on the machine of the console. */
  readonly isLocal: boolean
}

export type SignIn = {
  /**
   * Opens a session and returns its secret. A name that nobody has costs the same work as one that somebody has.
   *
   * @throws {RefusedError}
   */
  readonly signIn: (parameters: SignInParameters) => Promise<string>
  /** Asserts that a signed-in person knows the password, and returns the person as judged. @throws {RefusedError} */
  readonly provePassword: (
    name: string,
    password: string,
    address: string,
  ) => Promise<JudgedPerson & { readonly name: string }>
}

const minutes = (ms: number): string => (ms <= 60_000 ? 'a minute' : `${Math.ceil(ms / 60_000)} minutes`)

export function createSignIn(people: PersonStore, sessions: Sessions): SignIn {
  const { queries, passwords, now } = people
  const byName = createTryLimit({ tries: TRIES_OF_NAME, windowMs: WINDOW_MS, now })
  const byAddress = createTryLimit({ tries: TRIES_OF_ADDRESS, windowMs: WINDOW_MS, now })

  /** Counts a try before it is judged, so that many at once are not more than many in a row. */
  function takeTry(name: string, address: string): { readonly giveBack: () => void } {
    const [nameKey, place] = [nameKeyOf(name), addressKey(address)]
    const refuse = (waitMs: number): never => {
      throw new RefusedError(429, `Too many wrong tries. Try again in ${minutes(waitMs)}.`, {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      })
    }
    const waitMs = byAddress.take(place)
    if (waitMs > 0) return refuse(waitMs)
    const nameWaitMs = byName.take(nameKey)
    if (nameWaitMs > 0) return refuse(nameWaitMs)
    return {
      giveBack() {
        byName.giveBack(nameKey)
        byAddress.giveBack(place)
      },
    }
  }

  /** A try that could not be judged, as while the database is away, is none. */
  async function judge<Result>(taken: ReturnType<typeof takeTry>, step: () => Promise<Result>) {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status === 503) taken.giveBack()
      throw error
    }
  }

  async function judgePassword(name: string, password: string) {
    const person = await queries
      .selectFrom('person')
      .select(['id', 'name', 'role', 'password', 'totp_secret', 'totp_step'])
      .where('name_key', '=', nameKeyOf(name))
      .executeTakeFirst()
    const isRight = await passwords.check(password, person?.password)
    if (person !== undefined && isRight) return person
    await people.note({ person: null, action: 'sign-in refused', subject: person?.name ?? null })
    throw new RefusedError(401, 'The name or the password is wrong.')
  }

  /** One statement: of two requests with the same code, one finds it used. */
  async function useCode(person: Awaited<ReturnType<typeof judgePassword>>, code: string): Promise<boolean> {
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

  return {
    async signIn({ name, password, code, address, isLocal }) {
      const taken = takeTry(name, address)
      const person = await judge(taken, () => judgePassword(name, password))
      if (person.totp_secret !== null) {
        if (code === undefined) {
          taken.giveBack()
          throw new RefusedError(401, 'Now the code of the second factor.', { needsCode: true })
        }
        if (!(await useCode(person, code))) {
          await people.note({ person: null, action: 'sign-in refused: code', subject: person.name })
          throw new RefusedError(401, 'The code is wrong, or was used.', { needsCode: true })
        }
      } else if (!isLocal && includesRole(person.role, 'admin')) {
        taken.giveBack()
        throw new RefusedError(
          403,
          `From another machine an ${person.role} needs a second factor: "npm run console -- people totp NAME" on the machine of the console makes one.`,
        )
      }
      const secret = await judge(taken, () => sessions.open(person))
      taken.giveBack()
      byName.clear(nameKeyOf(name))
      await people.note({ person: person.name, action: 'signed in', subject: null })
      return secret
    },
    async provePassword(name, password, address) {
      const taken = takeTry(name, address)
      const person = await judge(taken, () => judgePassword(name, password))
      taken.giveBack()
      return person
    },
  }
}
