import type { BeaconCheck, Hash, ServerMessage } from '@hailstone/protocol'

/** The instant of an input, given by the runner so that the machine needs neither clock nor chance. */
export type Moment = {
  /** Milliseconds of the session's clock. */
  readonly at: number
  /** Uniform in [0, 1). */
  readonly random: number
}

export type TimerName = 'handshake' | 'reconnect' | 'ping' | 'quiet'

/** What happened on one connection. */
export type ConnectionInput = { readonly connection: number } & (
  | { readonly type: 'opened'; readonly canPing: boolean }
  | { readonly type: 'hailed' }
  | { readonly type: 'message'; readonly message: ServerMessage }
  | { readonly type: 'checked'; readonly beaconNumber: number; readonly check: BeaconCheck }
  | { readonly type: 'published'; readonly microblockHash: Hash }
  | { readonly type: 'pong' }
  /** Code 1009 also when it was we who closed because a frame was too large. */
  | { readonly type: 'closed'; readonly code: number }
  /** The connection could not be opened. */
  | { readonly type: 'failed'; readonly detail: string }
)

export type SessionInput = Moment &
  (
    | { readonly type: 'start' }
    | { readonly type: 'stop' }
    | { readonly type: 'timer'; readonly timer: TimerName }
    | ConnectionInput
  )
