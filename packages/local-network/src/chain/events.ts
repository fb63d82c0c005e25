/** A listener gets a fact that has happened already; nothing it does changes the fact. */
export type Listen<Events> = <Name extends keyof Events>(
  name: Name,
  listener: (event: Events[Name]) => void,
) => () => void

export type Emit<Events> = <Name extends keyof Events>(name: Name, event: Events[Name]) => void

/** Typed events over plain sets. A listener that throws is reported and harms nobody else. */
export function createEvents<Events extends Record<string, unknown>>(
  onFailure: (error: unknown) => void,
): {
  readonly on: Listen<Events>
  readonly emit: Emit<Events>
} {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>()
  return {
    on(name, listener) {
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
