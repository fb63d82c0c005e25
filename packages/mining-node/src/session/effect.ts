import type { Beacon, Hash } from '@hailstone/protocol'
import type { BeaconRefusalInfo } from './beacon-verdict.ts'
import type { TimerName } from './input.ts'
import type { StopReason, WaitReason } from './state.ts'

/** Actions requested by the state machine. The runner performs them and reports back. */
export type SessionEffect =
  | { readonly type: 'open'; readonly connection: number; readonly url: string }
  | { readonly type: 'close'; readonly connection: number; readonly code: number }
  | { readonly type: 'hail'; readonly connection: number; readonly url: string }
  | { readonly type: 'ping'; readonly connection: number }
  | {
      readonly type: 'check'
      readonly connection: number
      readonly beaconNumber: number
      readonly beacon: Beacon
    }
  | {
      readonly type: 'publish'
      readonly connection: number
      readonly microblockHash: Hash
      readonly keyBlockHash: Hash
      /** The very bytes of before, sent once more on a new connection. */
      readonly isRepeated: boolean
    }
  /** Starts a timer anew; an older one of the same name ends. */
  | { readonly type: 'schedule'; readonly timer: TimerName; readonly delayMs: number }
  | { readonly type: 'cancelAll' }
  | { readonly type: 'emit'; readonly event: SessionEvent }

/** Events of one session, in the past tense. */
export type SessionEvent =
  | { readonly type: 'connected'; readonly url: string }
  | { readonly type: 'hailed'; readonly url: string }
  | {
      readonly type: 'beaconReceived'
      readonly microblockHash: Hash
      readonly keyBlockHash: Hash
      readonly transactionCount: number
    }
  | ({ readonly type: 'beaconRefused' } & BeaconRefusalInfo)
  | { readonly type: 'published'; readonly microblockHash: Hash; readonly keyBlockHash: Hash }
  | { readonly type: 'messageMalformed'; readonly reason: string }
  | { readonly type: 'gatewayErred'; readonly code: string }
  | { readonly type: 'redirected'; readonly url: string }
  | { readonly type: 'redirectRefused'; readonly why: string }
  | { readonly type: 'disconnected'; readonly reason: WaitReason; readonly delayMs: number }
  | { readonly type: 'stopped'; readonly reason: StopReason }
