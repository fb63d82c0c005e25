/** Lets somebody wait until another one has gone by. */
export type ReorderGate = {
  /** Resolves when another one passed, at the latest after the time. Does not wait behind one that waits. */
  readonly hold: (longestMs: number) => Promise<void>
  readonly passed: () => void
}

export function createReorderGate(wait: (delayMs: number) => Promise<void>): ReorderGate {
  let release: (() => void) | null = null
  return {
    async hold(longestMs) {
      if (release !== null) return
      const passed = new Promise<void>((resolve) => {
        release = resolve
      })
      await Promise.race([passed, wait(longestMs)])
      release = null
    },
    passed: () => release?.(),
  }
}
