import { type NodeError, reportError } from '@hailstone/protocol'
import type { OnError } from './failure.ts'

/** Returns a function that passes what a callback threw to `onError`, as an error of ours, and never throws. */
export const listenerReport =
  (event: string, onError: OnError | undefined) =>
  (cause: unknown): NodeError => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const error = reportError('LISTENER_FAILED', { event, reason }, { cause })
    try {
      onError?.(error)
    } catch {
      // The listener of errors threw as well: there is nobody left to tell.
    }
    return error
  }

/** A callback of the program's that cannot harm what calls it: what it throws is reported, once. */
export function guarded<Arguments extends readonly unknown[]>(parameters: {
  readonly event: string
  readonly callback: ((...given: Arguments) => unknown) | undefined
  readonly onError: OnError | undefined
}): (...given: Arguments) => void {
  const { event, callback, onError } = parameters
  const report = listenerReport(event, onError)
  return (...given) => {
    try {
      Promise.resolve(callback?.(...given)).catch(report)
    } catch (error) {
      report(error)
    }
  }
}
