import { type Clock, systemClock } from '@hailstone/client'

/** Real time, run faster: a second of the node's takes 1/factor of a second here. */
export const fastClock = (factor: number): Clock => ({
  now: () => systemClock.now(),
  monotonicMs: () => systemClock.monotonicMs() * factor,
  sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
})
