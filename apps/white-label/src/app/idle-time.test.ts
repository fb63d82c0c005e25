import { expect, it } from 'vitest'
import { type Clocks, type Idle, laterIdle } from './idle-time.ts'

const MIN = 60_000
const start: Idle = { ms: 0, steadyMs: 500, wallMs: 1_800_000_000_000, stamp: null }

/** Looks again after these minutes of the steady clock and of the wall clock. */
const after = (before: Idle, steadyMin: number, wallMin: number, stamp = before.stamp): Idle =>
  laterIdle(before, {
    steadyMs: before.steadyMs + steadyMin * MIN,
    wallMs: before.wallMs + wallMin * MIN,
    stamp,
  } satisfies Clocks)

it('counts on when the clock is set back, however far, and however often', () => {
  expect(after(start, 10, -120).ms).toBe(10 * MIN)
  const looks = Array.from({ length: 10 }, () => 1)
  expect(looks.reduce((idle, steadyMin) => after(idle, steadyMin, -1), start).ms).toBe(10 * MIN)
})

it('counts a sleep, in which the steady clock of some systems stands still', () => {
  expect(after(start, 0, 30).ms).toBe(30 * MIN)
})

it('begins anew with a use in another tab, and with none that was there before', () => {
  const idle = after(start, 9, 9)
  const used = String(start.wallMs + 9.5 * MIN)
  const seen = after(idle, 1, 1, used)
  expect(seen.ms).toBe(0.5 * MIN)
  expect(after(seen, 5, 5, used).ms).toBe(5.5 * MIN)
})

it('takes a use of an unknown time as no newer than the last look', () => {
  const idle = after(start, 9, 9)
  const inFuture = String(start.wallMs + 1_000 * MIN)
  expect(after(idle, 2, 2, inFuture).ms).toBe(2 * MIN)
  expect(after(idle, 2, 2, 'nonsense').ms).toBe(2 * MIN)
})
