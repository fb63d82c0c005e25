import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  createClient,
  createFetchTransport,
  createUndiciTransport,
  type Transport,
  walletFromPrivateKey,
} from '../src/node.ts'
import { manualClock } from './support/manual-clock.ts'
import { scriptedTransport } from './support/scripted-transport.ts'
import { serve, type TestServer } from './support/serve.ts'

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
    const text = isPost ? '' : `{"height":${height ?? 7}}`
    response.end(isRefused ? '{"err":1,"message":"no"}' : text)
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
      await client.requestTestCoins({ address: `02${'ab'.repeat(32)}` as never })
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

/** A node of a network at height 100 that answers as a node does, or as it is told. */
async function nodeAt(script?: (count: number) => { status: number; text: string; height: string }) {
  const counted = { answered: 0, refused: 0 }
  const server = await serve((request, response) => {
    response.setHeader('content-type', 'application/json')
    const isRefused = Number(request.headers['x-hailstone-min-height'] ?? 0) > 100
    const refusal = { status: 503, text: '{"err":1,"message":"behind"}', height: '100' }
    const text = request.url?.includes('/balance') ? BALANCE : '{"height":100}'
    const ordinary = isRefused ? refusal : { status: 200, text, height: '100' }
    const answer = script?.(counted.answered) ?? ordinary
    counted[isRefused ? 'refused' : 'answered']++
    response.statusCode = answer.status
    response.setHeader('x-hailstone-height', answer.height)
    response.end(request.url?.includes('/balance') ? BALANCE : answer.text)
  })
  return { server, counted }
}

const BALANCE = '{"amount":"0","decimals":10,"delegated":"0","reward":"0","transit":"0","undelegated":"0"}'
const TOO_HIGH = '999999999999999'

describe.each([
  ['and nonsense', () => ({ status: 200, text: '{"height":"junk"}', height: TOO_HIGH })],
  [
    'once, and fails from then on',
    (count: number) => ({
      status: count === 0 ? 200 : 503,
      text: count === 0 ? '{"height":100}' : '{}',
      height: TOO_HIGH,
    }),
  ],
])('one of three nodes that states a wrong height %s', (_, script) => {
  it.each([1, 2])('has no other refuse, with a quorum of %i', async (quorum) => {
    const strange = await nodeAt(script)
    const honest = await nodeAt()
    const other = await nodeAt()
    await using _strange = strange.server
    await using _honest = honest.server
    await using _other = other.server
    const apiUrls = [strange, honest, other].map(({ server }) => server.apiUrl)
    const clock = manualClock()
    await using client = createClient({ apiUrls, quorum, clock, randomness: () => 0 })
    const address = walletFromPrivateKey('11'.repeat(32)).address
    expect((await client.getBalance({ address })).amount).toBe(0n)
    let failed = 0
    for (let count = 0; count < 50; count++) {
      await client.getHeight().catch(() => failed++)
      clock.pass(5_000)
    }
    expect(failed).toBeLessThanOrEqual(1)
    expect(honest.counted.refused + other.counted.refused).toBe(0)
  })
})

it('a process that is behind is passed over for another one of the same address', async () => {
  const heights = [9, 8, 9, 8, 9]
  let turn = 0
  const ways = await Promise.all(heights.slice(0, 2).map((height) => processAt({ height })))
  await using _first = ways[0]?.server as TestServer
  await using _second = ways[1]?.server as TestServer
  const to = ways.map(({ server }) => createUndiciTransport({ apiUrl: server.apiUrl }))
  const spread: Transport = {
    request: (request) => (to[turn++ % 2] as Transport).request(request),
    close: async () => void (await Promise.all(to.map(({ close }) => close?.()))),
  }
  const apiUrl = ways[0]?.server.apiUrl as string
  await using client = createClient({ apiUrl, transport: spread, clock: manualClock() })
  for (let count = 0; count < 3; count++) expect(await client.getHeight()).toBe(9)
  expect(ways[1]?.required).toEqual(['9', '9'])
})

it('an answer that states less than the one before is asked for again', async () => {
  const heights = [9, 8, 9]
  const text = (height: number) => ({ text: `{"height":${height}}`, height: String(height) })
  const transport = scriptedTransport(() => text(heights.shift() ?? 9))
  await using client = createClient({ apiUrl: 'http://127.0.0.1:1/api/v1', transport, clock: manualClock() })
  expect(await client.getHeight()).toBe(9)
  expect(await client.getHeight()).toBe(9)
  expect(transport.requests).toHaveLength(3)
})

describe('a chain that went back', () => {
  const refused = { code: 'HTTP_STATUS', facts: { status: 503 } }

  async function wentBack() {
    const state: State = { height: 9 }
    const { server } = await processAt(state)
    const clock = manualClock()
    const client = createClient({ apiUrl: server.apiUrl, clock, retry: { maxAttempts: 1 } })
    expect(await client.getHeight()).toBe(9)
    state.height = 4
    const close = async () => {
      await client.close()
      await server[Symbol.asyncDispose]()
    }
    return { client, clock, [Symbol.asyncDispose]: close }
  }

  it('is read as it is after half a minute of refusals', async () => {
    await using back = await wentBack()
    for (let count = 0; count < 7; count++) {
      await expect(back.client.getHeight()).rejects.toMatchObject(refused)
      back.clock.pass(5_000)
    }
    expect(await back.client.getHeight()).toBe(4)
  })

  it('is not concluded from two refusals with silence between them', async () => {
    await using back = await wentBack()
    for (let count = 0; count < 5; count++) {
      await expect(back.client.getHeight()).rejects.toMatchObject(refused)
      back.clock.pass(60_000)
    }
    await expect(back.client.getHeight()).rejects.toMatchObject(refused)
  })
})

it.each([true, false])('a fetch that fails with the header only goes on without it: %s', async (isOld) => {
  const sent: boolean[] = []
  const answer = () =>
    new Response('{"height":7}', {
      headers: { 'content-type': 'application/json', 'x-hailstone-height': '7' },
    })
  // As a browser does whose preflight is refused.
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const hasHeader = new Headers(init?.headers).has('x-hailstone-min-height')
    sent.push(hasHeader)
    if (hasHeader && isOld) throw new TypeError('Failed to fetch')
    return answer()
  }
  const apiUrl = 'http://127.0.0.1:1/api/v1'
  await using client = createClient({ apiUrl, transport: createFetchTransport({ apiUrl, fetch }) })
  for (let count = 0; count < 3; count++) expect(await client.getHeight()).toBe(7)
  expect(sent).toEqual(isOld ? [false, true, false, false] : [false, true, true])
})
