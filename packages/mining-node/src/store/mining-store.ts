import { guarded } from '@hailstone/runtime'
import { EventEmitter } from 'eventemitter3'
import { assertFunction } from '../assert-listens.ts'
import { listenerReport, type OnError } from '../failure.ts'

/** One value that is replaced, never changed, and whoever wants to know when. */
type Store<T> = {
  readonly snapshot: () => T
  /**
   * Calls back after every change, without arguments, as user interface libraries want it.
   *
   * @throws {NodeError} `ARGUMENT_INVALID`
   */
  readonly subscribe: (listener: () => void) => () => void
}

export type WritableStore<T> = Store<T> & { readonly update: (changes: Partial<T>) => void }

/**
 * @param parameters.onError called for a listener that threw; the others are called nevertheless
 */
export function createStore<T extends object>(parameters: {
  readonly initial: T
  readonly onError: OnError
}): WritableStore<T> {
  const emitter = new EventEmitter<'changed'>()
  let current = parameters.initial
  const update = (changes: Partial<T>): void => {
    const hasChanged = Object.entries(changes).some(([name, value]) => current[name as keyof T] !== value)
    if (!hasChanged) return
    current = { ...current, ...changes }
    emitter.emit('changed')
  }
  const subscribe = (call: () => void): (() => void) => {
    assertFunction(call, 'listener')
    const listener = guarded(call, listenerReport('snapshot', parameters))
    emitter.on('changed', listener)
    return () => {
      emitter.off('changed', listener)
    }
  }
  return { snapshot: () => current, subscribe, update }
}
