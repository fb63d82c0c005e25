import type { MiningState } from './mining-state.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'

/** Before anything was started; the same as the session says of itself. */
export const IDLE = {
  status: 'idle',
  why: 'not started',
  nextStep: 'Call start().',
} as const satisfies MiningState

const NONE_PUBLISHED = { published: 0, included: 0, missed: 0, refused: 0 }

/** What is known of an account before anybody was asked. */
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
    rewards: [],
    lastReward: null,
    rewardsReading: null,
    gateways: [],
    lastRefusal: null,
    api: hasApi ? { status: 'unknown', why: 'not asked yet' } : { status: 'unused', why: 'no API was named' },
    stakes: null,
    warnings: [],
    lastError: null,
  }
}
