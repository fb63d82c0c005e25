import type { IncomingMessage } from 'node:http'

const failures = new WeakMap<IncomingMessage, unknown>()

/** Remembers what the answer to a request failed with, for the server that says so. */
export const noteFailure = (request: IncomingMessage, error: unknown): void =>
  void failures.set(request, error)

/** @throws what was noted for this request */
export function throwFailure(request: IncomingMessage): void {
  if (failures.has(request)) throw failures.get(request)
}
