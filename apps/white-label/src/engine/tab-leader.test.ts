import { afterEach, expect, it, vi } from 'vitest'
import { createTabLeader } from './tab-leader.ts'

it('queues anew by itself after what it opened as the leader failed, unless it resigned', async () => {
  vi.useFakeTimers()
  const request = async (_name: string, _options: object, lead: () => Promise<void>): Promise<void> => lead()
  vi.stubGlobal('navigator', { locks: { request } })
  let runs = 0
  const leader = createTabLeader({
    name: 'owner',
    onElected: async () => {
      runs++
      if (runs !== 3) throw new Error('not opened')
      return async () => {}
    },
  })
  leader.campaign()
  await vi.advanceTimersByTimeAsync(999)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(2_001)
  expect(runs).toBe(3)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(runs).toBe(3)
  await leader.resign()
  leader.campaign()
  await vi.advanceTimersByTimeAsync(0)
  expect(runs).toBe(4)
  await leader.resign()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(runs).toBe(4)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('gives up a lock that is granted while this tab resigns', async () => {
  let grant = (): void => {}
  const granted = new Promise<void>((resolve) => {
    grant = resolve
  })
  // A grant cannot be taken back: as in a browser, the function runs although the request was aborted.
  const request = async (_name: string, _options: object, lead: () => Promise<void>): Promise<void> => {
    await granted
    await lead()
  }
  vi.stubGlobal('navigator', { locks: { request } })
  let elected = 0
  const leader = createTabLeader({
    name: 'owner',
    onElected: async () => {
      elected++
      return async () => {}
    },
  })
  leader.campaign()
  const resigned = leader.resign()
  grant()
  await resigned
  expect(elected).toBe(0)
})
