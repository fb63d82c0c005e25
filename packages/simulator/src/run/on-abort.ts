const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls back when a signal fires. All who wait for a signal share one listener, as in the client: one signal for many
 * requests is no leak, and Node's warning of one is left for the code that is simulated.
 *
 * @returns takes the callback back
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => undefined
  const callbacks = waiting.get(signal) ?? listen(signal)
  callbacks.add(callback)
  return () => void callbacks.delete(callback)
}

function listen(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>()
  waiting.set(signal, callbacks)
  const fire = (): void => {
    for (const callback of [...callbacks]) callback()
  }
  signal.addEventListener('abort', fire, { once: true })
  return callbacks
}
