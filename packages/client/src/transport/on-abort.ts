import { abortReason } from '@hailstone/runtime'

type Callbacks = { readonly all: Set<() => void>; readonly stop: () => void }

const listening = new WeakMap<AbortSignal, Callbacks>()

/**
 * Calls back when a signal fires, at once when it has. However many callers wait, a signal carries a single
 * listener: Node warns of a leak from the eleventh on, and one signal for many requests is no leak.
 *
 * @returns takes the callback back; the last one to leave removes the listener
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => undefined
  if (signal.aborted) {
    callback()
    return () => undefined
  }
  // A wrapper each, so that the same function given twice counts twice.
  const own = (): void => callback()
  const callbacks = listening.get(signal) ?? listen(signal)
  callbacks.all.add(own)
  return () => {
    if (callbacks.all.delete(own) && callbacks.all.size === 0) callbacks.stop()
  }
}

function listen(signal: AbortSignal): Callbacks {
  const all = new Set<() => void>()
  const fire = (): void => {
    stop()
    for (const callback of [...all]) callback()
  }
  const stop = (): void => {
    listening.delete(signal)
    signal.removeEventListener('abort', fire)
  }
  const callbacks = { all, stop }
  listening.set(signal, callbacks)
  signal.addEventListener('abort', fire)
  return callbacks
}

/** Waits for a promise until a signal fires. */
export async function unlessAborted<T>(
  promise: T | Promise<T>,
  signals: readonly (AbortSignal | undefined)[],
): Promise<T> {
  const undoing: (() => void)[] = []
  try {
    return await new Promise<T>((resolve, reject) => {
      for (const signal of signals) undoing.push(onAbort(signal, () => reject(abortReason(signal))))
      Promise.resolve(promise).then(resolve, reject)
    })
  } finally {
    for (const undo of undoing) undo()
  }
}
