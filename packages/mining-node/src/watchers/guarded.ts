import { reportError } from '@hailstone/protocol'
import type { OnError } from './failure.ts'

/** A callback of the program's that cannot harm what calls it: what it throws is reported, once. */
export function guarded<Arguments extends readonly unknown[]>(parameters: {
  readonly event: string
  readonly callback: ((...given: Arguments) => unknown) | undefined
  readonly onError: OnError | undefined
}): (...given: Arguments) => Promise<void> {
  const { event, callback, onError } = parameters
  const report = (cause: unknown): void => {
    try {
      const reason = cause instanceof Error ? cause.message : String(cause)
      onError?.(reportError('LISTENER_FAILED', { event, reason }, { cause }))
    } catch {
      // The listener of errors threw as well: there is nobody left to tell.
    }
  }
  return (...given) => {
    try {
      return Promise.resolve(callback?.(...given)).then(() => undefined, report)
    } catch (error) {
      report(error)
      return Promise.resolve()
    }
  }
}
