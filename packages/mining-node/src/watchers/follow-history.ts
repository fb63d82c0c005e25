import { type EarningReading, readAccount } from './account-reading.ts'
import { createDeliveries } from './deliver.ts'
import { HistoryFollower } from './history-follower.ts'
import { indexOf } from './reward-cursor.ts'
import type { FollowHistoryParameters, RewardWatch } from './reward-watch.ts'
import { watchHandle } from './watch-handle.ts'

/**
 * Follows a history: read at once and after macroblocks whose rewards were booked. The cursor moves only when a
 * reward was handed out, page by page, so a failure in between loses and repeats nothing and a long backlog is worked off in
 * parts. A history that lacks what was handed out belongs to a chain that was reorganised: reverted rewards are
 * delivered first.
 */
export function followHistory(parameters: FollowHistoryParameters): RewardWatch & EarningReading {
  const { deliver, isInside } = createDeliveries(parameters)
  const follower = new HistoryFollower(parameters, deliver)
  const reading = readAccount({
    ...parameters,
    read: (place, signal, progressed) => follower.catchUp(place, signal, progressed),
    onReverted: ({ height, timeMs }, below) => follower.parted({ height, timeMs, isDeeper: below === null }),
  })
  const stop = async (): Promise<void> => {
    const stopped = reading.stop()
    if (!isInside()) await stopped
  }
  return { ...reading, ...watchHandle(stop), cursor: () => follower.cursor && indexOf(follower.cursor) }
}
