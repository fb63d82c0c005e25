/** Signals of React Native have `aborted` and listeners, and no more. */
type Signal = AbortSignal | undefined

/** Returns the reason of a signal that fired; an `AbortError` where the platform keeps none. */
export function abortReason(signal: Signal): unknown {
  const reason: unknown = signal?.reason
  return reason === undefined
    ? Object.assign(new Error('The operation was aborted.'), { name: 'AbortError' })
    : reason
}

/** Throws the reason of a signal that fired. */
export function throwIfAborted(signal: Signal): void {
  if (signal?.aborted) throw abortReason(signal)
}
