import { type Client, createClient } from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createMemoryCursors } from '../src/cursors/cursor-store.ts'
import { createAccountWatch, watchBalance } from '../src/watch/index.ts'
import { fastClock } from './fast-clock.ts'
import { scriptedApi } from './scripted-api.ts'
import { pause, until } from './until.ts'

const address = `02${'ab'.repeat(32)}` as Address

/** An API whose transport does not know of signals, and answers one path only when it is told to. */
function lateApi(path: string) {
  const clock = fastClock(1_000)
  const api = scriptedApi(address, clock)
  const asked: string[] = []
  const late: (() => void)[] = []
  const client: Client = createClient({
    apiUrl: 'http://127.0.0.1:1/api/v1',
    clock,
    transport: {
      request: async ({ signal: _, ...given }) => {
        asked.push(given.path)
        if (given.path === path) await new Promise<void>((resolve) => late.push(resolve))
        return api.client.transport.request(given)
      },
    },
  })
  const answer = async (): Promise<void> => {
    for (let left = 3; left > 0; left--) {
      for (const resolve of late.splice(0)) resolve()
      await pause(10)
    }
  }
  return { client, asked, late, answer }
}

it('an answer that comes after the end begins nothing', async () => {
  const { client, asked, late, answer } = lateApi('/native_token')
  const watch = createAccountWatch({ address, client })
  await watch.watch()
  await until(() => late.length > 0, 'the token is asked for')
  await watch.close()
  await answer()
  expect(asked).toEqual(['/native_token'])
})

it('a balance that comes after the end is not told, and not kept', async () => {
  const { client, late, answer } = lateApi('/balance')
  const store = createMemoryCursors()
  const told: unknown[] = []
  const tell = (given: unknown): unknown => told.push(given)
  const cursor = { store, name: 'kept' }
  const watch = watchBalance({ client, address, cursor, onChange: tell, onRead: tell })
  await until(() => late.length > 0, 'it is asked for')
  await watch.stop()
  await answer()
  expect([told, await store.read('kept')]).toEqual([[], null])
})
