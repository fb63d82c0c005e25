import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Logger } from '../logger.ts'
import { createCopyUse } from './copy-use.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A copy that answers or never does, with the times of its probes and the lines of the log. */
function copyThat(state: { answers: boolean }) {
  const probes: number[] = []
  const lines: string[] = []
  const note = (message: string): void => void lines.push(message)
  const logger: Logger = { debug: note, info: note, warn: note, error: note }
  const probe = (): Promise<void> => {
    probes.push(performance.now())
    return state.answers ? Promise.resolve() : new Promise(() => {})
  }
  return { use: createCopyUse({ probe, logger }), probes, lines }
}

test('a read waits 300 ms for a copy, which is left alone then, for longer each time, and is probed by one', async () => {
  const state = { answers: true }
  const { use, probes, lines } = copyThat(state)
  await vi.advanceTimersByTimeAsync(0)
  state.answers = false
  probes.length = 0
  const began = performance.now()
  const reads = Array.from({ length: 50 }, () =>
    use.within(() => new Promise(() => {})).catch((error: unknown) => use.fail(error)),
  )
  await vi.advanceTimersByTimeAsync(301)
  await Promise.all(reads)
  expect(performance.now() - began).toBeLessThan(310)
  expect([use.isInUse(), use.state()]).toEqual([false, 'not in use at the moment'])
  await vi.advanceTimersByTimeAsync(120_000)
  const pauses = probes.slice(1).map((at, index) => at - (probes[index] ?? 0) - 3000)
  expect(pauses.slice(0, 8).map((ms) => Math.round(ms / 100) * 100)).toEqual([
    500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000,
  ])
  expect(lines).toEqual(['the copy for reads is not in use'])
  expect(use.state()).toBe('no answer in 3000 ms')
  state.answers = true
  await vi.advanceTimersByTimeAsync(13_000)
  expect([use.isInUse(), use.state()]).toEqual([true, 'in use'])
  expect(lines).toEqual(['the copy for reads is not in use', 'the copy for reads is in use again'])
  use.close()
})

test('a copy that is behind for a moment, as after each macroblock, is no news', async () => {
  const { use, lines } = copyThat({ answers: true })
  for (let count = 0; count < 100; count++) {
    use.fail(Object.assign(new Error('it is behind'), { code: '57P03' }))
    expect(use.state()).toBe('not in use at the moment')
    await vi.advanceTimersByTimeAsync(300)
  }
  expect([use.isInUse(), use.state(), lines]).toEqual([true, 'in use', []])
  use.close()
})

test('a question that takes long takes no copy away that answers others', async () => {
  const state = { answers: true }
  const { use, probes, lines } = copyThat(state)
  await vi.advanceTimersByTimeAsync(0)
  probes.length = 0
  const late = use.within(() => new Promise(() => {})).catch((error: unknown) => use.fail(error))
  await vi.advanceTimersByTimeAsync(301)
  await late
  expect([use.isInUse(), probes.length]).toEqual([true, 1])
  const ended = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  use.fail(ended)
  expect(use.isInUse()).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  expect([use.isInUse(), use.state(), probes.length]).toEqual([true, 'in use', 2])
  // One that answers nothing else either is of no use.
  state.answers = false
  use.fail(ended)
  use.fail(ended)
  expect(probes).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(3001)
  expect(use.isInUse()).toBe(false)
  expect(lines).toEqual([])
  use.close()
})
