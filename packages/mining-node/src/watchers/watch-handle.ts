/** Something that repeats until it is stopped. */
export type Watch = AsyncDisposable & {
  /** Ends it and waits for what is in flight. May be called again. */
  readonly stop: () => Promise<void>
}

export const watchHandle = (stop: () => Promise<void>): Watch => ({ stop, [Symbol.asyncDispose]: stop })

/** @default 3000 */
export type PollOptions = {
  /** How often the height is asked for; the smallest of all who share a client counts. @default 3000 */
  readonly pollIntervalMs?: number | undefined
}

export const POLL_INTERVAL_MS = 3_000
