import type { SessionClock } from './clock.ts'

/** Characters of frames that are read in a second, and as many at once: some 600 beacons of the usual size. */
const READ_PER_SECOND = 2 * 1024 * 1024
/** Every frame counts for this much more than its length. */
const FRAME_COST = 2048
/** A gateway that sends this much more than is read is left. */
const DROPPED_LIMIT = 32 * READ_PER_SECOND

/** Frames on their way from a socket to their reader. */
export type Inflow = {
  readonly offer: (frame: string) => void
  /** Drops what waits. */
  readonly end: () => void
}

/**
 * Bounds the time that the frames of one connection can take. What comes faster waits, the newest frame alone: only
 * the newest beacon can be answered.
 */
export function createInflow(parameters: {
  readonly clock: SessionClock
  readonly take: (frame: string) => void
  /** Called when much more comes than is read; nothing is taken after that. */
  readonly onFlooded: () => void
}): Inflow {
  const { clock, take, onFlooded } = parameters
  let allowance = READ_PER_SECOND
  let countedAt = clock.now()
  let waiting: string | null = null
  let dropped = 0
  let endWait: (() => void) | null = null
  let hasEnded = false

  function offer(frame: string): void {
    if (hasEnded) return
    const now = clock.now()
    allowance = Math.min(READ_PER_SECOND, allowance + (now - countedAt) * (READ_PER_SECOND / 1000))
    countedAt = now
    if (allowance === READ_PER_SECOND) dropped = 0
    if (waiting === null && allowance > 0) {
      allowance -= FRAME_COST + frame.length
      take(frame)
      return
    }
    dropped += FRAME_COST + (waiting ?? '').length
    waiting = frame
    // A little later than exactly, so that the allowance is above zero whatever was rounded.
    endWait ??= clock.after(1 - (1000 * allowance) / READ_PER_SECOND, onWaited)
    if (dropped < DROPPED_LIMIT) return
    end()
    onFlooded()
  }

  function onWaited(): void {
    const frame = waiting as string
    endWait = waiting = null
    offer(frame)
  }

  function end(): void {
    hasEnded = true
    endWait?.()
  }

  return { offer, end }
}
