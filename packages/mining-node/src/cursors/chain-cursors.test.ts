import { createClient } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it, onTestFinished } from 'vitest'
import { cursorsOfChain } from './chain-cursors.ts'
import { createMemoryCursors } from './cursor-store.ts'

const { signal } = new AbortController()

it('two networks that are known by their addresses alone share no cursor, and one network keeps its own', async () => {
  const store = createMemoryCursors()
  const networks = await Promise.all(
    ['one', 'other'].map((seed) => startLocalNetwork({ seed, blockTimeMs: 3_600_000 })),
  )
  onTestFinished(async () => {
    await Promise.all(networks.map((network) => network.stop()))
  })
  const openings = networks.map(({ apiUrl }) => async () => {
    const client = createClient({ apiUrl })
    onTestFinished(() => client.close())
    return cursorsOfChain(store, client, signal)
  })
  for (const [at, open] of openings.entries()) await (await open()).write('rewards:02ab', String(at))
  for (const [at, open] of openings.entries())
    expect(await (await open()).read('rewards:02ab')).toBe(String(at))
})

it('a cursor is not read, and none is begun, while no node has block 0', async () => {
  const store = createMemoryCursors()
  const transport = {
    request: async () => ({ status: 404, contentType: 'application/json', text: '{"err":1,"message":"no"}' }),
  }
  const client = createClient({ apiUrl: 'http://127.0.0.1:1', transport })
  const cursors = cursorsOfChain(store, client, signal)
  await expect(cursors.read('rewards:02ab')).rejects.toMatchObject({ code: 'HEIGHT_UNAVAILABLE' })
})
