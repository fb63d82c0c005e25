import { abortReason } from '@hailstone/runtime'
import { onAbort } from './on-abort.ts'

/** Time as the client sees it; tests and simulations bring their own. */
export type Clock = {
  /** Unix milliseconds, for what people and headers call time. It may jump. */
  readonly now: () => number
  /** Milliseconds that only ever grow, for every duration. */
  readonly monotonicMs: () => number
  /** Resolves after the time; rejects with the signal's reason when that fires first. */
  readonly sleep: (ms: number, signal?: AbortSignal | undefined) => Promise<void>
  /** The same as a callback and the way to take it back, a tenth of the cost. @default made of `sleep` */
  readonly after?: ((ms: number, wake: () => void) => () => void) | undefined
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortReason(signal))
    const cancel = after(ms, () => {
      takeBack()
      resolve()
    })
    const takeBack = onAbort(signal, () => {
      cancel()
      reject(abortReason(signal))
    })
  })
}

function after(ms: number, wake: () => void): () => void {
  if (ms <= 0) return afterEvents(wake)
  const timer = setTimeout(wake, ms)
  return () => clearTimeout(timer)
}

/**
 * Once what happened already was handled. A timer of 0 takes a millisecond on Node, four when browsers nest them,
 * and a second in a tab that is hidden; a message to ourselves takes none.
 */
function afterEvents(wake: () => void): () => void {
  // React Native has none.
  if (typeof MessageChannel === 'undefined') return after(1, wake)
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    wake()
  }
  port2.postMessage(0)
  return () => port1.close()
}

/** Clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep,
  after,
}

/** The same for who never sleeps: a page with the session alone carries nothing of how that is cut short. */
export const systemTime: Omit<Clock, 'sleep' | 'after'> & { readonly after: typeof after } = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after,
}
