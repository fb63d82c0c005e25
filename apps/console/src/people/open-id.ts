import { addressBlock } from '@hailstone/runtime/node'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IDToken } from 'openid-client'
import { isMailAddress } from '../alerts/send-mail.ts'
import { createOpenIdClient, type Expected, type OpenIdSettings } from './open-id-client.ts'
import { isAsJudged, type PersonStore, personColumns } from './person-store.ts'
import { RefusedError } from './refused-error.ts'
import { createSecret, PROVIDER_SESSION_MS } from './sessions.ts'
import type { ProvedPerson, SignIn } from './sign-in.ts'
import { createTryLimit } from './try-limit.ts'
import { cookieOf, cookieValue, originOf } from './visitors.ts'

/** Time for a visit to the provider, in ms, visits that are kept, and those that one address begins in the time of one. */
const [VISIT_MS, MAX_VISITS, MAX_OF_ADDRESS] = [10 * 60_000, 10_000, 30]

/** Address that the provider sends browsers back to. */
export const CALLBACK = '/v1/oidc/callback'

const OWN_FAILURE = 'The console could not finish the sign-in, by a fault of its own. Try again in a minute.'

/** One visit of a browser to the provider. */
type Visit = {
  readonly until: number
  /** Taken away by the first answer. */
  readonly expected?: Expected
  /** Sentence of what went wrong. */
  readonly failure?: string
  /** The person whom the provider proved, while the code of the second factor is awaited. */
  readonly proved?: ProvedPerson
  /** For the end of the session at the provider. */
  readonly idToken?: string
}

/** Keeps visits by the secrets of cookies, which pages of the provider may lead back with; the oldest make room. */
function createVisits(now: () => number) {
  const visits = new Map<string, Visit>()
  return {
    /** Keeps a visit under a new secret and returns the cookie: nobody who saw an earlier one has it. */
    keep(request: FastifyRequest, visit: Visit): string {
      const secret = createSecret()
      visits.set(secret, visit)
      for (const [key, { until }] of visits) {
        if (until > now() && visits.size <= MAX_VISITS) break
        visits.delete(key)
      }
      return cookieOf(request, { use: 'provider', secret })
    },
    find(request: FastifyRequest): Visit | undefined {
      const visit = visits.get(cookieValue(request, 'provider') ?? '')
      return visit === undefined || visit.until < now() ? undefined : visit
    },
    end: (request: FastifyRequest) => visits.delete(cookieValue(request, 'provider') ?? ''),
  }
}

/**
 * Finds the person of a subject. One that is not known yet is the person whose name is the verified e-mail address;
 * `link` makes this person the one of the subject, once everything that a sign-in asks for was given.
 */
async function findPerson(
  { queries, note }: PersonStore,
  claims: IDToken,
  provider: string,
): Promise<ProvedPerson> {
  const subject = JSON.stringify([claims.iss, claims.sub])
  const people = queries.selectFrom('person').select(personColumns)
  const known = await people.where('subject', '=', subject).executeTakeFirst()
  if (known !== undefined) return { person: known, link: undefined }
  const { email } = claims
  // Other alphabets have letters that become these ones when a name is looked for.
  if (typeof email !== 'string' || !isMailAddress(email) || claims.email_verified !== true)
    throw new RefusedError(403, `${provider} names no e-mail address of yours that it verified.`)
  const nobody = (): RefusedError =>
    new RefusedError(
      403,
      `Nobody here has the name ${email}, or somebody else at ${provider} has it. Ask an owner of the console.`,
    )
  const person = await people
    .where('name_key', '=', email.toLowerCase())
    .where('subject', 'is', null)
    .executeTakeFirst()
  if (person === undefined) throw nobody()
  const link = async (): Promise<void> => {
    const { numUpdatedRows } = await queries
      .updateTable('person')
      .set({ subject })
      .where(isAsJudged(person))
      // Two browsers of one person may be on their way.
      .where((is) => is.or([is('subject', 'is', null), is('subject', '=', subject)]))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw nobody()
    await note({ person: null, action: `linked to ${provider}`, subject: person.name })
  }
  return { person, link }
}

/** Returns a failure of the provider as a sentence for who signs in. */
function inWords(error: unknown, provider: string): RefusedError {
  const { code, error: refusal, cause } = error as Record<'code' | 'error', unknown> & Partial<Error>
  const plain = (text: unknown): string =>
    String(text)
      .replace(/[^\w.-]/g, '')
      .slice(0, 60)
  if (refusal !== undefined)
    return new RefusedError(401, `${provider} refused the sign-in (${plain(refusal)}).`)
  const why = plain((cause as { readonly code?: unknown } | undefined)?.code ?? code)
  return new RefusedError(
    503,
    `${provider} does not answer, or its answer is not valid (${why}). Try again, or sign in with name and password.`,
  )
}

