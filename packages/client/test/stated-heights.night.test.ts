import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { parseAmount } from '@hailstone/protocol'
import { afterEach, expect, it } from 'vitest'
import { describePostgres } from '../../local-network/test/engines.ts'
import { startPostgresPair } from '../../local-network/test/postgres-server.ts'
import { createClient, createUndiciTransport, type Transport, walletFromPrivateKey } from '../src/node.ts'

describePostgres('a client of several processes', () => {
  const open: { readonly stop: () => Promise<void> }[] = []
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.stop()
  })

  it('D-8: reads its payment from whichever process, and no process answers with less than another did', async () => {
    const pair = await startPostgresPair()
    open.push(pair)
    const { database, readDatabase } = pair
    const start = async (): Promise<LocalNetwork> => {
      const quiet = { blockTimeMs: 3_600_000, keepAlive: false, seed: 'heights' }
      const network = await startLocalNetwork({ ...quiet, database, readDatabase })
      open.push(network)
      return network
    }
    const networks = [await start(), await start(), await start()]
    const [leader] = networks
    const [from, to] = leader?.accounts.developers ?? []
    if (leader === undefined || from === undefined || to === undefined) throw new Error('nobody is there')
    const ways = networks.map(({ apiUrl }) => createUndiciTransport({ apiUrl }))
    let turn = 0
    const spread: Transport = {
      request: (request) => (ways[turn++ % ways.length] as Transport).request(request),
      close: async () => void (await Promise.all(ways.map(({ close }) => close?.()))),
    }
    await using client = createClient({
      apiUrl: leader.apiUrl,
      transport: spread,
      // Waits for slow followers are repeats.
      retry: { budgetCapacity: 1000 },
    })
    const wallet = walletFromPrivateKey(from.privateKey)
    const amount = parseAmount('1', { decimals: 10 })
    const balance = async () => (await client.getBalance({ address: to.address })).amount
    const wrong: string[] = []
    let due = await balance()
    for (let count = 0; count < 20; count++) {
      await client.sendTransaction({ wallet, to: to.address, amount })
      await leader.closeNow()
      turn = 0
      for (const _ of networks) {
        const found = await balance()
        if (found < due) wrong.push(`${due} was seen, ${found} was answered`)
        due = found
      }
    }
    expect(wrong).toEqual([])
  })
})
