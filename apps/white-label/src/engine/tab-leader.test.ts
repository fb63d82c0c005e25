import { afterEach, expect, it, vi } from 'vitest'
import { createTabLeader } from './tab-leader.ts'

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
