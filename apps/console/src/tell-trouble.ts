import type { Follower } from './open-follower.ts'

/** Heights and counts change with each look; the trouble stays the same. */
const kindOf = (sentence: string): string => sentence.replace(/\d+/g, '')

/**
 * Prints a sentence when the console begins to have trouble with its tables, the API or its alerts, when the trouble
 * becomes another one, and when it is over.
 *
 * @returns a function that ends it
 */
export function tellTrouble(
  follower: Pick<Follower, 'status' | 'subscribe'>,
  complain: (sentence: string) => void,
): () => void {
  let told: string | null = null
  return follower.subscribe(() => {
    const { failure, alertsFailure } = follower.status()
    const trouble = failure ?? alertsFailure
    const kind = trouble === null ? null : kindOf(trouble)
    if (kind === told) return
    told = kind
    complain(trouble ?? 'The console follows the chain again.')
  })
}
