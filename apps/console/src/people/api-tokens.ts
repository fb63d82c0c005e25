import { inTransaction } from '@hailstone/database'
import { noteChange } from './audit-log.ts'
import { assertActsAsOwner, type PersonStore } from './person-store.ts'
import { RefusedError } from './refused-error.ts'
import type { tokenRoles } from './roles.ts'
import { createSecret, hashOf } from './sessions.ts'
import { createTryLimit } from './try-limit.ts'

/** Begin of every token, by which programs that look for secrets find it. */
const PREFIX = 'hsc_'
export const API_TOKEN = /^hsc_[A-Za-z0-9_-]{43}$/
const [CALLS, WINDOW_MS, DAY_MS] = [60, 60_000, 86_400_000]
/** Tokens of a console. */
const MAX_TOKENS = 100

export type TokenRole = (typeof tokenRoles)[number]

export type ApiToken = {
  readonly id: number
  readonly label: string
  readonly role: TokenRole
  /** Name of the person who made it; it ends with this person. */
  readonly by: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly lastAt: Date | null
}

/** Tokens with which programs read the API, of which only hashes are kept. */
export type ApiTokens = {
  /**
   * Makes a token and returns its secret, which cannot be had again.
   *
   * @throws {RefusedError} if there are too many, and if the person that makes it is no owner any more
   */
  readonly add: (
    token: { readonly label: string; readonly role: TokenRole; readonly days: number },
    by: { readonly id: number; readonly name: string },
  ) => Promise<{ readonly id: number; readonly secret: string }>
  readonly list: () => Promise<readonly ApiToken[]>
  /** @throws {RefusedError} if there is no such token */
  readonly remove: (id: number, by: string | null) => Promise<void>
  /**
   * Returns the role of a secret, and the number of the person who made it; undefined if there is no such token.
   *
   * @throws {RefusedError} after 60 calls a minute
   */
  readonly find: (
    secret: string,
  ) => Promise<{ readonly role: TokenRole; readonly person: number } | undefined>
}

export function createApiTokens({
  queries,
  now,
  note,
}: Pick<PersonStore, 'queries' | 'now' | 'note'>): ApiTokens {
  const calls = createTryLimit({ tries: CALLS, windowMs: WINDOW_MS, now })
  return {
    async add({ label, role, days }, by) {
      const secret = `${PREFIX}${createSecret()}`
      const createdAt = new Date(now())
      const id = await inTransaction(queries, async (transaction) => {
        await assertActsAsOwner(transaction, by.name)
        const { count } = await transaction
          .selectFrom('api_token')
          .select(({ fn }) => fn.countAll<bigint>().as('count'))
          .executeTakeFirstOrThrow()
        if (count >= MAX_TOKENS) throw new RefusedError(409, `There are ${count} tokens. Remove one first.`)
        const row = await transaction
          .insertInto('api_token')
          .values({
            ...{ hash: hashOf(secret), label, role, created_by: by.id, created_at: createdAt },
            expires_at: new Date(now() + days * DAY_MS),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await noteChange(transaction, now(), {
          person: by.name,
          action: `token added as ${role}`,
          subject: label,
        })
        return row.id
      })
      return { id, secret }
    },
    async list() {
      const rows = await queries
        .selectFrom('api_token')
        .innerJoin('person', 'person.id', 'api_token.created_by')
        .select([
          ...(['api_token.id', 'label', 'api_token.role', 'name', 'api_token.created_at'] as const),
          ...(['expires_at', 'last_at'] as const),
        ])
        .orderBy('api_token.id')
        .execute()
      return rows.map(({ id, label, role, name, created_at, expires_at, last_at }) => ({
        ...{ id, label, role: role as TokenRole, by: name },
        ...{ createdAt: created_at, expiresAt: expires_at, lastAt: last_at },
      }))
    },
    async remove(id, by) {
      const row = await queries
        .deleteFrom('api_token')
        .where('id', '=', id)
        .returning('label')
        .executeTakeFirst()
      if (row === undefined) throw new RefusedError(404, 'There is no such token.')
      await note({ person: by, action: 'token removed', subject: row.label })
    },
    async find(secret) {
      if (!API_TOKEN.test(secret)) return undefined
      const row = await queries
        .selectFrom('api_token')
        .select(['id', 'role', 'last_at', 'created_by'])
        .where('hash', '=', hashOf(secret))
        .where('expires_at', '>', new Date(now()))
        .executeTakeFirst()
      if (row === undefined) return undefined
      const waitMs = calls(String(row.id))
      if (waitMs > 0)
        throw new RefusedError(429, `A token asks ${CALLS} times a minute at most.`, {
          retryAfterSeconds: Math.ceil(waitMs / 1000),
        })
      if (row.last_at === null || now() - row.last_at.getTime() > WINDOW_MS)
        await queries
          .updateTable('api_token')
          .set({ last_at: new Date(now()) })
          .where('id', '=', row.id)
          .execute()
      return { role: row.role as TokenRole, person: row.created_by }
    },
  }
}
