import { apiError, isNodeError } from '@hailstone/protocol'
import { throwIfAborted } from '@hailstone/runtime'
import { onAbort } from './on-abort.ts'
import type { TransportRequest } from './transport.ts'

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Takes what ends the work; calls it when the time is over, at once when it is already. */
export type OnCancel = (cancel: () => void) => void

/**
 * Carries one request under the caller's signal and its deadline, whichever fires first. Written out instead of
 * `AbortSignal.any` and `AbortSignal.timeout`, so that no timer and no listener outlives the call; a callback
 * instead of a signal, since a signal costs as much as a request on Node.
 *
 * @param reasonOf what a failure of the platform is called
 * @throws the reason of the caller's signal, untouched; {NodeError} `REQUEST_TIMEOUT`, `REQUEST_FAILED`, and those
 *   of `carry`
 */
export async function withDeadline<T>(
  { path, timeoutMs, signal }: TransportRequest,
  reasonOf: (error: unknown) => string,
  carry: (onCancel: OnCancel) => Promise<T>,
): Promise<T> {
  throwIfAborted(signal)
  let isOver = false
  let end = (): void => undefined
  const cancel = (): void => {
    isOver = true
    end()
  }
  const takeBack = onAbort(signal, cancel)
  const timer = setTimeout(cancel, Math.min(timeoutMs, LONGEST_TIMER_MS))
  try {
    return await carry((given) => {
      end = given
      if (isOver) given()
    })
  } catch (cause) {
    throwIfAborted(signal)
    if (isOver) throw apiError('REQUEST_TIMEOUT', { path, timeoutMs: Math.round(timeoutMs) }, { cause })
    throw isNodeError(cause)
      ? cause
      : apiError('REQUEST_FAILED', { path, reason: reasonOf(cause) }, { cause })
  } finally {
    clearTimeout(timer)
    takeBack()
  }
}
