import { assertArgument, NodeError } from '@hailstone/protocol'
import { nearestWord } from '@hailstone/runtime'

/**
 * A listener gets a fact that has happened already; nothing it does changes the fact.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` for the name of no event, `ARGUMENT_INVALID` for what cannot be called
 */
export type Listen<Events> = <Name extends keyof Events>(
  name: Name,
  listener: (event: Events[Name]) => void,
) => () => void

export type Emit<Events> = <Name extends keyof Events>(name: Name, event: Events[Name]) => void

function refused(names: readonly string[], name: unknown): NodeError {
  const near = nearestWord(String(name), names)
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  const expected = `the name of an event, one of ${names.join(', ')}${hint}`
  return new NodeError('CONFIGURATION_INVALID', { path: 'event', expected, found: `"${String(name)}"` })
}

/**
 * Creates typed events over plain sets. An exception of a listener is reported; the other listeners still run.
 *
 * @param events each of their names
 */
export function createEvents<Events extends Record<string, unknown>>(
  events: { readonly [Name in keyof Events]: true },
  onFailure: (error: unknown) => void,
): {
  readonly on: Listen<Events>
  readonly emit: Emit<Events>
} {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>()
  return {
    on(name, listener) {
      if (!Object.hasOwn(events, name)) throw refused(Object.keys(events), name)
      assertArgument(typeof listener === 'function', 'listener', 'a function', listener)
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener))
      return () => set.delete(listener)
    },
    emit(name, event) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          listener(event as never)
        } catch (error) {
          onFailure(error)
        }
      }
    },
  }
}
