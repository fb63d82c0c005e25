import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from '../src/http/index.ts'
import { createQuickAnswers } from '../src/http/quick-answers.ts'
import type { Route } from '../src/http/route.ts'
import { createLiveStore } from '../src/store/index.ts'
import { payment } from './payments.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'

let network: QuickNetwork
let api: Api
let origin = ''
let paths: readonly string[] = []
let reads = 0

beforeAll(async () => {
  network = await quickNetwork({ seed: 'quick answers' })
  const [from, to] = network.genesis.accounts.developers
  if (from === undefined || to === undefined) throw new Error('there are five developers')
  const { transaction, hash } = payment(network.genesis, { from, to: to.address, amount: 10n ** 10n })
  network.mempool.add(transaction, hash)
  const calculated = await network.producer.closeNow()
  const { keyBlock, microblocks } = calculated?.macroblock ?? { keyBlock: undefined, microblocks: [] }
  const tip = network.producer.tip
  const live = createLiveStore({ ...network, tip, transferLockBlocks: network.parameters.transferLockBlocks })
  const store = Object.fromEntries(
    Object.entries(live).map(([name, read]) => [
      name,
      (...given: readonly unknown[]) => {
        reads++
        return (read as (...given: readonly unknown[]) => unknown)(...given)
      },
    ]),
  ) as typeof live
  api = await createApi({
    store,
    live: { tip, on: network.on },
    mempool: network.pool,
    minersOnline: () => [],
    faucet: async () => 'empty',
    clock: { now: Date.now },
    blockTimeMs: 1000,
  })
  origin = await api.listen({ host: '127.0.0.1', port: 0 })
  const token = network.genesis.tokens.native.id
  paths = [
    '/height',
    `/token_info?hash=${token}`,
    '/native_token',
    `/balance?id=${to.address}`,
    `/balance?id=${to.address}&token=${token}`,
    '/balance?id=nobody',
    `/tx?hash=${hash}`,
    `/tx?hash=${hash.toUpperCase()}`,
    '/tx?hash=unknown',
    `/macroblock?hash=${keyBlock?.hash}`,
    `/macroblock_by_height?height=0`,
    `/macroblock_by_height?height=1`,
    `/macroblock_by_height?height=99`,
    `/mblock?hash=${microblocks[0]?.hash}`,
    '/mblock',
    `/account_in?id=${to.address}&page=0`,
    `/account_in?id=${to.address}`,
    `/account_in?id=${to.address}&page=x`,
    `/account?id=${from.address}&page=0`,
    `/account_rewards?page=0`,
    '/stat/agent_info?id=nobody',
    '/nothing',
    `/height?a=1&a=2`,
    `/balance?id=1&id=2`,
  ]
})

afterAll(async () => {
  await api?.close()
  await network?.[Symbol.asyncDispose]()
})

type Reply = { readonly status: number; readonly headers: readonly string[]; readonly body: string }

/** Returns the answer as it is on the wire, without the headers that every connection has. */
const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const asked = request(`${origin}/api/v1${path}`, { headers }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        body += text
      })
      response.on('end', () => {
        const lines = response.rawHeaders.flatMap((name, at) =>
          at % 2 === 0 ? [`${name}: ${response.rawHeaders[at + 1]}`] : [],
        )
        const own = lines.filter((line) => !/^(date|connection|keep-alive):/i.test(line))
        resolve({ status: response.statusCode ?? 0, headers: own, body })
      })
    })
    asked.on('error', reject)
    asked.end()
  })

test('an answer is the same on the short way, when it is remembered, and through the server', async () => {
  for (const path of paths) {
    const short = await ask(path)
    expect(await ask(path), path).toEqual(short)
    // The server is asked for what has another spelling, too.
    const [bare = '', query] = path.split('?')
    const long = await ask(`${bare}/${query === undefined ? '' : `?${query}`}`)
    if (path !== '/nothing') expect(short, path).toEqual(long)
  }
})

test('what is known is not read again until a macroblock changes it', async () => {
  const lasting = paths.filter((path) => /^\/(tx|macroblock\?|mblock|height|balance|account_in)/.test(path))
  const known: string[] = []
  for (const path of lasting) {
    await ask(path)
    const before = reads
    await ask(path)
    if (reads === before) known.push(path)
  }
  expect(known.map((path) => path.split('?')[0])).toEqual(
    expect.arrayContaining(['/height', '/balance', '/tx', '/macroblock', '/mblock', '/account_in']),
  )
  await network.producer.closeNow()
  const before = reads
  expect((await ask('/height')).body).toBe('{"height":2}')
  expect(reads).toBeGreaterThan(before)
})

test('a request for another host is refused, remembered or not', async () => {
  await ask('/height')
  expect((await ask('/height', { host: 'elsewhere.example' })).status).toBe(403)
})

test('an answer is compressed for those who take gzip, where it becomes shorter', async () => {
  const lengthOf = ({ headers }: Reply): number =>
    Number(headers.find((line) => line.startsWith('content-length:'))?.split(' ')[1])
  const isCompressed = ({ headers }: Reply): boolean => headers.includes('content-encoding: gzip')
  const browser = { 'accept-encoding': 'gzip, deflate, br, zstd' }
  for (const path of paths) {
    const plain = await ask(path)
    const compressed = await ask(path, browser)
    expect(isCompressed(plain), path).toBe(false)
    const isMade = plain.status === 200 && plain.body.length >= 400 && plain.body.length <= 8192
    expect(isCompressed(compressed), path).toBe(isMade)
    expect(compressed.headers.includes('vary: accept-encoding'), path).toBe(isMade)
    if (isMade) expect(lengthOf(compressed), path).toBeLessThan(0.8 * lengthOf(plain))
    // `fetch` asks for gzip, and returns the answer as it was before.
    expect(await (await fetch(`${origin}/api/v1${path}`)).text(), path).toBe(plain.body)
  }
  const long = paths.find((path) => path.startsWith('/mblock?hash=')) ?? ''
  for (const codings of ['gzip;q=0', 'identity', 'br', 'x-gzip']) {
    expect(isCompressed(await ask(long, { 'accept-encoding': codings })), codings).toBe(false)
  }
  expect(isCompressed(await ask(long, { 'accept-encoding': 'gzip' }))).toBe(true)
})

test('an answer is compressed from 400 to 8,192 characters, and its length is that of its bytes', async () => {
  const bodyOf = (length: number): string => `"${'ä'.repeat(length - 2)}"`
  const make = async ({ length }: Readonly<Record<string, string>>) => ({
    written: { type: 'application/json', body: bodyOf(Number(length)) },
    lasting: null,
  })
  const route = { endpoint: { path: '/text' }, quick: { make } } as unknown as Route
  const quick = createQuickAnswers({
    routes: [route],
    hosts: { bound: '127.0.0.1', allowed: [] },
    isClosing: () => false,
  })
  const server = createServer((asked, response) => quick(asked, response, () => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    for (const length of [399, 400, 8192, 8193]) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/text?length=${length}`)
      const isCompressed = answer.headers.get('content-encoding') === 'gzip'
      expect([length, isCompressed]).toEqual([length, length >= 400 && length <= 8192])
      expect(await answer.text()).toBe(bodyOf(length))
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
