import { addressBlock } from '@hailstone/runtime/node'
import type { JudgedPerson, PersonStore } from './person-store.ts'
import { nameKeyOf } from './person-store.ts'
import { RefusedError } from './refused-error.ts'
import { includesRole } from './roles.ts'
import type { Sessions } from './sessions.ts'
import { findTotpStep } from './totp.ts'
import { createTryLimit } from './try-limit.ts'

/** Time in which wrong tries are counted, in ms. */
const WINDOW_MS = 15 * 60_000
/**
 * Wrong tries within the window. A stranger closes a name for addresses of his own; many together close it for all but
 * the machine of the console.
 */
const TRIES = { ofNameAndAddress: 5, ofAddress: 20, ofSite: 100, ofName: 100 } as const
/** Groups of 16 bits of an IPv6 address that a site has: providers give whole networks of 48 bits. */
const SITE_GROUPS = 3

/** Facts about a try that limits are counted by. */
type TryPlace = {
  readonly name: string
  readonly address: string
  /** True if the page was opened on the machine of the console. */
  readonly isLocal: boolean
}

export type SignInParameters = TryPlace & {
  readonly password: string
  /** Code of the second factor. */
  readonly code?: string | undefined
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
    password: string,
    place: TryPlace,
  ) => Promise<JudgedPerson & { readonly name: string }>
}

const minutes = (ms: number): string => (ms <= 60_000 ? 'a minute' : `${Math.ceil(ms / 60_000)} minutes`)

export function createSignIn(people: PersonStore, sessions: Sessions): SignIn {
  const { queries, passwords, now } = people
  const limitOf = (tries: number, maxKeys?: number) =>
    createTryLimit({ tries, windowMs: WINDOW_MS, now, maxKeys })
  const byNameAndAddress = limitOf(TRIES.ofNameAndAddress)
  const byAddress = limitOf(TRIES.ofAddress)
  const bySite = limitOf(TRIES.ofSite)
  // Every try is a hash of a password, so there are no more names than can be hashed in the window: none is forgotten.
  const byName = limitOf(TRIES.ofName, Number.POSITIVE_INFINITY)

  /** Counts a try before it is judged, so that many at once are not more than many in a row. */
  function takeTry({ name, address, isLocal }: TryPlace) {
    const nameKey = nameKeyOf(name)
    // A proxy that does not pass on addresses is no reason to close this machine.
    const place = isLocal ? 'this machine' : addressBlock(address)
    const site = addressBlock(address, SITE_GROUPS)
    const here = [byNameAndAddress, `${place} ${nameKey}`] as const
    const counts = [
      ...([[byAddress, place], here] as const),
      ...(isLocal ? [] : ([[byName, nameKey]] as const)),
      ...(isLocal || !site.includes(':') ? [] : ([[bySite, site]] as const)),
    ]
    const giveBack = (taken: typeof counts): void => {
      for (const [limit, key] of taken) limit.giveBack(key)
    }
    for (const [at, [limit, key]] of counts.entries()) {
      const waitMs = limit.take(key)
      if (waitMs === 0) continue
      giveBack(counts.slice(0, at))
      throw new RefusedError(429, `Too many wrong tries. Try again in ${minutes(waitMs)}.`, {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      })
    }
    return {
      giveBack: () => giveBack(counts),
      /** Lets a right password forget wrong ones of the same place. */
      forget: () => here[0].clear(here[1]),
    }
  }

  /** Gives the try back if the check itself failed, e.g. without a database. */
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
    // A refused name that nobody has is noted once a minute for all of them, so a wait would tell which names exist.
    people.noteSignInLater({ person: null, action: 'sign-in refused', subject: person?.name ?? null })
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
      const taken = takeTry({ name, address, isLocal })
      const person = await judge(taken, () => judgePassword(name, password))
      if (person.totp_secret !== null) {
        if (code === undefined) {
          taken.giveBack()
          throw new RefusedError(401, 'Now the code of the second factor.', { needsCode: true })
        }
        if (!(await useCode(person, code))) {
          await people.noteSignIn({ person: null, action: 'sign-in refused: code', subject: person.name })
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
      taken.forget()
      await people.noteSignIn({ person: person.name, action: 'signed in', subject: null })
      return secret
    },
    async provePassword(password, place) {
      const { name } = place
      const taken = takeTry(place)
      const person = await judge(taken, () => judgePassword(name, password))
      taken.giveBack()
      return person
    },
  }
}
