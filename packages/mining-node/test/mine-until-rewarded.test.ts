import { createClient, createWallet, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMiningNode } from '../src/node.ts'

let network: LocalNetwork

// No macroblock closes by the clock.
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'until rewarded', blockTimeMs: 3_600_000 })
})
afterAll(() => network.stop())

const walletOf = (position: number) =>
  walletFromPrivateKey(String(network.accounts.developers[position]?.privateKey))

it('a test waits for the reward of its miner without waiting for the clock', async () => {
  await using client = createClient({ apiUrl: network.apiUrl })
  await using node = createMiningNode({ wallet: walletOf(0), client, gatewayUrl: network.gatewayUrl })
  const reported = new Promise<bigint>((resolve) => node.on('rewarded', ({ amount }) => resolve(amount)))
  await node.start()
  const reward = await network.mineUntilRewarded(node)
  expect(reward).toMatchObject({
    address: node.address,
    microblockHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(await reported).toBe(reward.amount)
  expect(network.height()).toBeGreaterThan(reward.height)
})

it('a microblock that was published before the call is rewarded, too', async () => {
  await using fresh = await startLocalNetwork({ seed: 'published before', blockTimeMs: 3_600_000 })
  await using client = createClient({ apiUrl: fresh.apiUrl })
  const wallet = walletFromPrivateKey(String(fresh.accounts.developers[0]?.privateKey))
  await using node = createMiningNode({ wallet, client, gatewayUrl: fresh.gatewayUrl })
  const accepted = new Promise<string>((resolve) => {
    fresh.on('microblockAccepted', ({ publisher, hash }) => {
      if (publisher === node.address) resolve(hash)
    })
  })
  await node.start()
  const microblockHash = await accepted
  // Nobody offers it another one before the macroblock is closed.
  const reward = await fresh.mineUntilRewarded(node)
  expect(reward).toMatchObject({ address: node.address, microblockHash })
})

it('says what is missing when no reward can come', async () => {
  const wait = (miner: Parameters<LocalNetwork['mineUntilRewarded']>[0]) =>
    network.mineUntilRewarded(miner, { timeoutMs: 1 })
  await expect(wait(createWallet())).rejects.toThrow('it is not connected to the gateway')
  await expect(wait({} as never)).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' })
  const stop = new AbortController()
  const waiting = network.mineUntilRewarded(createWallet().address, { signal: stop.signal })
  waiting.catch(() => undefined)
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})
