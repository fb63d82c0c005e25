import { assertArgument } from '@hailstone/protocol'
import { levels } from './event-levels.ts'

/** The event that has most of the pairs of letters of a misspelt name. */
function nearestEvent(name: string): string {
  const pairs = [...name].slice(1).map((_, at) => name.slice(at, at + 2))
  const score = (event: string): number =>
    pairs.filter((pair) => event.includes(pair)).length / (event.length + name.length)
  return Object.keys(levels).reduce((best, event) => (score(event) > score(best) ? event : best))
}

/** @throws {NodeError} `ARGUMENT_INVALID` for what cannot be called */
export const assertFunction = (listener: unknown, name: string): void =>
  assertArgument(typeof listener === 'function', name, 'a function', listener)

/** @throws {NodeError} `ARGUMENT_INVALID` for the name of no event, and for what cannot be called */
export function assertListens(event: string, listener: unknown): void {
  if (!Object.hasOwn(levels, event)) {
    assertArgument(false, 'event', `the name of an event, such as '${nearestEvent(String(event))}'`, event)
  }
  assertFunction(listener, 'listener')
}
