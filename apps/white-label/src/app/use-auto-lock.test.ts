import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { activityOf } from './use-auto-lock.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('a clock that is set back by hours leaves no activity in the future, one that is adjusted does', () => {
  vi.setSystemTime(1_800_000_000_000)
  const { read, note } = activityOf('tidewater')
  note()
  vi.setSystemTime(1_800_000_000_000 - 2 * 3_600_000)
  expect(read()).toBe(0)
  note()
  vi.setSystemTime(Date.now() - 1_000)
  expect(read()).toBe(Date.now() + 1_000)
})
