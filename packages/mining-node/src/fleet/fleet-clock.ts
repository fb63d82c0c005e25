import type { SessionClock } from '../session/clock.ts'

/** The system's time for many sessions: plain timers, which cost a fraction of promises and signals. */
export function systemSessionClock(): SessionClock {
  const epochMs = Date.now() - performance.now()
  return {
    now: () => epochMs + performance.now(),
    after: (delayMs, callback) => {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
  }
}
