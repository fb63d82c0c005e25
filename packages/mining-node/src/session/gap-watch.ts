import type { SessionClock } from './clock.ts'

const TICK_MS = 5_000

/**
 * Calls back after a time in which nothing ran at all: the machine slept, or the process stood still. Noticed by a
 * tick that comes late, and by the wall clock where the monotonic one sleeps as well. It keeps no process alive
 * longer than the sockets it watches over do.
 *
 * @returns a function that stops the watch
 */
export function watchGaps(
  clock: SessionClock,
  { minGapMs, onGap }: { readonly minGapMs: number; readonly onGap: (gapMs: number) => void },
): () => void {
  let stop = (): void => undefined
  function tick(): void {
    const [startedAt, wallAt] = [clock.now(), clock.wallNow()]
    stop = clock.after(TICK_MS, () => {
      const gapMs = Math.max(clock.now() - startedAt, clock.wallNow() - wallAt) - TICK_MS
      tick()
      if (gapMs >= minGapMs) onGap(gapMs)
    })
  }
  tick()
  return () => stop()
}
