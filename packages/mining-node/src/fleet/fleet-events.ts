import type { Logger } from '@hailstone/client'
import type { Address, Amount, Hash, NodeError, TokenId } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import { EventEmitter } from 'eventemitter3'
import { listenerReport } from '../failure.ts'
import type { BeaconRefusalInfo } from '../session/beacon-verdict.ts'
import type { StopReason, WaitReason } from '../session/state.ts'
import type { WatchedBalance } from '../watchers/watch-balance.ts'
import type { FleetReward } from './rewards-of-macroblock.ts'

/** Everything a fleet reports, in the past tense, in one stream. */
export type FleetEvent =
  | { readonly type: 'started'; readonly nodes: number }
  | { readonly type: 'connected'; readonly address: Address; readonly url: string }
  | { readonly type: 'hailed'; readonly address: Address; readonly url: string }
  | ({ readonly type: 'beaconRefused'; readonly address: Address } & BeaconRefusalInfo)
  /** A signature has left; a gateway never confirms that. */
  | {
      readonly type: 'published'
      readonly address: Address
      readonly microblockHash: Hash
      /** The key block of the beacon, which was verified. */
      readonly keyBlockHash: Hash
    }
  /** A published microblock stands in a calculated macroblock: the only proof that it counted. */
  | {
      readonly type: 'included'
      readonly address: Address
      readonly microblockHash: Hash
      readonly height: number
      /** Units for the microblock, without referral reward; null when the network does not say. */
      readonly reward: Amount | null
      readonly tokenId: TokenId
    }
  /**
   * A published microblock came into none of the macroblocks that it could be in. Where the API is more than forty
   * macroblocks behind, it may be `included` after that.
   */
  | { readonly type: 'missed'; readonly address: Address; readonly microblockHash: Hash }
  /** An account was paid; `role` says what for. */
  | ({ readonly type: 'rewarded' | 'referralRewarded' } & FleetReward)
  /** A delivered reward is no longer on the chain; the one that replaced it follows. */
  | ({ readonly type: 'reverted' } & FleetReward)
  /** At the first reading of an account and whenever the amount differs from the one before. */
  | ({ readonly type: 'balanceChanged'; readonly address: Address } & WatchedBalance)
  | {
      readonly type: 'disconnected'
      readonly address: Address
      readonly why: string
      readonly reason: WaitReason
      readonly delayMs: number
    }
  /** One node, for good. */
  | {
      readonly type: 'stopped'
      readonly address: Address
      readonly reason: StopReason
      readonly why: string
    }
  | { readonly type: 'heightChanged'; readonly height: number; readonly isStale: boolean }
  /** A key is invalid or listed twice. The nodes of the other keys go on. */
  | { readonly type: 'keyRefused'; readonly index: number; readonly error: NodeError }
  /** The system gives no more files or ports; the others go on. */
  | { readonly type: 'shortage'; readonly code: string; readonly openSockets: number }
  /** Something went wrong that the fleet goes on from by itself. */
  | { readonly type: 'failed'; readonly address: Address | null; readonly error: NodeError }

/** Called with each event of a fleet. Its exceptions are logged. */
export type FleetListener = (event: FleetEvent) => unknown

export type FleetStream = {
  readonly emit: (event: FleetEvent) => void
  readonly subscribe: (listener: FleetListener) => () => void
}

/** One stream to many listeners. An error that one of them throws is emitted as `failed`; the others are still called. */
export function createFleetStream(logger?: Logger): FleetStream {
  const emitter = new EventEmitter<'event'>()
  const emit = (event: FleetEvent): void => {
    emitter.emit('event', event)
  }
  return {
    emit,
    subscribe: (callback) => {
      const onError = (error: NodeError): void => emit({ type: 'failed', address: null, error })
      const client = logger && { logger }
      const reported = guarded(callback, listenerReport('fleet', { onError }))
      // What a listener of `failed` throws is logged alone, or one that always rejects would be called without end.
      const unreported = guarded(callback, listenerReport('fleet', { client }))
      const listener = (event: FleetEvent): void =>
        event.type === 'failed' ? unreported(event) : reported(event)
      emitter.on('event', listener)
      return () => {
        emitter.off('event', listener)
      }
    },
  }
}
