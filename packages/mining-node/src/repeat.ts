import type { ClientCore } from '@hailstone/client'
import { asNodeError, errorListener, type ReportTo } from './failure.ts'
import { POLL_INTERVAL_MS } from './watchers/watch-handle.ts'

/** Longest pause while the API does not answer. */
const CEILING_MS = 15_000
/** Shortest pause while a part of the work is done and the rest is not. */
const SOON_MS = 250
/** Longest wait for a run when it is stopped: a listener or store of the program may never answer. */
const ENDS_WITHIN_MS = 10_000

/**
 * Milliseconds to the next attempt: the interval while all is well, doubling with jitter while it is not.
 *
 * @param parameters.failures in a row
 * @param parameters.random uniform in [0, 1)
 */
export function pollDelayMs(parameters: {
  readonly intervalMs: number
  readonly failures: number
  readonly random: number
}): number {
  const { intervalMs, failures, random } = parameters
  if (failures === 0) return intervalMs
  const spreadMs = Math.min(Math.max(CEILING_MS, intervalMs), intervalMs * 2 ** failures)
  return spreadMs * (0.5 + random / 2)
}

/** Task that runs when triggered, one run at a time. */
export type OnDemand = {
  /** Runs the task, once more after a run that is under way. */
  readonly trigger: () => void
  /** Aborts the signal of a run and resolves when that has ended, after 10 s at most. */
  readonly stop: () => Promise<void>
}

/**
 * Runs a task on demand. One that returned true is run again after the interval, one that failed after pauses that
 * grow until it succeeds: from the interval on, or from a quarter of a second on once a part of its work was done.
 */
export function onDemand(
  parameters: ReportTo & {
    /** The clock and chance of a client are all that is needed to wait. */
    readonly client: Pick<ClientCore, 'clock' | 'randomness'>
    /** Looked up before each pause. @default 2000 */
    readonly pollIntervalMs?: number | undefined
    /** Calls `progressed` when a part of its work is done: pauses after failures are the shortest again. */
    readonly task: (signal: AbortSignal, progressed: () => void) => Promise<unknown>
  },
): OnDemand {
  const { client, task } = parameters
  const tell = errorListener(parameters)
  const controller = new AbortController()
  const { signal } = controller
  let isWanted = false
  let running: Promise<void> | null = null

  const delayAfter = (failures: number, hasProgressed: boolean): number => {
    const { pollIntervalMs = POLL_INTERVAL_MS } = parameters
    const intervalMs = hasProgressed ? Math.min(SOON_MS, pollIntervalMs) : pollIntervalMs
    return pollDelayMs({ intervalMs, failures, random: client.randomness() })
  }

  async function run(): Promise<void> {
    /** Since the last run that succeeded, or since a part of the work was done. */
    let failures = 0
    let isAgain = false
    /** A part of the work was done since the last run that succeeded. */
    let hasProgressed = false
    const progressed = (): void => {
      hasProgressed = true
      failures = -1
    }
    while ((isWanted || isAgain) && !signal.aborted) {
      try {
        if (isAgain) await client.clock.sleep(delayAfter(failures, hasProgressed), signal)
        isWanted = false
        isAgain = (await task(signal, progressed)) === true
        hasProgressed = false
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        tell(asNodeError(error))
        isAgain = true
        failures++
      }
    }
  }

  function trigger(): void {
    isWanted = true
    running ??= run().finally(() => {
      running = null
      // Asked for between the end of the run and this moment.
      if (isWanted && !signal.aborted) trigger()
    })
  }

  return {
    trigger,
    stop: async () => {
      controller.abort()
      if (running === null) return
      const ended = new AbortController()
      const tooLong = client.clock.sleep(ENDS_WITHIN_MS, ended.signal).catch(() => undefined)
      await Promise.race([running, tooLong])
      ended.abort()
    },
  }
}
