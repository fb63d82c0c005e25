import { expect, it } from 'vitest'
import { type MinedTime, minedTimeAt } from './mined-time.ts'

const MINUTE_MS = 60_000

/** Reads every two seconds for some minutes, except where nothing ran. */
function passed(before: MinedTime | null, minutes: number, isMining = true): MinedTime | null {
  const sinceMs = before?.atMs ?? 0
  let time = before
  for (let atMs = sinceMs; atMs <= sinceMs + minutes * MINUTE_MS; atMs += 2_000)
    time = minedTimeAt(time, { atMs, isWanted: true, isMining })
  return time
}

it('counts time without a connection and gaps as open and not as mined', () => {
  const begun = passed(null, 10)
  expect(begun).toMatchObject({ openMs: 10 * MINUTE_MS, minedMs: 10 * MINUTE_MS })
  const frozen = minedTimeAt(begun, { atMs: 25 * MINUTE_MS, isWanted: true, isMining: true })
  expect(frozen).toMatchObject({ openMs: 25 * MINUTE_MS, minedMs: 10 * MINUTE_MS })
  const disconnected = minedTimeAt(frozen, { atMs: 25 * MINUTE_MS, isWanted: true, isMining: false })
  expect(passed(disconnected, 5, false)).toMatchObject({ openMs: 30 * MINUTE_MS, minedMs: 10 * MINUTE_MS })
})

it('begins anew with each start, and a clock that was set back takes nothing away', () => {
  const begun = passed(null, 10)
  expect(minedTimeAt(begun, { atMs: 11 * MINUTE_MS, isWanted: false, isMining: false })).toBeNull()
  expect(minedTimeAt(null, { atMs: 12 * MINUTE_MS, isWanted: true, isMining: false })).toMatchObject({
    openMs: 0,
  })
  expect(minedTimeAt(begun, { atMs: MINUTE_MS, isWanted: true, isMining: true })).toMatchObject({
    openMs: 10 * MINUTE_MS,
    minedMs: 10 * MINUTE_MS,
  })
})
