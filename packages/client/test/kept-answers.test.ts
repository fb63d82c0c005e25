import { setTimeout as sleep } from 'node:timers/promises'
import { startLocalNetwork } from '@hailstone/local-network'
import { parseHash } from '@hailstone/protocol'
import { expect, it } from 'vitest'
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
