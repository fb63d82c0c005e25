import type { RewardRow } from '@hailstone/react'
import type { MinedDay } from '../app/earnings-pace.ts'
import type { AccountStore } from './account-store.ts'
import { type EngineConfig, rewardStoreName } from './engine-config.ts'
import type { RewardRange, RewardStore } from './reward-store.ts'

/** Calls about stored rewards; the worker of the same tab answers them from the database that the leader writes. */
export type RewardCalls = {
  /** Returns rewards of a range, oldest first. */
  readonly rewardRange: (range: RewardRange) => Promise<readonly RewardRow[]>
  /** Returns the reward with a running number; undefined if it is not stored. */
  readonly rewardByIndex: (index: number) => Promise<RewardRow | undefined>
  /** Returns the units earned before each of these times, relative to each other. */
  readonly rewardSums: (timesMs: readonly number[]) => Promise<readonly bigint[]>
  /** Returns the last full days in which this device mined. */
  readonly minedDays: (nowMs: number) => Promise<readonly MinedDay[]>
}

const rewardCallNames = [
  'rewardRange',
  'rewardByIndex',
  'rewardSums',
  'minedDays',
] as const satisfies readonly (keyof RewardCalls)[]

export const isRewardCall = (name: string): name is keyof RewardCalls =>
  (rewardCallNames as readonly string[]).includes(name)

/** Opens the rewards of the account for reading, on first use. */
export function createStoredRewards(parameters: {
  readonly config: EngineConfig
  readonly account: Pick<AccountStore, 'state'>
}): { readonly calls: RewardCalls; readonly close: () => void } {
  const { config, account } = parameters
  let opening: Promise<RewardStore> | null = null

  async function open(): Promise<RewardStore> {
    const state = await account.state()
    if (state.status === 'none') throw new Error('There is no account.')
    const { openRewardStore } = await import('./reward-store.ts')
    return openRewardStore(rewardStoreName(config, state.address))
  }
  const store = (): Promise<RewardStore> => {
    opening ??= open().catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }
  return {
    calls: {
      rewardRange: async (range) => (await store()).range(range),
      rewardByIndex: async (index) => (await store()).byIndex(index),
      rewardSums: async (timesMs) => (await store()).sumsBefore(timesMs),
      minedDays: async (nowMs) => (await store()).minedDays(nowMs),
    },
    close: () => {
      void opening?.then(({ close }) => close())
      opening = null
    },
  }
}
