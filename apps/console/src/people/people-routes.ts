import { z } from 'zod'
import { plainLine } from '../plain-line.ts'
import type { ApiTokens } from './api-tokens.ts'
import { MAX_CHARACTERS } from './passwords.ts'
import type { Person, PersonStore } from './person-store.ts'
import { RefusedError } from './refused-error.ts'
import { type Role, roles, tokenRoles } from './roles.ts'
import type { Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'
import { base32Of, totpUri } from './totp.ts'
import type { Visitor } from './visitors.ts'

/** All that a request carries beside its body. */
export type PeopleContext = {
  readonly people: PersonStore
  readonly sessions: Sessions
  readonly tokens: ApiTokens
  readonly signIn: SignIn
  readonly visitor: Visitor | null
  /** Number in the path. */
  readonly id: number
  readonly address: string
  readonly isLocal: boolean
  /** Name of the console in authenticator apps. */
  readonly issuer: string
  /** Gives the browser a session, or takes it away. */
  readonly setSession: (secret: string | null) => Promise<void>
  /** Sign-in at a provider by the browser of the request; null without a provider. */
  readonly openId: {
    readonly begin: () => Promise<string>
    readonly giveCode: (code: string) => Promise<string>
    readonly endUrl: () => Promise<string | null>
  } | null
}

/** One request of the API: what it takes and answers, the least role, and the function behind it. */
export type PeopleRoute = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path as OpenAPI writes it. */
  readonly path: string
  readonly name: string
  readonly summary: string
  /** `anyone` is not asked for a session. */
  readonly role: Role | 'anyone'
  readonly body: z.ZodType | null
  readonly answer: z.ZodType | null
  readonly run: (context: PeopleContext, body: never) => Promise<unknown>
}

const role = z.enum(roles)
/** Limits alone: which texts are names and passwords is said by those who keep them. */
const name = z.string().min(1).max(200)
const password = z
  .string()
  .min(1)
  .max(2 * MAX_CHARACTERS)
const code = z.string().regex(/^\d{6}$/, 'six digits')
const time = z.iso.datetime()
const number = z.number().int()

const personSchema = z.object({
  ...{ id: number, name: z.string(), role, hasTotp: z.boolean(), createdAt: time },
})
const sessionSchema = z.object({
  person: z
    .object({ name: z.string(), hasTotp: z.boolean() })
    .nullable()
    .describe('Null for a link or a token.'),
  role,
  csrf: z.string().nullable().describe('Value of the header hailstone-csrf of every change.'),
})

const personText = ({ createdAt, ...person }: Person) => ({ ...person, createdAt: createdAt.toISOString() })

/** Returns the person that asks; tokens and links have none. */
function signedIn(visitor: Visitor | null) {
  if (visitor?.kind !== 'person') throw new RefusedError(403, 'This is for people who signed in by name.')
  return visitor
}

function provided(openId: PeopleContext['openId']) {
  if (openId === null) throw new RefusedError(404, 'The console has no provider of OpenID Connect.')
  return openId
}

/** Name of the one who changes something, for the audit log. */
const actorOf = (visitor: Visitor | null): string | null =>
  visitor?.kind === 'person' ? visitor.person.name : null

export const describeVisitor = (visitor: Visitor): z.infer<typeof sessionSchema> => ({
  person: visitor.kind === 'person' ? { name: visitor.person.name, hasTotp: visitor.person.hasTotp } : null,
  role: visitor.role,
  csrf: visitor.kind === 'token' ? null : visitor.csrf,
})

const define = <Body extends z.ZodType>(
  route: Omit<PeopleRoute, 'body' | 'run'> & {
    readonly body: Body
    readonly run: (context: PeopleContext, body: z.infer<Body>) => Promise<unknown>
  },
): PeopleRoute => route

const plain = (route: Omit<PeopleRoute, 'body'>): PeopleRoute => ({ ...route, body: null })

