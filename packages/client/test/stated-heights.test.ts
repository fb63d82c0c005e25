import type { IncomingMessage, ServerResponse } from 'node:http'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { parseAmount } from '@hailstone/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { isGatesTier } from '../../../scripts/gate-size.ts'
import { describePostgres } from '../../local-network/test/engines.ts'
import { startPostgres } from '../../local-network/test/postgres-server.ts'
import {
  createClient,
  createFetchTransport,
  createUndiciTransport,
  type Transport,
  walletFromPrivateKey,
} from '../src/node.ts'
import { manualClock } from './support/manual-clock.ts'
import { serve } from './support/serve.ts'

type State = { height: number | null }

/** A process of a network: states its height, and refuses whoever requires a later one. */
async function processAt(state: State) {
  const required: (string | undefined)[] = []
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const wanted = request.headers['x-hailstone-min-height'] as string | undefined
    required.push(wanted)
    const { height } = state
    if (height !== null) response.setHeader('x-hailstone-height', String(height))
    response.setHeader('content-type', 'application/json')
    const isRefused = Number(wanted ?? 0) > (height ?? Number.POSITIVE_INFINITY)
    if (isRefused) response.statusCode = 503
    const isPost = request.method === 'POST'
    response.end(isRefused || isPost ? '{"err":1,"message":"no"}' : `{"height":${height ?? 7}}`)
  }
  return { server: await serve(answer), required }
}

describe.each(Object.entries({ undici: createUndiciTransport, fetch: createFetchTransport }))(
  'heights that a network states, over %s',
  (_, createTransport) => {
    it('are required of each answer from then on, and also after a post', async () => {
      const state: State = { height: 5 }
      const { server, required } = await processAt(state)
      await using _server = server
      const { apiUrl } = server
      await using client = createClient({ apiUrl, transport: createTransport({ apiUrl }) })
      await client.getHeight()
      state.height = 6
      await client.getHeight()
      state.height = 8
      await client.requestTestCoins({ address: `02${'ab'.repeat(32)}` as never }).catch(() => {})
      await client.getHeight()
      expect(required).toEqual([undefined, '5', undefined, '8'])
    })

    it('are required of no network that states none', async () => {
      const { server, required } = await processAt({ height: null })
      await using _server = server
      const { apiUrl } = server
      await using client = createClient({ apiUrl, transport: createTransport({ apiUrl }) })
      for (let count = 0; count < 3; count++) expect(await client.getHeight()).toBe(7)
      expect(required).toEqual([undefined, undefined, undefined])
    })
  },
)

it('a process that is behind is passed over for one that is not', async () => {
  const ahead: State = { height: 9 }
  const behind: State = { height: 8 }
  const first = await processAt(ahead)
  const second = await processAt(behind)
  await using _first = first.server
  await using _second = second.server
  const apiUrls = [first.server.apiUrl, second.server.apiUrl]
  await using client = createClient({ apiUrls, randomness: () => 0 })
  expect(await client.getHeight()).toBe(9)
  // Whichever is asked, what was seen once is the least that is taken.
  for (const source of apiUrls) {
    client.transport.distrust?.(source)
    expect(await client.getHeight()).toBe(9)
  }
})

it('a chain that is lower everywhere for half a minute went back, and is read as it is', async () => {
  const state: State = { height: 9 }
  const { server } = await processAt(state)
  await using _server = server
  const clock = manualClock()
  const retry = { maxAttempts: 1 }
  await using client = createClient({ apiUrl: server.apiUrl, clock, retry })
  expect(await client.getHeight()).toBe(9)
  state.height = 4
  const refused = { code: 'HTTP_STATUS', facts: { status: 503 } }
  await expect(client.getHeight()).rejects.toMatchObject(refused)
  clock.pass(29_000)
  await expect(client.getHeight()).rejects.toMatchObject(refused)
  clock.pass(2000)
  await expect(client.getHeight()).rejects.toMatchObject(refused)
  expect(await client.getHeight()).toBe(4)
})

describePostgres('a client of several processes', () => {
  const open: { readonly stop: () => Promise<void> }[] = []
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.stop()
  })

  it.runIf(isGatesTier)(
    'D-8: reads its payment from whichever process, and no process answers with less than another did',
    async () => {
      const primary = await startPostgres()
      open.push(primary)
      const database = await primary.createDatabase()
      const standby = await primary.startStandby()
      open.push(standby)
      const readDatabase = database.replace(`:${primary.port}/`, `:${standby.port}/`)
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
      await using client = createClient({ apiUrl: leader.apiUrl, transport: spread })
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
    },
  )
})
