import { sql } from 'kysely'
import { type Follower, readToken, type ShownToken } from '../open-follower.ts'
import type { FigureContext } from './figure.ts'
import { tipAge } from './tip-age.ts'

export type Snapshot<Data> = {
  readonly data: Data
  /** Newest macroblock that the data was computed from; null before the first. */
  readonly tip: Tip | null
  /** The token as it was in the same tables. */
  readonly token: ShownToken
}

export type Tip = {
  readonly height: number
  /** Of its key block, which says nothing of what the macroblock holds. */
  readonly hash: string
  /** Of the key block after it, which commits to what it holds. */
  readonly nextHash: string
  /** Unix seconds. */
  readonly time: number
  readonly ageSeconds: number
}

/**
 * Computes figures in one transaction that reads: a macroblock that arrives between two questions is in none of them.
 *
 * @param parameters.nowMs Unix milliseconds
 */
export async function readSnapshot<Data>(
  { follower, nowMs }: { readonly follower: Pick<Follower, 'index' | 'token'>; readonly nowMs: number },
  compute: (context: FigureContext) => Promise<Data>,
): Promise<Snapshot<Data>> {
  const { index } = follower
  const { id, nativeFee } = follower.token
  return index.queries.transaction().execute(async (queries) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(queries)
    // A server compiles what it believes to be a long question, for longer than any of these takes.
    await sql`set local jit = off`.execute(queries)
    const tip = await queries
      .selectFrom('block')
      .select(['height', 'hash', 'next_hash', 'time', 'day'])
      .orderBy('height', 'desc')
      .limit(1)
      .executeTakeFirst()
    // Its number is read with the figures: a rebuild may have given it another one since the newest look.
    const token = await readToken(queries, id, nativeFee)
    const { total_supply: supply } = await queries
      .selectFrom('token')
      .select('total_supply')
      .where('id', '=', token.number)
      .executeTakeFirstOrThrow()
    const time = tip === undefined ? null : Number(tip.time)
    const ageSeconds =
      tip === undefined || time === null ? null : tipAge(index, { hash: tip.hash, time }, { nowMs })
    const today = tip?.day ?? -1
    const data = await compute({ queries, token, supply, today, tipTime: time, tipAgeSeconds: ageSeconds })
    if (tip === undefined || time === null || ageSeconds === null) return { data, token, tip: null }
    return {
      data,
      token,
      tip: { height: tip.height, hash: tip.hash, nextHash: tip.next_hash, time, ageSeconds },
    }
  })
}
