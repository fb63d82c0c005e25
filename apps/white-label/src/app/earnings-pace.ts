/** Own rewards of one full local day, and the time that this device mined in it. */
export type MinedDay = { readonly startMs: number; readonly minutes: number; readonly units: bigint }

/** Units earned in a time. */
type Rate = { readonly units: bigint; readonly minutes: bigint }

/** Slowest, middle and fastest of the counted days. */
export type Pace = {
  readonly lowest: Rate
  readonly middle: Rate
  readonly highest: Rate
  readonly days: number
  /** Mean time of mining of these days, in minutes. */
  readonly minutesADay: number
}

/** Days without which there is no estimate. */
export const NEEDED_DAYS = 3
const MIN_MINUTES = 60

/** Returns the days with enough time of mining to say something. */
export const countedDays = (days: readonly MinedDay[]): readonly MinedDay[] =>
  days.filter(({ minutes }) => minutes >= MIN_MINUTES)

/** Returns the own pace; null for too few days. Of an even number of days the slower one of both is the middle. */
export function paceOf(days: readonly MinedDay[]): Pace | null {
  const counted = countedDays(days)
  if (counted.length < NEEDED_DAYS) return null
  const rates = counted
    .map(({ units, minutes }): Rate => ({ units, minutes: BigInt(Math.round(minutes)) }))
    .toSorted((a, b) => {
      const difference = a.units * b.minutes - b.units * a.minutes
      return difference < 0n ? -1 : difference > 0n ? 1 : 0
    })
  const [lowest] = rates
  const middle = rates[Math.floor((rates.length - 1) / 2)]
  const highest = rates.at(-1)
  if (lowest === undefined || middle === undefined || highest === undefined) return null
  const total = counted.reduce((sum, { minutes }) => sum + minutes, 0)
  return { lowest, middle, highest, days: counted.length, minutesADay: total / counted.length }
}

/** Returns the units that a rate earns in a time, never rounded up. */
export const unitsIn = ({ units, minutes }: Rate, time: bigint): bigint => (units * time) / minutes
