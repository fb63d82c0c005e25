import { apiError } from '@hailstone/protocol'
import { onAbort } from './on-abort.ts'

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Runs something under the caller's signal and a deadline, whichever fires first. Written out instead of
 * `AbortSignal.any` and `AbortSignal.timeout`, so that no timer and no listener outlives the call.
 *
 * @throws the reason of the caller's signal, untouched; {NodeError} `REQUEST_TIMEOUT`
 */
export async function withDeadline<T>(
  parameters: {
    readonly path: string
    readonly timeoutMs: number
    readonly signal?: AbortSignal | undefined
  },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { path, timeoutMs, signal } = parameters
  signal?.throwIfAborted()
  const controller = new AbortController()
  const cancel = (): void => controller.abort()
  const takeBack = onAbort(signal, cancel)
  const timer = setTimeout(cancel, Math.min(timeoutMs, LONGEST_TIMER_MS))
  try {
    return await run(controller.signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (!controller.signal.aborted) throw error
    throw apiError('REQUEST_TIMEOUT', { path, timeoutMs: Math.round(timeoutMs) }, { cause: error })
  } finally {
    clearTimeout(timer)
    takeBack()
  }
}
