import { createClient } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { createMiningNode, walletFromPrivateKey } from '@hailstone/mining-node'
import { expect, it } from 'vitest'

// A network takes a few seconds to start, which is more than a test usually may.
it('earns a reward for the microblock that it signed', async () => {
  await using local = await startLocalNetwork({ seed: 'my test' })
  const [account] = local.accounts.developers
  await using client = createClient({ network: local.network })
  const wallet = walletFromPrivateKey(account.privateKey)
  const node = createMiningNode({ wallet, client, network: local.network })
  const rewarded = new Promise((resolve) => node.on('rewarded', resolve))
  await node.start()

  const { amount, height } = await local.mineUntilRewarded(node)

  expect(amount).toBeGreaterThan(0n)
  expect(await rewarded).toMatchObject({ amount, height })
  await node.stop()
}, 60_000)
