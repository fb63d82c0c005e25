/**
 * Something that was read from the network, with its four faces. What is not known is never zero: a screen
 * shows a dash for `loading` and `failed`, and the value with its age for `stale`.
 */
export type Reading<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: T; readonly readAtMs: number }
  /** The last value that was read, and why there is no newer one. */
  | { readonly status: 'stale'; readonly value: T; readonly readAtMs: number; readonly why: string }
  | { readonly status: 'failed'; readonly why: string }

/** The value of a reading, if it ever had one. */
export const lastValue = <T>(reading: Reading<T>): T | undefined =>
  reading.status === 'ready' || reading.status === 'stale' ? reading.value : undefined
