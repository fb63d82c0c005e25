import { isCollision } from './connection-loss.ts'
import type { Queries } from './queries.ts'

const MAX_COLLISIONS = 20

/** Runs the whole transaction again when it met another one, as engines that let nobody wait demand it. */
export async function inTransaction<T>(
  queries: Queries,
  step: (transaction: Queries) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await queries.transaction().execute(step)
    } catch (error) {
      if (!isCollision(error) || attempt === MAX_COLLISIONS) throw error
    }
  }
}
