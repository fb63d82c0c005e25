// What an application on Node does with the packages: mines, alone and in a fleet with a thread of its own.
import { text } from 'node:stream/consumers'
import { createClient } from '@hailstone/client'
import { createMiningNode, createWallet, walletFromPrivateKey } from '@hailstone/mining-node'
import { createFleet } from '@hailstone/mining-node/fleet'

const { apiUrl, gatewayUrl, keys } = JSON.parse(await text(process.stdin))
const [ownKey, fleetKey] = keys

const wallet = walletFromPrivateKey(ownKey)
const node = createMiningNode({ wallet, apiUrl, gatewayUrl, blockTimeMs: 500 })
const published = new Promise((resolve) =>
  node.on('published', ({ microblockHash }) => resolve(microblockHash)),
)
await node.start()
const microblockHash = await published
await node.close()

const client = createClient({ apiUrl })
const fleet = createFleet({ keys: [fleetKey], client, gatewayUrl, signingThreads: 1 })
const signed = new Promise((resolve) =>
  fleet.subscribe((event) => event.type === 'published' && resolve(event.microblockHash)),
)
await fleet.start()
const ofFleet = await signed
await fleet.stop()
await client.close()

const hail = wallet.signHail({ host: 'localhost', tokenId: '0'.repeat(64) })
process.stdout.write(JSON.stringify({ address: createWallet().address, hail, microblockHash, ofFleet }))
