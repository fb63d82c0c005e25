import { isNodeError } from '@hailstone/protocol'
import type { PlainError } from './engine-state.ts'

/** Converts an error to plain data for `postMessage`. Errors of the library contain no secrets. */
export function plainError(thrown: unknown): PlainError {
  if (isNodeError(thrown)) {
    const { code, message } = thrown
    return { code, message, facts: { ...thrown.facts } }
  }
  return { code: 'UNKNOWN', message: thrown instanceof Error ? thrown.message : String(thrown), facts: {} }
}
