import type { Hash, ServerMessage } from '@hailstone/protocol'
import type { BeaconVerdict } from './beacon-verdict.ts'
import type { UpgradeAnswer } from './channel.ts'
import type { HoldReason, StopReason, WaitReason } from './state.ts'

/** The instant of an input, given by the runner so that the machine needs neither clock nor chance. */
export type Moment = {
  /** Milliseconds of the session's clock. */
  readonly at: number
  /** Uniform in [0, 1). */
  readonly random: number
}

export type TimerName = 'handshake' | 'reconnect' | 'ping' | 'quiet' | 'said'

/** Input from one connection. */
export type ConnectionInput = { readonly connection: number } & (
  | { readonly type: 'opened'; readonly canPing: boolean }
  | { readonly type: 'hailed' }
  | { readonly type: 'message'; readonly message: ServerMessage }
  | { readonly type: 'checked'; readonly beaconNumber: number; readonly check: BeaconVerdict }
  | { readonly type: 'published'; readonly microblockHash: Hash; readonly keyBlockHash: Hash }
  | { readonly type: 'pong' }
  /** Code 1009 also when it was we who closed because a frame was too large. */
  | { readonly type: 'closed'; readonly code: number; readonly reason?: string | undefined }
  /** The connection could not be opened, or for another reason cannot be used. */
  | {
      readonly type: 'failed'
      readonly detail: string
      readonly answer?: UpgradeAnswer | undefined
      /** @default gatewayUnreachable */
      readonly reason?: WaitReason | undefined
    }
)

export type SessionInput = Moment &
  (
    | { readonly type: 'start' }
    /** @default 'requested' */
    | { readonly type: 'stop'; readonly reason?: StopReason | undefined }
    | { readonly type: 'timer'; readonly timer: TimerName }
    /** The device has a network again, or has none. */
    | { readonly type: 'online' }
    | { readonly type: 'offline' }
    /** Nothing ran for this long: the machine slept, or the process stood still. */
    | { readonly type: 'resumed'; readonly gapMs: number }
    /** A macroblock with microblocks was added to the chain; reported by the watcher of the chain. */
    | { readonly type: 'chainGrew' }
    /** Our publications are not on the chain; reported by the watcher of the chain. */
    | { readonly type: 'publicationsIgnored' }
    /** No connection until the session is released; repeated when the reason changes. */
    | { readonly type: 'held'; readonly reason: HoldReason }
    /** `withOthers`: every miner of the API is released at this moment, so the connections are spread. */
    | { readonly type: 'released'; readonly withOthers: boolean }
    | ConnectionInput
  )

export type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** An input whose moment the runner adds. */
export type UntimedInput = Without<SessionInput, keyof Moment>
