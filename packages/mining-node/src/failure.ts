import type { ClientCore } from '@hailstone/client'
import { isNodeError, type NodeError, reportError } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'

/** Receives what went wrong while watching; the last good value stays. */
export type OnError = (error: NodeError) => void

/** Where failures are reported: to the program, or to the logger where it has no listener or that fails as well. */
export type ReportTo = {
  readonly onError?: OnError | undefined
  readonly client?: Partial<Pick<ClientCore, 'logger'>> | undefined
}

/** Returns what a callback threw as an error of ours. */
export const callbackError = (event: string, cause: unknown): NodeError =>
  reportError(
    'LISTENER_FAILED',
    { event, reason: cause instanceof Error ? cause.message : String(cause) },
    { cause },
  )

/** Returns what was caught while watching as an error of ours. Anything else was thrown by code of the program. */
export const asNodeError = (cause: unknown): NodeError =>
  isNodeError(cause) ? cause : callbackError('watch', cause)

/** Returns a function that reports errors and never throws. */
export function errorListener({ onError, client }: ReportTo): OnError {
  const log = guarded(({ code, message }: NodeError) => client?.logger?.warn('failed', { code, message }))
  return (error) =>
    guarded(onError ?? log, (cause) => {
      log(error)
      log(callbackError('error', cause))
    })(error)
}

/** Returns a function that reports what a callback threw, as an error of ours, and never throws. */
export const listenerReport =
  (event: string, to: ReportTo) =>
  (cause: unknown): NodeError => {
    const error = callbackError(event, cause)
    errorListener(to)(error)
    return error
  }
