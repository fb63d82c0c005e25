import { createClient, createWallet } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { createMiningNode, isNodeError, type MiningEvents } from '@hailstone/mining-node'
import { expect, it } from 'vitest'
import { events, waitFor } from '../src/events/index.ts'
import { createEventHub } from '../src/events.ts'

it('waits for the first reward, and loops over what happens until the node stopped', async () => {
  await using network = await startLocalNetwork({ seed: 'events', blockTimeMs: 500 })
  const { apiUrl, gatewayUrl } = network
  const wallet = createWallet()
  await using client = createClient({ apiUrl })
  await using node = createMiningNode({ wallet, client, gatewayUrl, blockTimeMs: 500 })
  await client.requestTestCoins({ address: wallet.address })
  await using taken = events(node, ['published', 'included', 'stopped'])
  const hailed: string[] = []
  node.once('published', () => hailed.push('first'))
  await node.start()
  const timeoutMs = 120_000
  const [reward, large] = await Promise.all([
    waitFor(node, 'rewarded', { timeoutMs }),
    waitFor(node, 'balanceChanged', {
      where: ({ previous }) => previous !== null && previous > 0n,
      timeoutMs,
    }),
    // A reward can be read before the inclusion is noticed.
    waitFor(node, 'included', { timeoutMs }),
  ])
  expect(reward.amount).toBeGreaterThan(0n)
  expect(large.previous).toBeGreaterThan(0n)
  await waitFor(node, 'published', { timeoutMs })
  await node.stop()
  const names: string[] = []
  const published = new Set<string>()
  for await (const event of taken) {
    names.push(event.name)
    if (event.name === 'published') published.add(event.given.microblockHash)
    if (event.name === 'included') expect(published).toContain(event.given.microblockHash)
    if (event.name === 'stopped') break
  }
  expect(names[0]).toBe('published')
  expect(names).toContain('included')
  expect(names.at(-1)).toBe('stopped')
  expect(names.filter((name) => name === 'published').length).toBeGreaterThan(1)
  expect(hailed).toEqual(['first'])
})

const height = (value: number): MiningEvents['heightChanged'] => ({
  height: value,
  isStale: false,
  source: 'http://127.0.0.1:9',
})

/** Counts who listens, so that nobody is left behind. */
function countedHub() {
  const hub = createEventHub()
  let listeners = 0
  const on: typeof hub.on = (event, listener) => {
    listeners++
    const leave = hub.on(event, listener)
    return () => {
      listeners--
      leave()
    }
  }
  return { on, emit: hub.emit, listeners: () => listeners }
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => (isNodeError(error) ? error.code : error),
  )

it('leaves nobody listening after time, signal or a condition that throws', async () => {
  const hub = countedHub()
  expect(await codeOf(waitFor(hub, 'heightChanged', { timeoutMs: 20 }))).toBe('EVENT_TIMEOUT')
  const leaving = new AbortController()
  const aborted = codeOf(waitFor(hub, 'heightChanged', { signal: leaving.signal }))
  leaving.abort('enough')
  expect(await aborted).toBe('enough')
  expect(await codeOf(waitFor(hub, 'heightChanged', { signal: leaving.signal }))).toBe('enough')
  const broken = codeOf(
    waitFor(hub, 'heightChanged', {
      where: () => {
        throw 'broken'
      },
    }),
  )
  hub.emit('heightChanged', height(1))
  expect(await broken).toBe('broken')
  expect(hub.listeners()).toBe(0)
})

it('passes what waited in order, then says that more was dropped', async () => {
  const hub = countedHub()
  const taken = events(hub, 'heightChanged', { limit: 2 })
  for (const at of [1, 2, 3, 4]) hub.emit('heightChanged', height(at))
  const heights: number[] = []
  const loop = (async () => {
    for await (const { given } of taken) heights.push(given.height)
  })()
  expect(await codeOf(loop)).toBe('EVENTS_DROPPED')
  expect(heights).toEqual([1, 2])
  expect(await taken.next()).toEqual({ done: true, value: undefined })
  expect(hub.listeners()).toBe(0)
})

it('ends by its signal, by return and by leaving the loop', async () => {
  const hub = countedHub()
  const leaving = new AbortController()
  const bySignal = events(hub, ['connected', 'heightChanged', 'heightChanged'], { signal: leaving.signal })
  expect(hub.listeners()).toBe(2)
  const next = codeOf(bySignal.next())
  leaving.abort('enough')
  expect(await next).toBe('enough')
  expect(await codeOf(events(hub, 'connected', { signal: leaving.signal }).next())).toBe('enough')
  const byReturn = events(hub, 'connected')
  const taken = byReturn.next()
  await byReturn.return?.()
  expect(await taken).toEqual({ done: true, value: undefined })
  const byLeaving = events(hub, 'heightChanged')
  hub.emit('heightChanged', height(1))
  for await (const { given } of byLeaving) {
    expect(given.height).toBe(1)
    break
  }
  expect(hub.listeners()).toBe(0)
})