export type OpenId = ReturnType<typeof createOpenId>

/** Sign-in at a provider of OpenID Connect: for people of the console alone, with the roles that they have here. */
export function createOpenId(parameters: {
  readonly settings: OpenIdSettings
  readonly people: PersonStore
  readonly signIn: SignIn
}) {
  const { settings, people, signIn } = parameters
  const { name: provider, hasSecondFactor } = settings
  const { now } = people
  const client = createOpenIdClient(settings, now)
  const visits = createVisits(now)
  const limit = createTryLimit({ tries: MAX_OF_ADDRESS, windowMs: VISIT_MS, now })
  const placeOf = ({ ip, side }: FastifyRequest) => ({ address: ip, isLocal: side === 'here' })

  const orInWords = (error: unknown): never => {
    throw inWords(error, provider)
  }

  /** Keeps the ID token for the end of the session, and returns the cookie. */
  const keepIdToken = (request: FastifyRequest, idToken: string): string =>
    visits.keep(request, { until: now() + PROVIDER_SESSION_MS, idToken })

  /** Judges an answer of the provider, and returns the cookies of the browser. */
  async function judge(request: FastifyRequest, expected: Expected): Promise<readonly string[]> {
    const { claims, idToken } = await client
      .prove(new URL(request.url, expected.redirectUri).search, expected)
      .catch(orInWords)
    const proved = await findPerson(people, claims, provider)
    if (!hasSecondFactor && proved.person.totp_secret !== null)
      return [visits.keep(request, { until: now() + VISIT_MS, proved, idToken })]
    const secret = await signIn.signInProved(proved, { ...placeOf(request), hasSecondFactor })
    return [keepIdToken(request, idToken), cookieOf(request, { secret })]
  }

  return {
    /** Returns the address at the provider, and the cookie that binds its answer to this browser. */
    async begin(request: FastifyRequest) {
      const retryAfterSeconds = Math.ceil(limit(addressBlock(request.ip)) / 1000)
      if (retryAfterSeconds > 0)
        throw new RefusedError(429, 'Too many sign-ins. Try again in some minutes.', { retryAfterSeconds })
      const { url, expected } = await client.begin(`${originOf(request)}${CALLBACK}`).catch(orInWords)
      return { url, cookie: visits.keep(request, { until: now() + VISIT_MS, expected }) }
    },
    /** Takes the answer that a browser brings, and sends it to the page, whatever the address says. */
    async takeAnswer(request: FastifyRequest, reply: FastifyReply) {
      const { expected } = visits.find(request) ?? {}
      if (expected === undefined) return reply.redirect('/', 303)
      visits.end(request)
      const cookies = await judge(request, expected).catch((error: unknown) => {
        people.noteSignInLater({ person: null, action: `sign-in refused: ${provider}`, subject: null })
        // Whatever else fails here is the console's own, such as its tables.
        const failure = error instanceof RefusedError ? error.message : OWN_FAILURE
        return [visits.keep(request, { until: now() + VISIT_MS, failure })]
      })
      return reply.header('set-cookie', cookies).redirect('/', 303)
    },
    /** Opens a session for the person whom the provider proved. @throws {RefusedError} */
    async giveCode(request: FastifyRequest, code: string) {
      const { proved, idToken = '' } = visits.find(request) ?? {}
      if (proved === undefined)
        throw new RefusedError(401, `The sign-in at ${provider} is too old. Begin again.`)
      const secret = await signIn.signInProved(proved, { ...placeOf(request), code })
      visits.end(request)
      return { secret, cookie: keepIdToken(request, idToken) }
    },
    /** Facts for the page of who is not signed in. */
    facts(request: FastifyRequest): Readonly<Record<string, string | boolean>> {
      const { failure, proved } = visits.find(request) ?? {}
      return { provider, ...(failure === undefined ? {} : { failure }), needsCode: proved !== undefined }
    },
    /** Returns the address that ends the session at the provider; null for who did not sign in there. */
    async endUrl(request: FastifyRequest): Promise<string | null> {
      const { idToken } = visits.find(request) ?? {}
      visits.end(request)
      return idToken === undefined ? null : await client.endUrl(idToken, `${originOf(request)}/`)
    },
  }
}