const own: readonly PeopleRoute[] = [
  plain({
    ...{ method: 'GET', path: '/v1/session', name: 'getSession', role: 'viewer', answer: sessionSchema },
    summary: 'Who is signed in, and with which role.',
    run: async ({ visitor }) => visitor && describeVisitor(visitor),
  }),
  define({
    ...{ method: 'POST', path: '/v1/sign-in', name: 'signIn', role: 'anyone', answer: null },
    summary: 'Opens a session and gives its cookie.',
    body: z.strictObject({ name, password, code: code.optional() }),
    async run({ signIn, address, isLocal, setSession }, body) {
      await setSession(await signIn.signIn({ ...body, address, isLocal }))
    },
  }),
  plain({
    ...{ method: 'POST', path: '/v1/oidc/start', name: 'beginOpenId', role: 'anyone' },
    summary: 'Begins a sign-in at the provider of OpenID Connect, which the browser is sent to.',
    answer: z.object({ url: z.string().describe('Address at the provider.') }),
    run: async ({ openId }) => ({ url: await provided(openId).begin() }),
  }),
  define({
    ...{ method: 'POST', path: '/v1/oidc/code', name: 'giveCode', role: 'anyone', answer: null },
    summary: 'Opens a session for who came from the provider and has a second factor here.',
    body: z.strictObject({ code }),
    run: async ({ openId, setSession }, body) => setSession(await provided(openId).giveCode(body.code)),
  }),
  plain({
    ...{ method: 'POST', path: '/v1/sign-out', name: 'signOut', role: 'viewer' },
    summary: 'Ends the session.',
    answer: z.object({
      next: z
        .string()
        .nullable()
        .describe('Address that ends the session at the provider, if it began there.'),
    }),
    async run({ openId, setSession }) {
      await setSession(null)
      // A provider that is away keeps nobody here.
      return { next: (await openId?.endUrl().catch(() => null)) ?? null }
    },
  }),
  define({
    ...{ method: 'POST', path: '/v1/password', name: 'changePassword', role: 'viewer', answer: null },
    summary: 'Changes the own password and ends all other sessions of the person.',
    body: z.strictObject({ password, newPassword: password }),
    async run({ visitor, people, signIn, address, isLocal, setSession, sessions }, body) {
      const { person } = signedIn(visitor)
      const judged = await signIn.provePassword(body.password, { name: person.name, address, isLocal })
      await setSession(await sessions.open(await people.changePassword(judged, body.newPassword)))
    },
  }),
  define({
    ...{ method: 'POST', path: '/v1/totp', name: 'beginTotp', role: 'viewer' },
    summary: 'Makes a secret of a second factor, which is in use when one code of it was confirmed.',
    body: z.strictObject({ password }),
    answer: z.object({ secret: z.string().describe('In base32.'), uri: z.string() }),
    async run({ visitor, people, signIn, address, isLocal, issuer }, body) {
      const { person } = signedIn(visitor)
      await signIn.provePassword(body.password, { name: person.name, address, isLocal })
      const secret = await people.beginTotp(person.id)
      return { secret: base32Of(secret), uri: totpUri(secret, { name: person.name, issuer }) }
    },
  }),
  define({
    ...{ method: 'POST', path: '/v1/totp/confirm', name: 'confirmTotp', role: 'viewer', answer: null },
    summary: 'Puts the second factor into use and ends all other sessions of the person.',
    body: z.strictObject({ code }),
    async run({ visitor, people, sessions }, body) {
      const { person, session } = signedIn(visitor)
      await people.confirmTotp(person, body.code)
      await sessions.endOthers(person.id, session)
    },
  }),
  plain({
    ...{ method: 'GET', path: '/v1/sessions', name: 'listSessions', role: 'viewer' },
    summary: 'Sessions of the person; an owner sees those of everybody.',
    answer: z.array(
      z.object({ ...{ id: number, name: z.string(), since: time, lastAt: time, isOwn: z.boolean() } }),
    ),
    async run({ visitor, sessions }) {
      if (visitor?.kind === 'link') return []
      const { person, session, role } = signedIn(visitor)
      const entries = await sessions.list(role === 'owner' ? undefined : person.id)
      return entries.map(({ id, name, since, lastAt }) => ({
        ...{ id, name, since: since.toISOString(), lastAt: lastAt.toISOString(), isOwn: id === session },
      }))
    },
  }),
  plain({
    ...{ method: 'DELETE', path: '/v1/sessions/{id}', name: 'endSession', role: 'viewer', answer: null },
    summary: 'Ends a session of the person; an owner ends that of anybody.',
    async run({ visitor, sessions, id }) {
      const { person, role } = signedIn(visitor)
      await sessions.endNumber(id, role === 'owner' ? undefined : person.id)
    },
  }),
]

