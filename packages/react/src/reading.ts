import type { MiningSnapshot } from '@hailstone/mining-node'
import { type ErrorCode, isNodeError, type NodeError } from '@hailstone/protocol'

/**
 * Reason of a failure: a sentence for people and, where an error is the reason, that error. A `switch` over `error.code`
 * narrows `error.facts`.
 */
export type Failure = {
  /** One sentence for people. */
  readonly why: string
  /** Absent where the reason is none of our errors. */
  readonly error?: NodeError | undefined
  /** Code of `error`, to translate or branch on. */
  readonly code?: ErrorCode | undefined
}

/**
 * A value read from the network, in one of four states. Unknown is never zero: show a dash for `loading` and
 * `failed`, and the value with its age for `stale`.
 */
export type Reading<T> =
  | { readonly status: 'loading' }
  | {
      readonly status: 'ready'
      readonly value: T
      /** Unix milliseconds. */
      readonly readAtMs: number
    }
  /** The last value that was read, and why it could not be refreshed. */
  | ({
      readonly status: 'stale'
      readonly value: T
      /** Unix milliseconds. */
      readonly readAtMs: number
    } & Failure)
  | ({ readonly status: 'failed' } & Failure)

/** Returns the value of a reading; undefined if none was ever read. */
export const lastValue = <T>(reading: Reading<T>): T | undefined =>
  reading.status === 'ready' || reading.status === 'stale' ? reading.value : undefined

/** Describes what was thrown. */
export const failureOf = (thrown: unknown): Failure =>
  isNodeError(thrown)
    ? { why: thrown.message, error: thrown, code: thrown.code }
    : { why: thrown instanceof Error ? thrown.message : String(thrown) }

/** Why nothing is read over the HTTP interface; null while something is. */
export function failureOfApi(api: MiningSnapshot['api']): Failure | null {
  if (api.status !== 'unreachable' && api.status !== 'unused') return null
  return api.error === undefined ? { why: api.why } : failureOf(api.error)
}
