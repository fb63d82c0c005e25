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

export type Rewards = RewardHistoryState &
  Pick<RewardHistory, 'readMore' | 'readBackTo' | 'refresh'> & {
    /** What came while this node was watching. */
    readonly sinceStart: MiningSnapshot['rewards'][number] | null
    /** Units since a moment (Unix milliseconds); null while that was not read, never a part of it. */
    readonly totalSince: (sinceMs: number) => bigint | null
  }

/** Before it is known which rewards are the token's, reading would leave some out. */
const waits = async (): Promise<void> => undefined

const histories = keptPer<ClientPort, RewardHistory>()

/** The rewards of this account in the mined token: feed and totals from the same rows. */
export function useRewards(): Rewards {
  const { client } = useMiningParts()
  const { address, tokenId, stakes, rewards, lastReward, lastError } = useSnapshot()
  const isNative = stakes !== null && stakes.nativeTokenId === tokenId
  // Which rewards belong to the token is not known before the network said which one is native.
  const history = histories(client, `${address} ${tokenId} ${stakes === null ? '' : isNative}`, () =>
    createRewardHistory({ client, address, tokenId, isNative }),
  )
  const state = useSyncExternalStore(history.subscribe, history.snapshot, history.snapshot)
  const newest = lastReward?.index ?? -1
  const isReady = stakes !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new reward is the reason to read anew
  useEffect(() => {
    if (isReady) void history.refresh()
  }, [history, newest, isReady])
  const { readMore, readBackTo, refresh } = history
  // Without that answer nothing is read, and whoever waits should hear why.
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
