/** Pings and pongs that a gateway may send at once. Honest ones send one ping in 25 s. */
const AT_ONCE = 64
/** Refill of the limit, in control frames per second. */
const PER_SECOND = 16

/** Counts the control frames of one connection. */
export type ControlFrameLimit = {
  /** Counts a frame; false if there have been too many. */
  readonly allowsOne: () => boolean
}

/** @param now returns a time in ms that never goes back */
export function createControlFrameLimit(now: () => number): ControlFrameLimit {
  let left = AT_ONCE
  let asOf = now()
  return {
    allowsOne() {
      const at = now()
      left = Math.min(AT_ONCE, left + ((at - asOf) / 1000) * PER_SECOND) - 1
      asOf = at
      return left >= 0
    },
  }
}
