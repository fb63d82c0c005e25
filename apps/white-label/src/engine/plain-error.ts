import { isNodeError } from '@hailstone/protocol'
import type { PlainError } from './engine-state.ts'

/** Converts an error to plain data for `postMessage`. Errors of the library and of the engine contain no secrets. */
export function plainError(thrown: unknown): PlainError {
  if (isNodeError(thrown)) {
    const { code, message } = thrown
    return { code, message, facts: { ...thrown.facts } }
  }
  const { code } = Object(thrown) as { readonly code?: unknown }
  return {
    code: typeof code === 'string' ? code : 'UNKNOWN',
    message: thrown instanceof Error ? thrown.message : String(thrown),
    facts: {},
  }
}
