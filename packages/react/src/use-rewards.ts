import type { MiningSnapshot } from '@hailstone/mining-node'
import { useEffect, useSyncExternalStore } from 'react'
import { keptPer } from './kept-per.ts'
import type { ClientPort } from './mining-ports.ts'
import { useMiningParts } from './mining-provider.ts'
import {
  createRewardHistory,
  type RewardHistory,
  type RewardHistoryState,
  totalSince,
} from './reward-history.ts'
import { useSnapshot } from './use-snapshot.ts'

/** Result of {@link useRewards}. */
export type Rewards = RewardHistoryState &
  Pick<RewardHistory, 'readMore' | 'readBackTo' | 'refresh'> & {
    /** Totals since this node was started. */
    readonly sinceStart: MiningSnapshot['rewards'][number] | null
    /** Returns the units earned since a time (Unix milliseconds); null if the history was not read back that far. */
    readonly totalSince: (sinceMs: number) => bigint | null
  }

/** Does nothing while the native token is unknown, since rewards would be missed. */
const waits = async (): Promise<void> => undefined

const histories = keptPer<ClientPort, RewardHistory>()

/** Returns the rewards of this account in the mined token; feed and totals come from the same rows. */
export function useRewards(): Rewards {
  const { client } = useMiningParts()
  const { address, tokenId, stakes, rewards, lastReward, lastError } = useSnapshot()
  const isNative = stakes !== null && stakes.nativeTokenId === tokenId
  // Until the network has named the native token, it is unknown which rewards belong to this one.
  const history = histories(client, `${address} ${tokenId} ${stakes === null ? '' : isNative}`, () =>
    createRewardHistory({ client, address, tokenId, isNative }),
  )
  const state = useSyncExternalStore(history.subscribe, history.snapshot, history.snapshot)
  const newest = lastReward?.index ?? -1
  const isReady = stakes !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new reward triggers the reading
  useEffect(() => {
    if (isReady) void history.refresh()
  }, [history, newest, isReady])
  const { readMore, readBackTo, refresh } = history
  // Nothing is read without that answer, so its error is the reason.
  const why = state.why ?? (isReady ? null : (lastError?.error.message ?? null))
  return {
    ...state,
    why,
    readMore,
    readBackTo,
    refresh: isReady ? refresh : waits,
    sinceStart: rewards.find((total) => total.tokenId === tokenId) ?? null,
    totalSince: (sinceMs) => totalSince(state, sinceMs),
  }
}
