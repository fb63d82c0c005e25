import type { Client } from '@hailstone/client'
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

export type Ancestor = { readonly height: number; readonly hash: string; readonly nextHash: string }

/**
 * Finds the newest block that this index and the API share, with the key block that commits to it: by steps that double,
 * then by halves. Undefined if they share none. The branch above it is linked to it by the walk, so an API that lies here
 * is found out there.
 */
export async function findAncestor(
  queries: Kysely<Schema>,
  client: Client,
  { below, signal }: { readonly below: number; readonly signal?: AbortSignal | undefined },
): Promise<Ancestor | undefined> {
  const first = await queries
    .selectFrom('block')
    .select(({ fn }) => fn.min('height').as('height'))
    .executeTakeFirst()
  const lowest = first?.height ?? below
  const shared = async (height: number): Promise<Ancestor | undefined> => {
    const own = await queries
      .selectFrom('block')
      .select(['hash', 'next_hash'])
      .where('height', '=', height)
      .executeTakeFirst()
    const theirs = await client.getMacroblock({ height: height + 1, signal })
    if (own === undefined || own.next_hash !== theirs?.keyBlock.hash) return undefined
    return { height, hash: own.hash, nextHash: own.next_hash }
  }
  let high = below
  let found: Ancestor | undefined
  for (let step = 1; found === undefined; step *= 2) {
    const height = Math.max(lowest, below - step)
    found = await shared(height)
    if (found !== undefined) break
    if (height === lowest) return undefined
    high = height
  }
  while (high - found.height > 1) {
    const middle = Math.floor((high + found.height) / 2)
    const at = await shared(middle)
    if (at === undefined) high = middle
    else found = at
  }
  return found
}
