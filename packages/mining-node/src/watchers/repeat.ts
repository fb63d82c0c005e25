import type { ClientCore } from '@hailstone/client'
import { asNodeError, type OnError } from './failure.ts'
import { pollDelayMs } from './poll-delay.ts'

/** A task that is run when there is reason to, one run at a time. */
export type OnDemand = {
  /** Runs the task, once more after a run that is under way. */
  readonly trigger: () => void
  readonly stop: () => Promise<void>
}

/** The clock and chance of a client: all that the watchers need to wait. */
export type Pace = Pick<ClientCore, 'clock' | 'randomness'>

/** Runs a task on demand; a run that failed is repeated with growing pauses until it succeeds. */
export function onDemand(parameters: {
  readonly pace: Pace
  readonly intervalMs: number
  readonly task: (signal: AbortSignal) => Promise<void>
  readonly onError: OnError
}): OnDemand {
  const { pace, intervalMs, task, onError } = parameters
  const controller = new AbortController()
  const { signal } = controller
  let isWanted = false
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    for (let failures = 0; isWanted && !signal.aborted; ) {
      isWanted = false
      try {
        await task(signal)
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        onError(asNodeError(error))
        isWanted = true
        failures++
        await pause(pace, { intervalMs, failures, signal })
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
      await running
    },
  }
}

/** Waits before the next attempt; returns at once when the signal fires. */
export async function pause(
  { clock, randomness }: Pace,
  parameters: { readonly intervalMs: number; readonly failures: number; readonly signal: AbortSignal },
): Promise<void> {
  const delayMs = pollDelayMs({ ...parameters, random: randomness() })
  try {
    await clock.sleep(delayMs, parameters.signal)
  } catch (error) {
    if (!parameters.signal.aborted) throw error
  }
}
