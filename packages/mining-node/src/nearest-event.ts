import type { ExpectedEvent } from './assert-listens.ts'
import { levels } from './event-levels.ts'

/** The event that has most of the pairs of letters of a misspelt name. */
function nearestEvent(name: string): string {
  const pairs = [...name].slice(1).map((_, at) => name.slice(at, at + 2))
  const score = (event: string): number =>
    pairs.filter((pair) => event.includes(pair)).length / (event.length + name.length)
  return Object.keys(levels).reduce((best, event) => (score(event) > score(best) ? event : best))
}

/** Names the event that was probably meant. Pages that are not built for development go without. */
export const namedEvent: ExpectedEvent = (name) => `the name of an event, such as '${nearestEvent(name)}'`
