import type { ClientCore, GetHistoryParameters, HistoryPageInfo } from '@hailstone/client'
import type { Address, Hash } from '@hailstone/protocol'
import type { KeptAt } from '../cursors/kept-value.ts'
import type { OnError } from '../failure.ts'
import type { AccountReading } from './account-reading.ts'
import type { ReadingStamp } from './chain-tip.ts'
import type { DeliveryOptions, RewardListener } from './deliver.ts'
import type { Began } from './first-open-block.ts'
import type { RewardLine } from './reward-cursor.ts'
import type { PollOptions } from './watch-handle.ts'

/** Parameters of {@link watchRewards} and {@link watchReferralRewards}. */
export type WatchRewardsParameters = PollOptions &
  DeliveryOptions & {
    /** Asks the network; it is not closed with the watch. */
    readonly client: ClientCore
    /** 02 or 03 and 64 hex digits. */
    readonly address: string
    /**
     * Start: with new rewards, or after a running number that was seen before; -1 starts with the very first. A
     * stored cursor takes precedence. @default 'now'
     */
    readonly from?: 'now' | number | undefined
    /**
     * Names a key block that was open soon after the watch began, if one is known. Rewards that were booked before
     * the API could first be read are then delivered from that key block on, whatever this machine's clock says.
     */
    readonly openKeyBlock?: (() => Hash | undefined) | undefined
    /** Store and name of the watch's cursor. @default not stored */
    readonly cursor?: KeptAt | undefined
    /**
     * Takes each reward, oldest first. The next one waits for its promise; the cursor moves when it resolves. When it
     * rejects or throws, the same reward is handed out again after a pause. When the process is killed meanwhile, the
     * next one hands it out again first, and takes it back if a fork has taken it since; `onReverted` likewise.
     */
    readonly onReward: RewardListener
    /**
     * Takes each reward that was handed out and is on the chain no more, newest first, before those that took its
     * place. As `onReward` otherwise.
     */
    readonly onReverted?: RewardListener | undefined
    /** After every reading that succeeded. */
    readonly onRead?: ((reading: ReadingStamp) => void) | undefined
    /** Called with each failed reading; the watch goes on by itself. */
    readonly onError?: OnError | undefined
  }

/** As {@link WatchRewardsParameters}, with an address that was parsed. */
export type FollowRewardsParameters = WatchRewardsParameters & { readonly address: Address }

/**
 * A watch that can be continued later, from its cursor. `stop` aborts the signal of a listener that runs, and resolves
 * when it has ended and the cursor is written, after 10 s at most. A listener that stops its own watch does so before
 * its first `await`, or without waiting for it.
 */
export type RewardWatch = AccountReading & {
  /** Running number of the last reward that was taken; null until the beginning is known. */
  readonly cursor: () => number | null
}

type WireLine = Pick<RewardLine, 'index' | 'recordType' | 'amount'> & {
  readonly hash: Hash
  /** Unix seconds. */
  readonly time: number
}

/** Reads a page of lines, newest first; the first page is 0. */
export type ReadLines = (
  client: ClientCore,
  parameters: GetHistoryParameters,
) => Promise<Pick<HistoryPageInfo<WireLine>, 'records' | 'isLast'>>

export type FollowHistoryParameters = FollowRewardsParameters & {
  readonly beganAtMs?: Began['beganAtMs']
  readonly readLines: ReadLines
  /** Of the list, for errors. */
  readonly path: string
}
