/** Runs a function now or in a later turn of the event loop; the oldest first. */
export type AdmissionQueue = (admit: () => void) => void

/** While the API accepts connections, one connection of a miner is admitted in so many turns of the event loop. */
const TURNS_WHILE_PRESSED = 4
/** Otherwise as many as have begun in this time of a turn. */
const SLICE_MS = 8

/**
 * Lets the connections of the gateway wait while the API accepts many. Node accepts one connection of each port in a
 * turn of the event loop, so whatever a turn does for the gateway delays the queue of the API.
 */
export function createAdmissionQueue(parameters: {
  /** Returns how many connections the API has accepted so far. */
  readonly acceptedByApi: () => number
  /** @default setImmediate */
  readonly later?: ((run: () => void) => void) | undefined
  /** @default performance.now */
  readonly now?: (() => number) | undefined
}): AdmissionQueue {
  const { acceptedByApi, later = setImmediate, now = () => performance.now() } = parameters
  const waiting: (() => void)[] = []
  let isScheduled = false
  let known = acceptedByApi()
  let turnsUnderPressure = 0

  function isPressed(): boolean {
    const count = acceptedByApi()
    const hasGrown = count > known
    known = count
    return hasGrown
  }

  function admitSome(): void {
    isScheduled = false
    if (isPressed()) {
      turnsUnderPressure++
      if (turnsUnderPressure % TURNS_WHILE_PRESSED === 0) waiting.shift()?.()
    } else {
      const endsAt = now() + SLICE_MS
      do waiting.shift()?.()
      while (waiting.length > 0 && now() < endsAt)
    }
    schedule()
  }

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    later(admitSome)
  }

  return (admit) => {
    if (waiting.length === 0 && !isPressed()) admit()
    else waiting.push(admit)
    schedule()
  }
}
