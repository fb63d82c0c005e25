/** One value that is replaced, never changed, and whoever wants to know when. */
type Store<T> = {
  readonly snapshot: () => T
  /** Calls back after every change, without arguments, as user interface libraries want it. */
  readonly subscribe: (listener: () => void) => () => void
}

export type WritableStore<T> = Store<T> & { readonly update: (changes: Partial<T>) => void }

/**
 * @param parameters.onThrow receives what a listener threw; the other listeners are called all the same
 */
export function createStore<T extends object>(parameters: {
  readonly initial: T
  readonly onThrow: (error: unknown) => void
}): WritableStore<T> {
  const listeners = new Set<{ readonly call: () => void }>()
  let current = parameters.initial
  const update = (changes: Partial<T>): void => {
    const hasChanged = Object.entries(changes).some(([name, value]) => current[name as keyof T] !== value)
    if (!hasChanged) return
    current = { ...current, ...changes }
    for (const listener of [...listeners]) callSafely(listener.call, parameters.onThrow)
  }
  const subscribe = (call: () => void): (() => void) => {
    const listener = { call }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }
  return { snapshot: () => current, subscribe, update }
}

function callSafely(call: () => void, onThrow: (error: unknown) => void): void {
  try {
    call()
  } catch (error) {
    onThrow(error)
  }
}