const owners: readonly PeopleRoute[] = [
  plain({
    ...{ method: 'GET', path: '/v1/people', name: 'listPeople', role: 'owner' },
    summary: 'Everybody who can sign in.',
    answer: z.array(personSchema),
    run: async ({ people }) => (await people.list()).map(personText),
  }),
  define({
    ...{ method: 'POST', path: '/v1/people', name: 'addPerson', role: 'owner', answer: personSchema },
    summary: 'Adds a person. The first one is an owner; with it, links of the command no longer sign in.',
    body: z.strictObject({ name, role, password }),
    run: async ({ people, visitor }, body) => personText(await people.add(body, actorOf(visitor))),
  }),
  define({
    ...{
      method: 'PATCH',
      path: '/v1/people/{id}',
      name: 'changePerson',
      role: 'owner',
      answer: personSchema,
    },
    summary: 'Changes role, password or second factor of a person, and ends the sessions of the person.',
    body: z
      .strictObject({
        role: role.optional(),
        password: password.optional(),
        removeTotp: z.literal(true).optional(),
      })
      .refine((change) => Object.keys(change).length > 0, 'nothing to change'),
    run: async ({ people, visitor, id }, body) => personText(await people.change(id, body, actorOf(visitor))),
  }),
  plain({
    ...{ method: 'DELETE', path: '/v1/people/{id}', name: 'removePerson', role: 'owner', answer: null },
    summary: 'Removes a person with all sessions and tokens of the person.',
    run: ({ people, visitor, id }) => people.remove(id, actorOf(visitor)),
  }),
  plain({
    ...{ method: 'GET', path: '/v1/tokens', name: 'listTokens', role: 'owner' },
    summary: 'Tokens of the API, without their secrets.',
    answer: z.array(
      z.object({
        ...{ id: number, label: z.string(), role: z.enum(tokenRoles), by: z.string() },
        ...{ createdAt: time, expiresAt: time, lastAt: time.nullable() },
      }),
    ),
    async run({ tokens }) {
      return (await tokens.list()).map(({ createdAt, expiresAt, lastAt, ...token }) => ({
        ...token,
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        lastAt: lastAt?.toISOString() ?? null,
      }))
    },
  }),
  define({
    ...{ method: 'POST', path: '/v1/tokens', name: 'addToken', role: 'owner' },
    summary: 'Makes a token, which reads and changes nothing. Its secret is in this answer alone.',
    body: z.strictObject({
      label: plainLine(200),
      role: z.enum(tokenRoles),
      days: z.number().int().min(1).max(366),
    }),
    answer: z.object({ id: number, secret: z.string() }),
    run: ({ tokens, visitor }, body) => tokens.add(body, signedIn(visitor).person),
  }),
  plain({
    ...{ method: 'DELETE', path: '/v1/tokens/{id}', name: 'removeToken', role: 'owner', answer: null },
    summary: 'Ends a token.',
    run: ({ tokens, visitor, id }) => tokens.remove(id, actorOf(visitor)),
  }),
  plain({
    ...{ method: 'GET', path: '/v1/audit', name: 'listAudit', role: 'owner' },
    summary: 'The newest 200 sign-ins and the newest 200 changes. The same sign-in is noted once a minute.',
    answer: z.array(
      z.object({
        ...{ at: time, person: z.string().nullable(), action: z.string(), subject: z.string().nullable() },
        kind: z.enum(['sign-in', 'change']),
      }),
    ),
    run: async ({ people }) =>
      (await people.audit()).map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() })),
  }),
]

/** Every request about people, sessions and tokens; their description is printed from these. */
export const peopleRoutes: readonly PeopleRoute[] = [...own, ...owners]
