import { describe, expect, it } from 'vitest'
import { steppedClock } from '../../test/stepped-clock.ts'
import { type SessionClock, sessionClock } from './clock.ts'
import { createInflow } from './inflow.ts'

function startInflow() {
  const clock = steppedClock()
  const taken: string[] = []
  let floods = 0
  const inflow = createInflow({
    clock: sessionClock(clock),
    take: (frame) => taken.push(frame),
    onFlooded: () => floods++,
  })
  return { ...inflow, clock, taken, floods: () => floods }
}

/** A clock that stands still until it is moved; `next` runs what waits for the next turn. */
function handClock() {
  let waiting: (() => void)[] = []
  const turn = {
    now: 0,
    next: (): void => {
      for (const run of waiting.splice(0)) run()
    },
  }
  const clock: SessionClock = {
    now: () => turn.now,
    wallNow: () => turn.now,
    after: (_, run) => {
      waiting.push(run)
      return () => {
        waiting = waiting.filter((one) => one !== run)
      }
    },
  }
  return { turn, clock }
}

const beacon = (number: number): string => `${number}`.padEnd(1_200)
const largest = (number: number): string => `${number}`.padEnd(512 * 1024)
const numbers = (frames: readonly string[]): readonly number[] => frames.map(Number)

describe('A-12: the frames of one connection', () => {
  it('are read at once and in order as long as they are few', () => {
    const { offer, taken } = startInflow()
    for (let number = 0; number < 500; number++) offer(beacon(number))
    expect(numbers(taken)).toEqual(Array.from({ length: 500 }, (_, number) => number))
  })

  it('of 10,000 beacons in a second 1,300 are read, the newest among them, and one waits', async () => {
    const { offer, clock, taken, floods } = startInflow()
    for (let number = 0; number < 10_000; number++) {
      offer(beacon(number))
      if (number % 100 === 99) await clock.advance(10)
    }
    expect(taken.length).toBeGreaterThan(600)
    expect(taken.length).toBeLessThan(1_300)
    await clock.advance(100)
    expect(Number(taken.at(-1))).toBe(9_999)
    expect(floods()).toBe(0)
  })

  it('are four at once and four a second when they have the largest size', async () => {
    const { offer, clock, taken } = startInflow()
    for (let number = 0; number < 100; number++) offer(largest(number))
    expect(numbers(taken)).toEqual([0, 1, 2, 3])
    await clock.advance(1_000)
    expect(numbers(taken)).toEqual([0, 1, 2, 3, 99])
    for (let number = 100; number < 120; number++) offer(largest(number))
    expect(taken).toHaveLength(8)
  })

  it('are read in turns of some milliseconds, in order, however dear they are', () => {
    const { turn, clock } = handClock()
    const taken: string[] = []
    const { offer } = createInflow({
      clock,
      // Each frame takes 3 ms.
      take: (frame) => {
        taken.push(frame)
        turn.now += 3
      },
      onFlooded: () => {},
    })
    const counts: number[] = []
    for (let number = 0; number < 100; number++) offer(beacon(number))
    for (let before = 0; taken.length > before; turn.next()) {
      counts.push(taken.length - before)
      before = taken.length
    }
    expect(Math.max(...counts)).toBe(3)
    expect(numbers(taken)).toEqual(Array.from({ length: 100 }, (_, number) => number))
  })

  it('that came before a close are read before it is told', () => {
    const { turn, clock } = handClock()
    const reported: string[] = []
    const { offer, finish } = createInflow({
      clock,
      take: (frame) => {
        reported.push(frame)
        turn.now += 50
      },
      onFlooded: () => {},
    })
    for (const frame of ['first', 'second', 'third']) offer(frame)
    finish(() => reported.push('closed'))
    offer('too late')
    expect(reported).toEqual(['first'])
    for (let count = 0; count < 5; count++) turn.next()
    expect(reported).toEqual(['first', 'second', 'third', 'closed'])
  })

  it('end with a gateway that sends 64 MiB more than is read', () => {
    const { offer, taken, floods } = startInflow()
    for (let number = 0; number < 200; number++) offer(largest(number))
    expect(floods()).toBe(1)
    expect(taken).toHaveLength(4)
  })

  it('forgive a burst that was followed by a pause', async () => {
    const { offer, clock, floods } = startInflow()
    for (let burst = 0; burst < 10; burst++) {
      for (let number = 0; number < 60; number++) offer(largest(number))
      await clock.advance(3_000)
    }
    expect(floods()).toBe(0)
  })

  it('are dropped after the end, and no timer is left', async () => {
    const { offer, end, clock, taken } = startInflow()
    for (let number = 0; number < 10; number++) offer(largest(number))
    end()
    offer(beacon(10))
    await clock.advance(60_000)
    expect(numbers(taken)).toEqual([0, 1, 2, 3])
  })
})
