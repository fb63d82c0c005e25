import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLiveScreen } from './live-screen.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('draws at most four times a second, however much changes, and not at all when nothing did', () => {
  const written: string[] = []
  let line = 0
  const screen = createLiveScreen({ write: (text) => void written.push(text), columns: () => 80 }, () => [
    `${line}`,
  ])
  for (let at = 0; at < 1_000; at++) {
    line++
    screen.changed()
    vi.advanceTimersByTime(1)
  }
  expect(written.length).toBeLessThanOrEqual(5)
  expect(written.length).toBeGreaterThanOrEqual(4)
  vi.advanceTimersByTime(300)
  const before = written.length
  vi.advanceTimersByTime(10_000)
  expect(written.length).toBe(before)
  screen.stop()
  expect(written.at(-1)).toContain('\u001b[?25h')
  expect(vi.getTimerCount()).toBe(0)
})

it('prints a line above the others, which are drawn again below it', () => {
  const written: string[] = []
  const screen = createLiveScreen({ write: (text) => void written.push(text), columns: () => 80 }, () => [
    'one',
    'two',
  ])
  written.length = 0
  screen.print('the configuration was not taken')
  expect(written.join('')).toMatch(/^\u001b\[2A\r\u001b\[Jthe configuration was not taken\n.*one\ntwo\n$/)
  screen.stop()
})
