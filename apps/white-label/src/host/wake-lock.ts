/** Keeps the screen on while requested and visible. Does nothing in browsers without wake locks. */
export function createKeepAwake(): {
  readonly set: (isWanted: boolean) => void
  readonly isPossible: boolean
} {
  const isPossible = 'wakeLock' in navigator
  let isWanted = false
  let lock: WakeLockSentinel | null = null

  // One at a time: a lock that is asked for while it is no longer wanted would stay.
  let turn = Promise.resolve()
  const settle = (): void => {
    turn = turn.then(change)
  }
  async function change(): Promise<void> {
    const shouldHold = isPossible && isWanted && document.visibilityState === 'visible'
    if (shouldHold && lock === null) {
      lock = await navigator.wakeLock.request('screen').catch(() => null)
      lock?.addEventListener('release', () => {
        lock = null
      })
    }
    if (!shouldHold && lock !== null) await lock.release()
  }
  document.addEventListener('visibilitychange', settle)
  return {
    isPossible,
    set: (next) => {
      isWanted = next
      settle()
    },
  }
}
