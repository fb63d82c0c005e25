import { onAbort } from './on-abort.ts'

/** Time as the client sees it; tests and simulations bring their own. */
export type Clock = {
  /** Unix milliseconds, for what people and headers call time. It may jump. */
  readonly now: () => number
  /** Milliseconds that only ever grow, for every duration. */
  readonly monotonicMs: () => number
  /** Resolves after the time; rejects with the signal's reason when that fires first. */
  readonly sleep: (ms: number, signal?: AbortSignal | undefined) => Promise<void>
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(() => {
      takeBack()
      resolve()
    }, ms)
    const takeBack = onAbort(signal, () => {
      clearTimeout(timer)
      reject(signal?.reason)
    })
  })
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep,
}
