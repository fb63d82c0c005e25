import type { Logger } from '@hailstone/client'
import type { Address, Amount, Hash, NodeError, TokenId } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import { EventEmitter } from 'eventemitter3'
import { assertListens, type ExpectedEvent } from './assert-listens.ts'
import { listenerReport } from './failure.ts'
import type { BeaconRefusalInfo } from './session/beacon-verdict.ts'
import type { StopReason, WaitReason } from './session/state.ts'
import type { TipHeight } from './watchers/chain-tip.ts'
import type { Reward } from './watchers/reward.ts'
import type { WatchedBalance } from './watchers/watch-balance.ts'
import type { MissedReferral } from './watchers/watch-missed-referrals.ts'

/** Events of a mining node, in the past tense, each with its one argument. */
export type MiningEvents = {
  started: {
    readonly address: Address
    readonly tokenId: TokenId
    /** `ws:` or `wss:` address of the first attempt. */
    readonly gatewayUrl: string
  }
  /** The socket is open. */
  connected: {
    /** `ws:` or `wss:` address of the gateway. */
    readonly url: string
  }
  /** We introduced ourselves; a gateway never confirms that. */
  hailed: {
    /** `ws:` or `wss:` address of the gateway. */
    readonly url: string
  }
  beaconReceived: {
    readonly microblockHash: Hash
    readonly keyBlockHash: Hash
    /** Transactions of the microblock, 1 or more. */
    readonly transactionCount: number
  }
  /** A beacon was not signed. */
  beaconRefused: BeaconRefusalInfo
  /** Our signature has left; a gateway never confirms that either. */
  published: {
    readonly microblockHash: Hash
    /** The key block of the beacon, which was verified. */
    readonly keyBlockHash: Hash
  }
  /** A published microblock stands in a calculated macroblock. */
  included: {
    readonly microblockHash: Hash
    /** Height of the macroblock. */
    readonly height: number
    /** Units for the microblock, without referral reward; null when the network does not say. */
    readonly reward: Amount | null
    readonly tokenId: TokenId
  }
  /** Any reward that is not a referral reward. */
  rewarded: Reward
  /** A reward as miner, agent or token owner; `role` says which. */
  referralRewarded: Reward
  /** A delivered reward is no longer on the chain; the one that replaced it follows. */
  reverted: Reward
  /** Somebody who named us as agent mined, and we earned nothing of it. Only with `followReferrals: watchMissedReferrals`. */
  referralMissed: MissedReferral
  balanceChanged: WatchedBalance
  heightChanged: TipHeight
  /**
   * There is no link: one is gone, or none was begun, as with `stakeTooLow` and `nativeTokenUnknown`. `delayMs` is 0
   * where no attempt is planned.
   */
  disconnected: {
    /** The reason as one clause, for people. */
    readonly why: string
    readonly reason: WaitReason
    /** Time until the next attempt, in ms. */
    readonly delayMs: number
  }
  stopped: {
    readonly reason: StopReason
    /** The reason as one clause, for people. */
    readonly why: string
  }
  /** Something went wrong that the node goes on from by itself. */
  failed: { readonly error: NodeError }
}

/** Name of an event of a mining node. */
export type MiningEvent = keyof MiningEvents

/** Calls back at every event of that name until the returned function is called. */
export type OnMiningEvent = <E extends MiningEvent>(
  event: E,
  listener: (given: MiningEvents[E]) => unknown,
) => () => void

export type EventHub = {
  readonly on: OnMiningEvent
  /** Like `on`, for the next event of that name alone. */
  readonly once: OnMiningEvent
  readonly emit: <E extends MiningEvent>(event: E, given: MiningEvents[E]) => void
}

/**
 * Events whose listeners cannot harm the node or each other: what one throws is reported as `failed`, and what a listener
 * of that throws goes to the logger.
 */
export function createEventHub(logger?: Logger, expectedEvent?: ExpectedEvent): EventHub {
  const emitter = new EventEmitter<MiningEvent>()
  const emit: EventHub['emit'] = (event, given) => {
    emitter.emit(event, given)
  }
  const add =
    (how: 'on' | 'once'): OnMiningEvent =>
    (event, callback) => {
      assertListens(event, callback, expectedEvent)
      // A throwing listener of `failed` does not get its own error.
      const onError = event === 'failed' ? undefined : (error: NodeError) => emit('failed', { error })
      const client = logger && { logger }
      const listener = guarded(callback, listenerReport(event, { onError, client }))
      emitter[how](event, listener)
      return () => {
        emitter.off(event, listener)
      }
    }
  return { on: add('on'), once: add('once'), emit }
}
