import { createMiningNode, walletFromPrivateKey } from '@hailstone/mining-node'
import { verifyLeader } from '@hailstone/mining-node/leader'

export type Mining = { readonly apiUrl: string; readonly gatewayUrl: string; readonly privateKey: string }

/** Mines until the first signature has left, and gives the microblock that it is for. */
export async function mineOnce({ apiUrl, gatewayUrl, privateKey }: Mining): Promise<string> {
  const wallet = walletFromPrivateKey(privateKey)
  await using node = createMiningNode({ wallet, apiUrl, gatewayUrl, verifyLeader, blockTimeMs: 500 })
  const published = new Promise<string>((resolve) => {
    node.on('published', ({ microblockHash }) => resolve(microblockHash))
  })
  await node.start()
  return await published
}
