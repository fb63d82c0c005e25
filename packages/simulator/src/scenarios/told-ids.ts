import type { NamedFleetReward } from '../real.ts'
import type { Run } from '../run/run.ts'
import { keyOf } from './booked-lines.ts'
import type { ToldBook } from './told-book.ts'

/** The rewards of one macroblock are told again, under the same ids, when they were not all taken. */
export function createToldIds(run: Run, book: ToldBook, forks: () => number) {
  const idOf = new Map<string, string>()
  let height: number | null = null
  let taken = new Set<string>()

  return {
    /** A program begins. */
    begins: (): void => {
      height = null
      taken = new Set()
    },
    rewarded: (reward: NamedFleetReward): void => {
      const { id } = reward
      const key = keyOf(reward)
      const before = idOf.get(key)
      if (before !== undefined && before !== id && forks() === 0)
        run.violate('I5', `webhooks: another id: ${id} for what was ${before}`)
      idOf.set(key, id)
      if (reward.height !== height) taken = new Set()
      height = reward.height
      if (taken.has(id)) return
      taken.add(id)
      book.rewarded(reward)
    },
    reverted: (reward: NamedFleetReward): void => {
      if (!taken.delete(`back ${reward.id}`)) book.reverted(reward)
      taken.add(`back ${reward.id}`)
    },
  }
}
