import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { isNodeError, parseAmount } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createMiningNode } from '../src/node.ts'

const amount = parseAmount('1', { decimals: 10 })
const memo = 'a+b=c d'

it('what newer nodes take in a payment is mined like any other', async () => {
  await using network = await startLocalNetwork({
    seed: 'newer data',
    blockTimeMs: 600,
    fallbackMiner: false,
    keepAlive: false,
    newerData: true,
  })
  const { apiUrl, gatewayUrl, accounts } = network
  const [miner, payer] = accounts.developers.map(({ privateKey }) => walletFromPrivateKey(privateKey))
  if (miner === undefined || payer === undefined) throw new Error('the network has no developers')
  await using client = createClient({ apiUrl, takesNewerData: true })
  await using node = createMiningNode({ wallet: miner, client, gatewayUrl, blockTimeMs: 600 })
  const refusals: string[] = []
  node.on('beaconRefused', ({ why }) => refusals.push(why))
  await node.start()
  const { hash } = await client.sendTransaction({ wallet: payer, to: miner.address, amount, memo })
  expect(await client.waitForTransaction({ hash, pollMs: 50 })).toMatchObject({
    status: 'confirmed',
    data: memo,
  })
  expect(refusals).toEqual([])
})

it('where the nodes are not known to take it, nothing is signed', async () => {
  await using network = await startLocalNetwork({ seed: 'older data', blockTimeMs: 3_600_000 })
  const [payer] = network.accounts.developers.map(({ privateKey }) => walletFromPrivateKey(privateKey))
  if (payer === undefined) throw new Error('the network has no developers')
  const { apiUrl } = network
  await using client = createClient({ apiUrl })
  await using bold = createClient({ apiUrl, takesNewerData: true })
  const payment = { wallet: payer, to: payer.address, amount, memo }
  const codeOf = (sent: Promise<unknown>) =>
    sent.then(
      () => 'sent',
      (error: unknown) => (isNodeError(error) ? `${error.code}: ${error.message}` : String(error)),
    )
  expect(await codeOf(client.sendTransaction(payment))).toMatch(/^MEMO_MALFORMED/)
  expect(await codeOf(bold.sendTransaction(payment))).toMatch(/Incorrect data format/)
})
