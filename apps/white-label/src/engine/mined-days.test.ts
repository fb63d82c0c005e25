import { afterEach, expect, it } from 'vitest'
import { addToDay, fullDays, type MinedTimes, minedWithin } from './mined-days.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const zone = process.env.TZ

/** Moves this process to another time zone, and says so if it cannot. */
function moveTo(name: string, offsetMinutes: number): void {
  process.env.TZ = name
  expect(new Date(NOON).getTimezoneOffset()).toBe(offsetMinutes)
}

afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

const NOON = Date.UTC(2026, 0, 20, 12)

/** Mines an hour at each noon of UTC, as often as given, the last time at `NOON`. */
const minedDaily = (days: number): MinedTimes =>
  Array.from({ length: days }, (_, at) => NOON - (days - 1 - at) * DAY_MS).reduce<MinedTimes>(
    (times, atMs) => addToDay(times, HOUR_MS, atMs),
    {},
  )

const hours = (times: MinedTimes, nowMs: number): readonly number[] =>
  fullDays(nowMs).map((day) => minedWithin(times, day) / HOUR_MS)

it('adds up the time of a day until midnight, and begins the next day with it', () => {
  moveTo('UTC', 0)
  const midnight = Date.UTC(2026, 0, 21)
  const first = addToDay(addToDay({}, 2, midnight - 2), 3, midnight - 1)
  expect(first).toEqual({ [midnight - DAY_MS]: 5 })
  const both = addToDay(first, 7, midnight)
  expect(both).toEqual({ [midnight - DAY_MS]: 5, [midnight]: 7 })
  const [yesterday] = fullDays(midnight)
  expect(yesterday).toEqual({ startMs: midnight - DAY_MS, endMs: midnight })
  expect(minedWithin(both, { startMs: midnight - DAY_MS, endMs: midnight })).toBe(5)
})

it('has the last 14 full days, and forgets what is older', () => {
  moveTo('UTC', 0)
  const times = minedDaily(40)
  expect(hours(times, NOON)).toEqual(Array.from({ length: 14 }, () => 1))
  // Today, 14 full days, and one that another time zone may count to them.
  expect(Object.keys(times)).toHaveLength(16)
})

it.each([
  ['Pacific/Honolulu', 600],
  ['Asia/Tokyo', -540],
  ['Pacific/Kiritimati', -840],
])('keeps every day of a person who travels to %s', (name, offsetMinutes) => {
  moveTo('UTC', 0)
  const before = minedDaily(15)
  moveTo(name, offsetMinutes)
  const after = addToDay(before, 1, NOON)
  expect(Object.values(after).reduce((sum, one) => sum + one, 0)).toBe(15 * HOUR_MS + 1)
  // The oldest day may begin before the first full one of the new zone.
  const total = hours(after, NOON).reduce((sum, one) => sum + one, 0)
  expect(total).toBeGreaterThanOrEqual(13)
  moveTo('UTC', 0)
  expect(hours(addToDay(after, 1, NOON), NOON).filter((one) => one >= 1)).toHaveLength(14)
})
