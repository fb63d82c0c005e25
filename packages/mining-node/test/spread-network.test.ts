import { createClient, networks, walletFromPrivateKey } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it } from 'vitest'
import { createMiningNode } from '../src/node.ts'

it('mines with a local network as a network, and with all of it spread into its settings', async () => {
  await using local = await startLocalNetwork({ seed: 'spread', blockTimeMs: 500, bootNode: {} })
  const [{ privateKey }, other] = local.accounts.developers
  expect(local.bootNodeUrl).toBe(local.network.bootNodeUrls[0])
  await using client = createClient({ ...local })
  expect(await client.getHeight()).toBe(local.height())
  for (const settings of [{ network: local.network }, local]) {
    const key = settings === local ? privateKey : other.privateKey
    await using node = createMiningNode({ wallet: walletFromPrivateKey(key), blockTimeMs: 500, ...settings })
    await node.start()
    expect((await local.mineUntilRewarded(node)).amount).toBeGreaterThan(0n)
  }
})

it('is a preset at the usual ports of this machine', () => {
  expect(networks.local).toMatchObject({ apiUrl: 'http://127.0.0.1:4410/api/v1', nativeSymbol: 'DEV' })
})
