import type { ClientCore } from '@hailstone/client'
import type { OnError } from '../failure.ts'
import { followTip, type TipHeight } from './chain-tip.ts'
import { type PollOptions, type Watch, watchHandle } from './watch-handle.ts'

/** Parameters of {@link watchHeight}. */
export type WatchHeightParameters = PollOptions & {
  /** Asks the network; it is not closed with the watch. */
  readonly client: ClientCore
  /** At once when the height is known, then at every change. */
  readonly onChange: (tip: TipHeight) => void
  /** Called with each failed reading; the watch goes on by itself. */
  readonly onError?: OnError | undefined
}

/** Follows the height of the chain. All who watch the same API in a process share one poll. */
export function watchHeight(parameters: WatchHeightParameters): Watch {
  const { client, onChange, onError, pollIntervalMs } = parameters
  return watchHandle(followTip(client, { onHeight: onChange, onError, pollIntervalMs }).leave)
}
