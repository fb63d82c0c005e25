import type { SessionClock } from './clock.ts'

const TICK_MS = 5_000

type Listener = { readonly leastGapMs: number; readonly onGap: (gapMs: number) => void }
type GapWatch = { readonly listeners: Set<Listener>; stop: () => void }

const watches = new WeakMap<SessionClock, GapWatch>()

/**
 * Calls back after a time in which nothing ran at all: the machine slept, or the process stood still. Noticed by a
 * tick that comes late, and by the wall clock where the monotonic one sleeps as well. All who share a clock share
 * the tick. It keeps no process alive longer than the sockets it watches over do.
 *
 * @returns the way out
 */
export function watchGaps(clock: SessionClock, listener: Listener): () => void {
  const watch = watches.get(clock) ?? begin(clock)
  watch.listeners.add(listener)
  return () => {
    if (!watch.listeners.delete(listener) || watch.listeners.size > 0) return
    watches.delete(clock)
    watch.stop()
  }
}

function begin(clock: SessionClock): GapWatch {
  const wallNow = clock.wallNow ?? clock.now
  const watch: GapWatch = { listeners: new Set(), stop: () => undefined }
  const tick = (): void => {
    const [startedAt, wallAt] = [clock.now(), wallNow()]
    watch.stop = clock.after(TICK_MS, () => {
      const gapMs = Math.max(clock.now() - startedAt, wallNow() - wallAt) - TICK_MS
      tick()
      for (const { leastGapMs, onGap } of [...watch.listeners]) if (gapMs >= leastGapMs) onGap(gapMs)
    })
  }
  tick()
  watches.set(clock, watch)
  return watch
}
