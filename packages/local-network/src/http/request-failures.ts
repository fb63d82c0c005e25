import type { IncomingMessage } from 'node:http'

const failures = new WeakMap<IncomingMessage, unknown>()

/** Stores the error that failed a request, so that the server can log it. */
export const noteFailure = (request: IncomingMessage, error: unknown): void =>
  void failures.set(request, error)

/** @throws what was noted for this request */
export function throwFailure(request: IncomingMessage): void {
  if (failures.has(request)) throw failures.get(request)
}
