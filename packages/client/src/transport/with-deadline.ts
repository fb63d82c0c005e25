import { apiError } from '@hailstone/protocol'
import { onAbort } from './on-abort.ts'

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Takes what ends the work; calls it when the time is over, at once when it is already. */
export type OnCancel = (cancel: () => void) => void

/**
 * Runs something under the caller's signal and a deadline, whichever fires first. Written out instead of
 * `AbortSignal.any` and `AbortSignal.timeout`, so that no timer and no listener outlives the call; a callback
 * instead of a signal, since a signal costs as much as a request on Node.
 *
 * @throws the reason of the caller's signal, untouched; {NodeError} `REQUEST_TIMEOUT`
 */
export async function withDeadline<T>(
  parameters: {
    readonly path: string
    readonly timeoutMs: number
    readonly signal?: AbortSignal | undefined
  },
  run: (onCancel: OnCancel) => Promise<T>,
): Promise<T> {
  const { path, timeoutMs, signal } = parameters
  signal?.throwIfAborted()
  let isOver = false
  let end = (): void => undefined
  const cancel = (): void => {
    isOver = true
    end()
  }
  const takeBack = onAbort(signal, cancel)
  const timer = setTimeout(cancel, Math.min(timeoutMs, LONGEST_TIMER_MS))
  try {
    return await run((given) => {
      if (isOver) given()
      else end = given
    })
  } catch (error) {
    signal?.throwIfAborted()
    if (!isOver) throw error
    throw apiError('REQUEST_TIMEOUT', { path, timeoutMs: Math.round(timeoutMs) }, { cause: error })
  } finally {
    clearTimeout(timer)
    takeBack()
  }
}
