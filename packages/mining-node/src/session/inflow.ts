import type { SessionClock } from './clock.ts'

/** Characters of frames that are read in a second, and as many at once: some 600 beacons of the usual size. */
const READ_PER_SECOND = 2 * 1024 * 1024
/** Every frame counts for this much more than its length. */
const FRAME_COST = 2048
/** A gateway that sends this much more than is read is left. */
const DROPPED_LIMIT = 32 * READ_PER_SECOND
/** Time on frames before sockets and timers have their turn. */
const SLICE_MS = 8

/** Frames on their way from a socket to their reader. */
export type Inflow = {
  readonly offer: (frame: string) => void
  /** Takes no more frames, and calls back when those that wait for their turn were read: at once if there are none. */
  readonly finish: (onRead: () => void) => void
  /** Drops what waits. */
  readonly end: () => void
}

/**
 * Bounds the time that the frames of one connection can take: in all, and without a pause. What comes faster than it
 * may be read waits, the newest frame alone: only the newest beacon can be answered.
 */
export function createInflow(parameters: {
  readonly clock: SessionClock
  readonly take: (frame: string) => void
  /** Called when much more comes than is read; nothing is taken after that. */
  readonly onFlooded: () => void
}): Inflow {
  const { clock, onFlooded } = parameters
  const turns = createTurns(parameters)
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
    if (waiting === null && allowance > 0 && turns.waitingCost() < READ_PER_SECOND) {
      allowance -= costOf(frame)
      turns.enter(frame)
      return
    }
    dropped += costOf(waiting ?? '')
    waiting = frame
    // A little later than exactly, so that the allowance is above zero whatever was rounded.
    endWait ??= clock.after(1 + Math.max(0, (-1000 * allowance) / READ_PER_SECOND), onWaited)
    if (dropped < DROPPED_LIMIT) return
    end()
    onFlooded()
  }

  function onWaited(): void {
    const frame = waiting as string
    endWait = waiting = null
    offer(frame)
  }

  function refuseMore(): void {
    hasEnded = true
    endWait?.()
  }

  function end(): void {
    refuseMore()
    turns.end()
  }

  return {
    offer,
    end,
    finish: (onRead) => {
      refuseMore()
      turns.finish(onRead)
    },
  }
}

const costOf = (frame: string): number => FRAME_COST + frame.length

/** Takes frames in order, at once or in the next turn of the event loop. */
function createTurns({
  clock,
  take,
}: {
  readonly clock: SessionClock
  readonly take: (frame: string) => void
}) {
  let waiting: string[] = []
  let waitingCost = 0
  let spentMs = 0
  let endPause: (() => void) | null = null
  let finished: (() => void) | null = null

  function pause(): void {
    spentMs = 0
    endPause ??= clock.after(0, onTurn)
  }

  function takeTimed(frame: string): void {
    const begunAt = clock.now()
    take(frame)
    spentMs += clock.now() - begunAt
    if (spentMs >= SLICE_MS) pause()
  }

  function onTurn(): void {
    endPause = null
    while (endPause === null && waiting.length > 0) {
      const frame = waiting.shift() as string
      waitingCost -= costOf(frame)
      takeTimed(frame)
    }
    // Else the next turn goes on.
    if (endPause === null) finish()
  }

  function finish(): void {
    const onRead = finished
    finished = null
    onRead?.()
  }

  return {
    waitingCost: () => waitingCost,
    enter(frame: string): void {
      if (endPause === null && waiting.length === 0) {
        takeTimed(frame)
        return
      }
      waiting.push(frame)
      waitingCost += costOf(frame)
    },
    finish(onRead: () => void): void {
      finished = onRead
      if (waiting.length === 0) finish()
    },
    end(): void {
      waiting = []
      waitingCost = 0
      finished = null
      endPause?.()
    },
  }
}
