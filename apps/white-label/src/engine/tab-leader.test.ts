import { afterEach, expect, it, vi } from 'vitest'
import { createTabLeader } from './tab-leader.ts'

it('queues anew after what it opened as the leader failed', async () => {
  let runs = 0
  const request = async (_name: string, _options: object, lead: () => Promise<void>): Promise<void> => {
    runs++
    await lead().catch(() => undefined)
    if (runs === 1) throw new Error('not opened')
  }
  vi.stubGlobal('navigator', { locks: { request } })
  const failures: unknown[] = []
  const note = (error: unknown): void => void failures.push(error)
  process.on('unhandledRejection', note)
  try {
    const leader = createTabLeader({
      name: 'owner',
      onElected: async () => {
        throw new Error('not opened')
      },
    })
    leader.campaign()
    await vi.waitFor(() => expect(failures).toHaveLength(1))
    leader.campaign()
    expect(runs).toBe(2)
  } finally {
    process.off('unhandledRejection', note)
  }
})

afterEach(() => vi.unstubAllGlobals())

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
