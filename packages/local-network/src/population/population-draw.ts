import type { Address } from '@hailstone/protocol'
import { type Person, weekdayFactor } from './population-people.ts'

/** Where a macroblock stands in the days of a population. */
export type Moment = {
  readonly day: number
  /** 0 is a Monday. */
  readonly weekday: number
  /** 0 … 23 */
  readonly hour: number
}

const HOURS = 24

/** Returns the share of people at an hour of their own day: few at night, most in the evening. */
const hourFactor = (hour: number): number => 0.55 - 0.45 * Math.cos((2 * Math.PI * (hour - 7)) / HOURS)

const isIn = (day: number) => (span: { readonly from: number; readonly to: number }) =>
  day >= span.from && day < span.to

/** True if a person mines, or wants to, on that day. */
export const isMember = ({ spells }: Person, day: number): boolean => spells.some(isIn(day))

/** Returns the people who are connected at a moment. */
export function connectedPeople(
  people: readonly Person[],
  { day, weekday, hour }: Moment,
  random: () => number,
): readonly Person[] {
  return people.filter((person) => {
    const chance = person.presence * weekdayFactor(weekday) * hourFactor((hour + person.zoneHours) % HOURS)
    // Drawn for everybody, so that one who leaves changes nothing for the others.
    const isThere = random() < chance
    return isThere && isMember(person, day)
  })
}

/** Returns the agent whose code a person uses on a day. */
export const agentOn = ({ agents }: Person, day: number): Address | null =>
  agents.findLast(({ fromDay }) => fromDay <= day)?.agent ?? null
