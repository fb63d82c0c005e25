import type { Client } from '@hailstone/client'
import { inTransaction } from '@hailstone/database'
import { isNodeError } from '@hailstone/protocol'
import type { Kysely } from 'kysely'
import type { TokenRules } from './facts.ts'
import type { Schema } from './schema.ts'
import { holdCursor } from './store/cursor.ts'
import { addOwnerUndo } from './store/undo.ts'

/**
 * Keeps the native balance of each token's owner, who pays a fee for every transfer. Skips a balance that the API does
 * not return.
 *
 * @throws {NodeError} `STORE_INVALID` if another process took over
 */
export async function noteOwners(
  queries: Kysely<Schema>,
  client: Client,
  context: {
    readonly holder: string
    readonly tokens: ReadonlyMap<number, TokenRules>
    readonly signal?: AbortSignal | undefined
  },
): Promise<void> {
  const { holder, tokens, signal } = context
  const tip = await queries
    .selectFrom('block')
    .select(['height', 'day'])
    .orderBy('height', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (tip === undefined) return
  for (const { id, owner } of tokens.values()) {
    const amount = await client.getBalance({ address: owner, signal }).then(
      (balance) => balance.amount,
      (error: unknown) => {
        signal?.throwIfAborted()
        if (isNodeError(error)) return undefined
        throw error
      },
    )
    if (amount === undefined) continue
    const row = { height: tip.height, amount }
    await inTransaction(queries, async (transaction) => {
      await holdCursor(transaction, holder)
      const before = await transaction
        .selectFrom('owner_balance')
        .selectAll()
        .where('token', '=', id)
        .where('day', '=', tip.day)
        .executeTakeFirst()
      // What the first look at this height found is what a change of branch has to put back.
      if (before?.height !== tip.height)
        await addOwnerUndo(transaction, { token: id, ...tip }, before ?? null)
      await transaction
        .insertInto('owner_balance')
        .values({ token: id, day: tip.day, ...row })
        .onConflict((conflict) => conflict.columns(['token', 'day']).doUpdateSet(row))
        .execute()
    })
  }
}
