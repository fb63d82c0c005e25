import type { MiningSnapshot } from '@hailstone/mining-node'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { keptPer } from './kept-per.ts'
import type { ClientPort } from './mining-ports.ts'
import { useMiningParts } from './mining-provider.ts'
import { failureOf, failureOfApi } from './reading.ts'
import {
  createFollowedHistory,
  type FollowedHistory,
  NOTHING_READ,
  type RewardHistory,
  type RewardHistoryState,
  totalSince,
} from './reward-history.ts'
import { useSnapshot } from './use-snapshot.ts'

type Asked = Pick<RewardHistory, 'readMore' | 'readBackTo' | 'refresh'>

/** Result of {@link useRewards}. What is asked for before the network has named its native token is read afterwards. */
export type Rewards = RewardHistoryState &
  Asked & {
    /** Totals since this node was started. */
    readonly sinceStart: MiningSnapshot['rewards'][number] | null
    /** Returns the units earned since a time (Unix milliseconds); null if the history was not read back that far. */
    readonly totalSince: (sinceMs: number) => bigint | null
  }

const histories = keptPer<ClientPort, FollowedHistory>()
const serverState = (): RewardHistoryState => NOTHING_READ

/**
 * Names what a node has told of rewards, and its last reading of them. Each reading is looked at: the list may show a reward
 * that the node never told, because it is from before the node began, or because the list was read first. The node will
 * not tell that the chain took it back.
 */
const toldBy = ({ rewards, lastReward, rewardsReading }: MiningSnapshot): string =>
  [
    ...[rewardsReading?.readAtMs, lastReward?.index, lastReward?.recordHash],
    ...rewards.map(({ count }) => count),
  ].join()

/**
 * Returns the rewards of this account in the mined token; feed and totals come from the same rows.
 *
 * @example
 * const { rows, readMore } = useRewards()
 * return rows.map(({ index, amount }) => <li key={index}>{formatAmount(amount, { decimals: 10 })}</li>)
 */
export function useRewards(): Rewards {
  const { client, node } = useMiningParts()
  const snapshot = useSnapshot()
  const { address, tokenId, stakes, rewards } = snapshot
  const isReady = stakes !== null
  const isNative = stakes?.nativeTokenId === tokenId
  // Until the network has named the native token, it is unknown which rewards belong to this one.
  const history = histories(client, `${address} ${tokenId} ${isReady ? isNative : ''}`, () =>
    createFollowedHistory({ client, address, tokenId, isNative }),
  )
  const state = useSyncExternalStore(history.subscribe, history.snapshot, serverState)
  const asked = useAsked(history, isReady)
  useEffect(() => {
    if (!isReady) return
    let seen = node.snapshot()
    void history.follow(seen.rewards, true)
    return node.subscribe(() => {
      const before = seen
      seen = node.snapshot()
      if (toldBy(seen) !== toldBy(before)) void history.follow(seen.rewards)
    })
  }, [node, history, isReady])
  return {
    ...state,
    readMore: asked.readMore,
    readBackTo: asked.readBackTo,
    refresh: asked.refresh,
    ...(state.why === null && !isReady ? whyNotReady(snapshot) : {}),
    sinceStart: rewards.find((total) => total.tokenId === tokenId) ?? null,
    totalSince: (sinceMs) => totalSince(state, sinceMs),
  }
}

/** The functions of a history; until it is ready, what is asked for waits. */
function useAsked(history: RewardHistory, isReady: boolean): Asked {
  const waiting = useRef<((history: RewardHistory) => void)[]>([])
  useEffect(() => {
    if (isReady) for (const ask of waiting.current.splice(0)) ask(history)
  }, [history, isReady])
  return useMemo(() => {
    if (isReady) return history
    const later = (ask: (history: RewardHistory) => void): Promise<void> => {
      waiting.current.push(ask)
      return Promise.resolve()
    }
    return {
      refresh: () => Promise.resolve(),
      readMore: (count) => later(({ readMore }) => void readMore(count)),
      readBackTo: (timeMs) => later(({ readBackTo }) => void readBackTo(timeMs)),
    }
  }, [history, isReady])
}

/** Nothing is read without the answer about the native token, so its reason is the reason here. */
function whyNotReady({ lastError, api }: MiningSnapshot): Pick<RewardHistoryState, 'why' | 'error'> {
  const { why, error } = (lastError === null ? failureOfApi(api) : failureOf(lastError.error)) ?? {
    why: null,
    error: undefined,
  }
  return { why, error }
}
