import { isNodeError, type NodeError, reportError } from '@hailstone/protocol'

/** Receives what went wrong while watching; the last good value stays. */
export type OnError = (error: NodeError) => void

/** Narrows what was caught: ours is reported, anything else is a fault of the program and goes on. */
export function asNodeError(error: unknown): NodeError {
  if (isNodeError(error)) return error
  throw error
}

/**
 * Returns a listener of errors whose own failures change nothing: one that throws or rejects would end the process, and
 * there is no other listener to report that to.
 */
export const errorListener =
  (onError: OnError | undefined) =>
  (error: NodeError): void => {
    try {
      const answer: unknown = onError?.(error)
      Promise.resolve(answer).catch(() => undefined)
    } catch {
      // As above.
    }
  }

/** Returns a function that passes what a callback threw to `onError`, as an error of ours, and never throws. */
export const listenerReport =
  (event: string, onError: OnError | undefined) =>
  (cause: unknown): NodeError => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const error = reportError('LISTENER_FAILED', { event, reason }, { cause })
    errorListener(onError)(error)
    return error
  }

/** Wraps a callback of the program so that its exceptions go to `onError` instead of to the caller. */
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
