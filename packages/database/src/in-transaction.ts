import type { Kysely } from 'kysely'
import { isCollision } from './connection-loss.ts'

const MAX_COLLISIONS = 20

/** Runs the whole transaction again when it met another one, as engines that let nobody wait demand it. */
export async function inTransaction<Schema, T>(
  queries: Kysely<Schema>,
  step: (transaction: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await queries.transaction().execute(step)
    } catch (error) {
      if (!isCollision(error) || attempt === MAX_COLLISIONS) throw error
    }
  }
}
