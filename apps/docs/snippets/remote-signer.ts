import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, type Signer } from '@hailstone/client'
import { createMiningNode, createWallet, formatAmount } from '@hailstone/mining-node'
import { keystoreError } from '@hailstone/protocol'

const apiUrl = process.env['HAILSTONE_API'] ?? 'http://127.0.0.1:4410/api/v1'
const gatewayUrl = process.env['HAILSTONE_GATEWAY'] ?? 'ws://127.0.0.1:4411'

// The signing server: the only program with the key. It signs for miners, and no payments.
const wallet = createWallet()
const server = createServer(async (request, response) => {
  const parameters = JSON.parse((await request.toArray()).join(''))
  const signed = request.url === '/hail' ? wallet.signHail(parameters) : wallet.signPublication(parameters)
  response.end(JSON.stringify(signed))
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const signingUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

// The miner: it knows the address and where to ask.
async function ask<T>(path: string, parameters: object): Promise<T> {
  const body = JSON.stringify(parameters)
  const response = await fetch(signingUrl + path, { method: 'POST', body }).catch((cause: unknown) => {
    // Not a refusal: the node asks again, for as long as it takes.
    throw keystoreError('SIGNER_FAILED', { reason: 'the signing server is away' }, { cause })
  })
  if (!response.ok) throw new Error('refused')
  return (await response.json()) as T
}
const signer: Pick<Signer, 'address' | 'signHail' | 'signPublication'> = {
  address: wallet.address,
  signHail: (parameters) => ask('/hail', parameters),
  signPublication: (parameters) => ask('/publication', parameters),
}

const client = createClient({ apiUrl })
const node = createMiningNode({ wallet: signer, client, gatewayUrl, signingTimeoutMs: 2_000 })
node.on('disconnected', ({ why }) => console.log(why))
node.on('beaconRefused', ({ refusal, why }) => refusal === 'notSigned' && console.log(why))
const unsubscribe = node.on('rewarded', async ({ amount, height }) => {
  unsubscribe()
  console.log(`earned ${formatAmount(amount, { decimals: 10 })} coins in block ${height}`)
  await node.stop()
  await client.close()
  server.close()
})
await client.requestTestCoins({ address: signer.address })
await node.start()
