/// <reference lib="esnext.disposable" preserve="true" />
// Without it an application with an older `lib` and without types of Node loses the types of half the packages.

import type { TokenId } from '@hailstone/protocol'
import type { Diagnostics } from './diagnostics.ts'
import type { ClientNetwork } from './network.ts'
import type { Clock } from './transport/clock.ts'
import type { Logger } from './transport/logger.ts'
import type { RetryPolicy } from './transport/retry-policy.ts'
import type { Transport, TransportAnswer } from './transport/transport.ts'

/** An answer and the time of its reading, by the monotonic clock. */
type KeptAnswer = { readonly answer: TransportAnswer; readonly readAt: number }

/** State that the client collects while it runs; shared by its actions, never exposed. */
type ClientMemory = {
  /** Retries left in the budget. */
  retries: number
  /** Native token as it was named, by API node. */
  readonly nativeTokenIds: Map<string, TokenId>
  /** Answers that may be used again, by path and query, oldest first. */
  readonly answers: Map<string, KeptAnswer>
  /** Requests under way whose answers will be kept, by path and query. */
  readonly asking: Map<string, Promise<unknown>>
}

/** All that an action needs of a client. Every action is a free function over it. */
export type ClientCore = {
  /** Absent in a core alone. */
  readonly diagnostics?: Diagnostics | undefined
  /** Base of the first API node. */
  readonly apiUrl: string
  /** Clients with the same one ask the same nodes in the same way, and may share what they learn. */
  readonly sharingKey: object | string
  /** The network that was named; without one, a network of the API address alone. */
  readonly network: ClientNetwork
  /** Carries requests, over one API node or several. */
  readonly transport: Transport
  /** For one call with its retries. */
  readonly timeoutMs: number
  /** How often and when a failed GET is sent again. */
  readonly retry: RetryPolicy
  /** Gets what the client logs; silent by default. */
  readonly logger: Logger
  /** Time of deadlines, retries and ages. */
  readonly clock: Clock
  /** Uniform in [0, 1), with all 53 bits: jitter and nonces come from it. */
  readonly randomness: () => number
  /** State of the client between calls, of no use to programs. */
  readonly memory: ClientMemory
  /** Waits for what is under way and lets go of the connections. Can be called twice. */
  readonly close: () => Promise<void>
  /** The same as `close`, for `await using`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Every action takes this one. */
export type Cancellable = {
  /** Cancels the call; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}
