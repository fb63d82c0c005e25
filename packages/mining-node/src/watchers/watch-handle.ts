/** Something that repeats until it is stopped. */
export type Watch = AsyncDisposable & {
  /** Ends it and waits for what is in flight. May be called again. */
  readonly stop: () => Promise<void>
}

/** Ends all that it is made of, together. */
export function watchHandle(...ends: readonly (() => Promise<unknown>)[]): Watch {
  const stop = async (): Promise<void> => {
    await Promise.all(ends.map((end) => end()))
  }
  return { stop, [Symbol.asyncDispose]: stop }
}

export type PollOptions = {
  /**
   * Poll interval of the height in ms. Watches that share a chain use the smallest one. @default timed by the chain: asked
   * when the next macroblock is due, after 30 s at the latest
   */
  readonly pollIntervalMs?: number | undefined
  /**
   * The network's time between blocks. An account is read at every second macroblock, or this long after one that
   * was passed over. Where eight or more balances are watched, it is read when a microblock names it, and at every eighth
   * macroblock. @default 10 s, or five poll intervals
   */
  readonly blockTimeMs?: number | undefined
}

/** Interval while nothing better is known, and of what is repeated. */
export const POLL_INTERVAL_MS = 2_000
