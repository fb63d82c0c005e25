import { IDLE } from './idle.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import { NOBODY_MINED } from './watchers/follow-others.ts'
import { SEEN_UNKNOWN } from './why/seen.ts'

const NONE_PUBLISHED = { published: 0, included: 0, missed: 0, refused: 0 }

/** Returns the snapshot of an account before the first request. */
export function idleSnapshot({
  hasApi,
  ...of
}: Pick<MiningSnapshot, 'address' | 'tokenId' | 'leaderCheck'> & {
  readonly hasApi: boolean
}): MiningSnapshot {
  return {
    ...of,
    state: IDLE,
    height: null,
    balance: null,
    publications: NONE_PUBLISHED,
    connected: { beforeMs: 0, sinceMs: null },
    rewards: [],
    lastReward: null,
    rewardsReading: null,
    gateways: [],
    lastRefusal: null,
    othersMined: NOBODY_MINED,
    api: hasApi ? { status: 'unknown', why: 'not asked yet' } : { status: 'unused', why: 'no API was named' },
    stakes: null,
    seen: hasApi ? SEEN_UNKNOWN : { status: 'unknown', reason: 'noApi' },
    warnings: [],
    lastError: null,
  }
}
