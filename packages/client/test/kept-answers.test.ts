import { setTimeout as sleep } from 'node:timers/promises'
import { startLocalNetwork } from '@hailstone/local-network'
import { apiError, parseHash } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { createUndiciTransport } from '../src/node/undici-transport.ts'
import { createClient, type Transport } from '../src/node.ts'

it('asks for a microblock once, and for a page of a history again unless an older one will do', async () => {
  await using network = await startLocalNetwork({ blockTimeMs: 200 })
  const asked: string[] = []
  const real = createUndiciTransport({ apiUrl: network.apiUrl })
  const transport: Transport = {
    ...real,
    request: (request) => {
      asked.push(request.path)
      return real.request(request)
    },
  }
  await using client = createClient({ apiUrl: network.apiUrl, transport })
  const count = (path: string): number => asked.filter((one) => one === path).length
  const [miner] = network.accounts.developers
  if (miner === undefined) throw new Error('there is no development account')
  const address = miner.address
  await client.getRewards({ address })
  await client.getRewards({ address, maxAgeMs: 60_000 })
  expect(count('/account_rewards')).toBe(1)
  await client.getRewards({ address })
  await client.getRewards({ address, page: 1, maxAgeMs: 60_000 })
  expect(count('/account_rewards')).toBe(3)
  const { microblocks } = await newestWithMicroblocks()
  const hash = parseHash(String(microblocks[0]?.hash))
  const first = await client.getMicroblock({ hash })
  expect(await client.getMicroblock({ hash })).toEqual(first)
  expect(count('/mblock')).toBe(1)
  await client.getMicroblock({ hash, maxAgeMs: 0 })
  expect(count('/mblock')).toBe(2)
  // What is not there yet may come.
  const unknown = parseHash('ab'.repeat(32))
  await client.getMicroblock({ hash: unknown })
  await client.getMicroblock({ hash: unknown })
  expect(count('/mblock')).toBe(4)

  async function newestWithMicroblocks() {
    await client.requestTestCoins({ address })
    for (;;) {
      for (let height = await client.getHeight(); height >= 0; height--) {
        const macroblock = await client.getMacroblock({ height })
        if (macroblock !== undefined && macroblock.microblocks.length > 0) return macroblock
      }
      await sleep(50)
    }
  }
})

describe('a microblock that somebody asks for already', () => {
  /** A client whose requests for microblocks wait until they are let on, each with an answer or a failure. */
  async function heldClient() {
    const network = await startLocalNetwork({ blockTimeMs: 200 })
    const real = createUndiciTransport({ apiUrl: network.apiUrl })
    const waiting: ((failure?: Error) => void)[] = []
    const transport: Transport = {
      ...real,
      request: async (request) => {
        if (request.path !== '/mblock') return real.request(request)
        await new Promise<void>((resolve, reject) => {
          waiting.push((failure) => (failure === undefined ? resolve() : reject(failure)))
          request.signal?.addEventListener('abort', () => reject(request.signal?.reason))
        })
        return real.request(request)
      },
    }
    const client = createClient({ apiUrl: network.apiUrl, transport, retry: { maxAttempts: 1 } })
    const stop = async (): Promise<void> => {
      await client.close()
      await network.stop()
    }
    const address = network.accounts.developers[0]?.address
    if (address === undefined) throw new Error('there is no development account')
    await client.requestTestCoins({ address })
    for (;;) {
      const height = (await client.getHeight()) - 1
      const hash = height < 0 ? undefined : (await client.getMacroblock({ height }))?.microblocks[0]?.hash
      if (hash !== undefined) return { client, hash, waiting, [Symbol.asyncDispose]: stop }
      await sleep(50)
    }
  }

  it('is waited for, not asked for again', async () => {
    await using held = await heldClient()
    const { client, hash, waiting } = held
    const both = Promise.all([client.getMicroblock({ hash }), client.getMicroblockHeader({ hash })])
    await sleep(10)
    expect(waiting).toHaveLength(1)
    waiting[0]?.()
    const [microblock, header] = await both
    expect(microblock?.header).toEqual(header)
    expect(header?.hash).toBe(hash)
    expect(waiting).toHaveLength(1)
  })

  it('is asked for by the others when the first caller gives up, all at the same time', async () => {
    await using held = await heldClient()
    const { client, hash, waiting } = held
    const controller = new AbortController()
    const first = client.getMicroblock({ hash, signal: controller.signal })
    const second = client.getMicroblock({ hash })
    const third = client.getMicroblock({ hash })
    await sleep(10)
    controller.abort(new Error('given up'))
    await expect(first).rejects.toThrow('given up')
    await sleep(10)
    expect(waiting).toHaveLength(3)
    for (const letOn of waiting) letOn()
    expect((await second)?.header.hash).toBe(hash)
    expect(await third).toEqual(await second)
  })

  it('fails for all who wait when no answer comes: none of them waits for a second time limit', async () => {
    await using held = await heldClient()
    const { client, hash, waiting } = held
    const all = Array.from({ length: 5 }, () => client.getMicroblock({ hash }))
    await sleep(10)
    expect(waiting).toHaveLength(1)
    waiting[0]?.(apiError('REQUEST_TIMEOUT', { path: '/mblock', timeoutMs: 10_000 }))
    for (const one of await Promise.allSettled(all))
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'REQUEST_TIMEOUT' } })
    expect(waiting).toHaveLength(1)
  })

  it('is not waited for after the own signal fired, nor where an own answer is wanted', async () => {
    await using held = await heldClient()
    const { client, hash, waiting } = held
    const controller = new AbortController()
    const first = client.getMicroblock({ hash })
    const second = client.getMicroblock({ hash, signal: controller.signal })
    const own = client.getMicroblock({ hash, maxAgeMs: 0 })
    await sleep(10)
    expect(waiting).toHaveLength(2)
    controller.abort(new Error('not any more'))
    await expect(second).rejects.toThrow('not any more')
    for (const letOn of waiting) letOn()
    expect(await own).toEqual(await first)
  })
})

it('keeps the answer that was asked for last, also where an older one comes after it', async () => {
  await using network = await startLocalNetwork({ blockTimeMs: 3_600_000 })
  const real = createUndiciTransport({ apiUrl: network.apiUrl })
  let asked = 0
  let letOn = (): void => undefined
  const transport: Transport = {
    ...real,
    request: async (request) => {
      const answer = await real.request(request)
      const isFirst = request.path === '/account_transactions' && ++asked === 1
      if (isFirst) await new Promise<void>((resolve) => (letOn = resolve))
      return answer
    },
  }
  await using client = createClient({ apiUrl: network.apiUrl, transport })
  const address = network.accounts.developers[0]?.address ?? ''
  const older = client.getTransactions({ address })
  await expect.poll(() => asked).toBe(1)
  await client.requestTestCoins({ address })
  await network.control.mine(1)
  const newer = await client.getTransactions({ address })
  letOn()
  expect(newer).not.toEqual(await older)
  expect(await client.getTransactions({ address, maxAgeMs: 60_000 })).toEqual(newer)
  expect(asked).toBe(2)
})
