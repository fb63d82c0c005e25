import { createClient, type Transport } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it, onTestFinished } from 'vitest'
import { cursorsOfChain } from './chain-cursors.ts'
import { createMemoryCursors } from './cursor-store.ts'

/** A node that does not have block 0. */
const pruned = {
  source: 'pruned',
  request: async () => ({
    ...{ status: 404, contentType: 'application/json', retryAfter: null },
    text: '{"err":1,"message":"no"}',
  }),
}

it('two networks that are known by their addresses alone share no cursor, and one network keeps its own', async () => {
  const store = createMemoryCursors()
  const networks = await Promise.all(
    ['one', 'other'].map((seed) => startLocalNetwork({ seed, blockTimeMs: 3_600_000 })),
  )
  onTestFinished(async () => {
    await Promise.all(networks.map((network) => network.stop()))
  })
  const openings = networks.map(({ apiUrl }) => async () => {
    const client = createClient({ apiUrl })
    onTestFinished(() => client.close())
    return cursorsOfChain({ store, client })
  })
  for (const [at, open] of openings.entries()) await (await open()).write('rewards:02ab', String(at))
  for (const [at, open] of openings.entries())
    expect(await (await open()).read('rewards:02ab')).toBe(String(at))
})

it('one network has one name, whatever of its first block is configured and whichever node shows it', async () => {
  const network = await startLocalNetwork({ seed: 'one name', blockTimeMs: 3_600_000 })
  onTestFinished(() => network.stop())
  const store = createMemoryCursors()
  const own = createClient({ apiUrl: network.apiUrl })
  onTestFinished(() => own.close())
  const { keyBlock } = (await own.getMacroblock({ height: 0 })) ?? {}
  const [originHash, genesisAddress] = [keyBlock?.hash, keyBlock?.publisher]
  const others: Pick<Transport, 'nodes'> = { nodes: () => [pruned, { ...own.transport, source: 'another' }] }
  const configured = (named: object, transport: Transport = own.transport) => ({
    ...own,
    transport,
    network: { ...own.network, ...named },
  })
  const clients = [
    own,
    configured({ originHash }),
    configured({ originHash, genesisAddress }),
    configured({ originHash: String(originHash), genesisAddress }, pruned),
    configured({}, { ...pruned, ...others }),
  ]
  await cursorsOfChain({ store, client: own }).write('rewards:02ab', 'kept')
  for (const client of clients)
    expect(await cursorsOfChain({ store, client }).read('rewards:02ab')).toBe('kept')
})

it.each([
  ['no node has block 0', {}],
  ['all that is known of it is its hash', { originHash: 'DEVGENESIS' }],
])('a cursor is not read, and none is begun, while %s', async (_, named) => {
  const client = createClient({ apiUrl: 'http://127.0.0.1:1', transport: pruned })
  const network = { ...client.network, ...named }
  const cursors = cursorsOfChain({ store: createMemoryCursors(), client: { ...client, network } })
  await expect(cursors.read('rewards:02ab')).rejects.toMatchObject({
    code: 'HEIGHT_UNAVAILABLE',
    facts: { height: 0 },
  })
})
