/**
 * A value read from the network, in one of four states. Unknown is never zero: show a dash for `loading` and
 * `failed`, and the value with its age for `stale`.
 */
export type Reading<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: T; readonly readAtMs: number }
  /** The last value that was read, and why it could not be refreshed. */
  | { readonly status: 'stale'; readonly value: T; readonly readAtMs: number; readonly why: string }
  | { readonly status: 'failed'; readonly why: string }

/** Returns the value of a reading; undefined if none was ever read. */
export const lastValue = <T>(reading: Reading<T>): T | undefined =>
  reading.status === 'ready' || reading.status === 'stale' ? reading.value : undefined
