import type { LogFields, Logger } from '@hailstone/client'
import { levels } from './event-levels.ts'
import type { EventHub, MiningEvent } from './events.ts'

const levelOf: { readonly [E in MiningEvent]: keyof Logger } = levels

/** Writes the events of a node as log lines: the event's name as message, and flat fields. */
export function logEvents(events: EventHub, logger: Logger): void {
  for (const [event, level] of Object.entries(levelOf))
    events.on(event as MiningEvent, (given) => logger[level](event, flat(given)))
}

/** Of an error its code and message; of anything else what has no members of its own. */
function flat(given: object): LogFields {
  if ('error' in given) {
    const { code, message } = given.error as { readonly code: string; readonly message: string }
    return { code, message }
  }
  const isFlat = ([, value]: [string, unknown]): boolean => Object(value) !== value
  return Object.fromEntries(Object.entries(given).filter(isFlat))
}
