import type { ErrorFacts, EventErrorCode, Sentences } from './facts.ts'
import { NodeError } from './node-error.ts'

export const eventSentences: Sentences<EventErrorCode> = {
  EVENT_TIMEOUT: ({ event, timeoutMs }) => `No event '${event}' came within ${timeoutMs} ms.`,
  EVENTS_DROPPED: ({ limit }) =>
    `More than ${limit} events waited to be taken; what came after them was dropped.`,
}

/** Creates an error of programs that wait for events. */
export function eventError<C extends EventErrorCode>(code: C, facts: ErrorFacts[C]): NodeError<C> {
  return new NodeError<EventErrorCode>(code, facts, undefined, eventSentences) as NodeError<C>
}
