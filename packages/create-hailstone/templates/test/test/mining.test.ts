import { createClient, createWallet } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { createMiningNode, type MiningNode } from '@hailstone/mining-node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countEarnings } from '../src/earnings.ts'

const COINS = 10n ** 10n
const DAY_MS = 86_400_000

let network: LocalNetwork
let client: ReturnType<typeof createClient>
let node: MiningNode

beforeAll(async () => {
  // An hour between blocks: they close when a test says so.
  network = await startLocalNetwork({ blockTimeMs: 3_600_000 })
  client = createClient({ apiUrl: network.apiUrl })
  const wallet = createWallet()
  await network.control.fund(wallet.address, 100n * COINS)
  node = createMiningNode({ wallet, client, gatewayUrl: network.gatewayUrl, pollIntervalMs: 100 })
  // Follows rewards also while it does not mine.
  await node.watch()
}, 60_000)

afterAll(async () => {
  await node.close()
  await client.close()
  await network.stop()
})

it('counts what a miner earns, and what the chain takes back', { timeout: 60_000 }, async () => {
  const earnings = countEarnings(node)
  await node.start()
  const { amount } = await network.mineUntilRewarded(node)
  await expect.poll(earnings.units, { timeout: 20_000 }).toBe(amount)

  // Without this miner, others mine the block that replaces it.
  await node.stop()
  await network.control.reorganise(1)
  await network.control.mine(2)
  await expect.poll(earnings.units, { timeout: 20_000 }).toBe(0n)
  earnings.stop()
})

it('moves time: a reward of tomorrow has the date of tomorrow', { timeout: 60_000 }, async () => {
  const rewarded = new Promise<number>((resolve) => node.on('rewarded', ({ timeMs }) => resolve(timeMs)))
  network.control.advanceClock(DAY_MS)
  // Ends the block of today.
  await network.control.mine()
  await node.start()
  await network.mineUntilRewarded(node)
  expect(await rewarded).toBeGreaterThan(Date.now() + DAY_MS / 2)
})

it('asks again when the API fails three times', { timeout: 60_000 }, async () => {
  network.faults.set({
    seed: 'busy',
    rules: [{ on: 'api', match: { path: '/balance', until: 3 }, fault: { status: { code: 503 } } }],
  })
  const { amount } = await client.getBalance({ address: node.address })
  expect(amount).toBeGreaterThan(100n * COINS)
  expect(network.faults.fired()).toHaveLength(3)
  network.faults.clear()
})
