import type { Client } from '@hailstone/client'
import { type Address, NodeError } from '@hailstone/protocol'
import { chainTipOf } from './chain-tip.ts'
import { createRewardExplainer, type RewardLine } from './explain-reward.ts'
import type { OnError } from './failure.ts'
import { guarded } from './guarded.ts'
import { onDemand } from './repeat.ts'
import type { Reward } from './reward.ts'
import { POLL_INTERVAL_MS, type PollOptions, type Watch, watchHandle } from './watch-handle.ts'

export type FollowRewardsParameters = PollOptions & {
  readonly client: Client
  readonly address: Address
  /**
   * Where to begin: with what comes from now on, or after a running number that was seen before; -1 means
   * with the very first. @default 'now'
   */
  readonly from?: 'now' | number | undefined
  /** Each reward once, oldest first. A promise is waited for before the next one. */
  readonly onReward: (reward: Reward) => void | Promise<void>
  readonly onError?: OnError | undefined
}

/** A watch that can be continued later, from its cursor. */
export type RewardWatch = Watch & {
  /** Running number of the last reward that was handed out; null until the beginning is known. */
  readonly cursor: () => number | null
}

/**
 * Follows a history: read at once and after every macroblock whose rewards were booked. The cursor moves only
 * when a reward was handed out, so a failure in between loses and repeats nothing.
 */
export function followHistory(
  parameters: FollowRewardsParameters & {
    /** All lines, newest first. */
    readonly lines: (signal: AbortSignal) => AsyncIterable<RewardLine>
  },
): RewardWatch {
  const { client, address, from = 'now', onError = () => undefined, lines } = parameters
  const { pollIntervalMs: intervalMs = POLL_INTERVAL_MS } = parameters
  const onReward = guarded({ event: 'reward', callback: parameters.onReward, onError })
  const explain = createRewardExplainer({ client, address })
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let cursor: number | null = from === 'now' ? null : from
  let newestSeen = cursor ?? -1

  async function catchUp(signal: AbortSignal): Promise<void> {
    if (cursor === null) {
      cursor = await newestIndex(lines(signal))
      newestSeen = cursor
      return
    }
    const fresh = await linesAfter(cursor, signal)
    for (const line of fresh.reverse()) {
      const reward = await explain(line, signal)
      if (signal.aborted) return
      cursor = line.index
      // Whoever stops the watch from inside the callback must not wait for itself.
      await Promise.race([onReward(reward), ended])
    }
  }

  async function linesAfter(last: number, signal: AbortSignal): Promise<RewardLine[]> {
    const fresh: RewardLine[] = []
    let newest: number | null = null
    for await (const line of lines(signal)) {
      newest ??= line.index
      if (line.index <= last) break
      fresh.push(line)
    }
    assertGrown(newest ?? -1)
    return fresh
  }

  /** A history only grows. A shorter one belongs to a network that was reset or has not caught up. */
  function assertGrown(newest: number): void {
    const before = newestSeen
    newestSeen = newest
    if (newest >= before) return
    const reason = `the history of rewards ends at ${newest}, it went to ${before} before`
    throw new NodeError('RESPONSE_INVALID', { path: '/account_rewards', reason })
  }

  const reading = onDemand({ pace: client, intervalMs, task: catchUp, onError })
  const leave = chainTipOf(client).subscribe({ pollIntervalMs: intervalMs, onCalculated: reading.trigger })
  reading.trigger()
  const stop = async (): Promise<void> => {
    end()
    await Promise.all([leave(), reading.stop()])
  }
  return { ...watchHandle(stop), cursor: () => cursor }
}

async function newestIndex(lines: AsyncIterable<RewardLine>): Promise<number> {
  for await (const { index } of lines) return index
  return -1
}
