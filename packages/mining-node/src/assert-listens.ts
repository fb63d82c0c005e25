import { assertArgument, written } from '@hailstone/protocol'
import { levels } from './event-levels.ts'

/** Says which event should have been named instead of one that there is not; completes "should be". */
export type ExpectedEvent = (name: string) => string

/** @throws {NodeError} `ARGUMENT_INVALID` for what cannot be called */
export const assertFunction = (listener: unknown, name: string): void =>
  assertArgument(typeof listener === 'function', name, 'a function', listener)

/** @throws {NodeError} `ARGUMENT_INVALID` for the name of no event, and for what cannot be called */
export function assertListens(event: string, listener: unknown, expectedEvent?: ExpectedEvent): void {
  const expected = expectedEvent?.(written(event)) ?? 'the name of an event'
  const isEvent = typeof event === 'string' && Object.hasOwn(levels, event)
  assertArgument(isEvent, 'event', expected, event)
  assertFunction(listener, 'listener')
}
