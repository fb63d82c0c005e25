import { request } from 'node:http'
import * as protocol from '@hailstone/protocol'
import { decodeWith, type JsonValue, parseJson } from '@hailstone/protocol'
import { type DescribedEndpoint, openApiDocument } from '@hailstone/protocol/reference'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../src/http/index.ts'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { payment } from './payments.ts'
import { quickNetwork } from './quick-network.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const COIN = 10n ** 10n

const endpoints = Object.entries(protocol)
  .filter(([name]) => name.endsWith('Endpoint'))
  .map(([, value]) => value as unknown)
  .filter((value): value is DescribedEndpoint => typeof value === 'object')

let network: LocalNetwork
let sender = ''
let receiver = ''
let origin = ''
const sent: string[] = []

type Reply = { readonly status: number; readonly headers: Headers; readonly text: string }

async function get(path: string): Promise<Reply> {
  const response = await fetch(network.apiUrl + path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function post(path: string, body?: string | Buffer, contentType?: string): Promise<Reply> {
  const headers = contentType === undefined ? {} : { 'content-type': contentType }
  // A Buffer, because fetch names the type of a text by itself.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const init = bytes === undefined ? {} : { body: bytes as unknown as BodyInit }
  const response = await fetch(network.apiUrl + path, { method: 'POST', headers, ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const read = ({ text }: Reply): { readonly [name: string]: JsonValue } => parseJson(text) as never

function developer(number: number) {
  const account = network.accounts.developers[number]
  if (account === undefined) throw new Error('there are five developers')
  return account
}

async function send(): Promise<string> {
  const { transaction, hash } = payment(network, {
    from: developer(0),
    to: developer(1).address,
    amount: COIN,
  })
  const { signature, tokenId, amount, ...rest } = transaction
  const body = [{ ...rest, amount: String(amount), sign: signature, ticker: tokenId }]
  expect(read(await post('/tx', JSON.stringify(body), 'application/json')).err).toBe(0n)
  return hash
}

/** Twelve payments, so that a history has a second page. */
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'http', blockTimeMs: 3_600_000 })
  sender = developer(0).address
  receiver = developer(1).address
  origin = `http://${new URL(network.apiUrl).host}`
  for (let payments = 0; payments < 12; payments++) sent.push(await send())
  while ((await pending()) > 0) await network.closeNow()
})

afterAll(() => network.stop())

const pending = async (): Promise<number> =>
  (parseJson((await get(`/pending_tx_account?id=${sender}`)).text) as readonly JsonValue[]).length

describe('every endpoint of the definitions', () => {
  const values = async (): Promise<Readonly<Record<string, string>>> => {
    const macroblock = read(await get('/macroblock_by_height?height=0')) as never as {
      mblocks: { hash: string }[]
    }
    return { id: sender, height: '0', page: '0', stake: '250000000000', limit: '5', ...macroblock.mblocks[0] }
  }
  const queryOf = (endpoint: DescribedEndpoint, given: Readonly<Record<string, string>>): string =>
    Object.values(endpoint.parameters)
      .filter(({ wireName }) => given[wireName] !== undefined)
      .map(({ wireName }) => `${wireName}=${given[wireName]}`)
      .join('&')

  test.each(endpoints.filter(({ method }) => method === 'GET'))(
    'GET $path answers as its definition reads it',
    async (endpoint) => {
      const reply = await get(`${endpoint.path}?${queryOf(endpoint, await values())}`)
      // The one parameter that is not a block here.
      if (endpoint.path === '/roi_by_stake') return expect([200, 404]).toContain(reply.status)
      expect(reply.status).toBe(200)
      expect(reply.headers.get('access-control-allow-origin')).toBe('*')
      if (reply.text === '') return expect(endpoint.mayBeEmpty).toBe(true)
      const isText = endpoint.form === 'text'
      expect(reply.headers.get('content-type')).toBe(isText ? 'text/plain; charset=utf-8' : JSON_TYPE)
      const wire = isText ? reply.text : parseJson(reply.text)
      expect(decodeWith(endpoint.answer, wire)).toMatchObject({ ok: true })
    },
  )

  test.each(endpoints)('$method $path is a route that answers at once without anything', async (endpoint) => {
    const reply = endpoint.method === 'GET' ? await get(endpoint.path) : await post(endpoint.path)
    expect([200, 400]).toContain(reply.status)
    expect(reply.text).not.toContain('Cannot')
    if (reply.status === 400) expect(read(reply)).toEqual({ err: 1n, message: expect.any(String) })
  })
})

describe('where the public server never answers', () => {
  test.each([
    ['/macroblock_by_height?height=99999999', 404],
    ['/macroblock_by_height?height=-1', 404],
    ['/macroblock_by_height', 400],
    ['/macroblock', 400],
    ['/mblock', 400],
    ['/account_rewards?page=0', 400],
    [`/roi_by_stake?stake=250000000000&hash=${'ab'.repeat(32)}`, 404],
    ['/tx?hash=a&hash=b', 400],
    ['/balance?id=a&token=b&token=c', 400],
  ])('%s: %i', async (path, status) => {
    const reply = await get(path)
    expect(reply.status).toBe(status)
    expect(reply.headers.get('content-type')).toBe(JSON_TYPE)
    expect(read(reply)).toEqual({ err: 1n, message: expect.stringMatching(/\.$/) })
  })
})

describe('manners of the public server', () => {
  test('any letter case finds a transaction, an account and a block; answers are in the stored case', async () => {
    const [hash = ''] = sent
    expect(read(await get(`/tx?hash=${hash.toUpperCase()}`)).hash).toBe(hash)
    const balances = [sender, sender.toUpperCase()].map(
      async (id) => read(await get(`/balance?id=${id}`)).amount,
    )
    const [lower, upper] = await Promise.all(balances)
    expect(upper).toEqual(lower)
    const block = read(await get('/macroblock?hash=devgenesis')) as never as { kblock: { hash: string } }
    expect(block.kblock.hash).toBe('DEVGENESIS')
  })

  test('the character NUL is as unknown as any other text', async () => {
    for (const path of ['/tx?hash=', '/balance_all?id=', '/token_info?hash=', '/search?value=']) {
      expect((await get(`${path}a%00b`)).status).toBe(200)
    }
  })

  test('histories name the account as it was asked for', async () => {
    const id = receiver.toUpperCase()
    expect(read(await get(`/account_in?id=${id}&page=0`)).id).toBe(id)
  })

  test('a preflight is answered for any path', async () => {
    const response = await fetch(`${network.apiUrl}/tx`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:1', 'access-control-request-headers': 'content-type' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-headers')).toBe('content-type')
    expect(response.headers.get('access-control-allow-methods')).toContain('POST')
    expect(response.headers.get('access-control-max-age')).toBe('7200')
  })

  test('an unknown path is a page that says so, and says it harmlessly', async () => {
    const reply = await get('/no_such_method?x=1')
    expect(reply.status).toBe(404)
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.text).toContain('<pre>Cannot GET /api/v1/no_such_method</pre>')
    expect((await get("/a'b<script>")).text).not.toContain('<script>')
  })

  test('an unknown path of the API is said in JSON to whoever asks for JSON', async () => {
    const reply = await fetch(`${network.apiUrl}/no_such_method?x=1`, {
      headers: { accept: 'application/json' },
    })
    expect(reply.status).toBe(404)
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(await reply.json()).toEqual({ err: 1, message: 'There is no GET /api/v1/no_such_method.' })
  })

  test('the misspelt path of a public library is served too', async () => {
    const right = await get(`/balance_mineable?id=${sender}`)
    expect((await get(`/balance_minable?id=${sender}`)).text).toBe(right.text)
  })
})

describe('a history of twelve payments', () => {
  const page = async (number: number) =>
    read(await get(`/account_in?id=${receiver}&page=${number}`)) as never as {
      records?: { i: bigint; hash: string; input: string }[]
      page_count?: bigint
    }

  test('stands on two pages without a gap, newest first', async () => {
    const [first, second, third] = [await page(0), await page(1), await page(2)]
    expect(first.records).toHaveLength(10)
    expect(second.records).toHaveLength(2)
    expect(third).toMatchObject({ records: [], page_count: 2n })
    const all = [...(first.records ?? []), ...(second.records ?? [])]
    expect(new Set(all.map(({ hash }) => hash))).toEqual(new Set(sent))
    expect(all.map(({ i }) => i)).toEqual(all.map(({ i }) => i).sort((a, b) => Number(b - a)))
    expect(all.every(({ input }) => input === '9000000000')).toBe(true)
  })

  test('leaves the records out without a page and says nothing of an account that has none', async () => {
    expect(Object.keys(read(await get(`/account_in?id=${receiver}`)))).toEqual([
      'balance',
      'page_count',
      'id',
    ])
    const unknown = `02${'ab'.repeat(32)}`
    expect(read(await get(`/account_in?id=${unknown}&page=0`))).toEqual({ balance: 0n, id: unknown })
    expect((await get(`/account_in?id=${receiver}&page=-1`)).status).toBe(400)
    expect(read(await get(`/account?id=${unknown}&page=0`))).toEqual({
      balance: 0n,
      records: [],
      page_count: 0n,
      id: unknown,
    })
  })
})

describe('POST /tx', () => {
  const wrong = { err: 1n, message: 'Something went wrong...' }

  test('reads JSON alone', async () => {
    for (const type of [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
      expect(read(await post('/tx', '[{}]', type)).message).toBe('Only 1 TX can be sent')
    }
    expect(read(await post('/tx', '[{}]', 'Application/JSON; charset=UTF-8')).message).toBe('Missed fields')
  })

  test.each(['{bad json', '"text"', '5', ' ', '[1,]'])('%s is answered with 400', async (body) => {
    const reply = await post('/tx', body, 'application/json')
    expect([reply.status, read(reply)]).toEqual([400, wrong])
  })

  test('reads 102400 bytes and not one more', async () => {
    const filled = (length: number) => `[{"x":"${'a'.repeat(length - '[{"x":""}]'.length)}"}]`
    expect(read(await post('/tx', filled(102_400), 'application/json')).message).toBe('Missed fields')
    const reply = await post('/tx', filled(102_401), 'application/json')
    expect([reply.status, read(reply)]).toEqual([413, wrong])
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('counts bytes of a body whose length was not announced', async () => {
    const status = await new Promise((resolve, reject) => {
      const asked = request(`${network.apiUrl}/tx`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      })
      asked.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
      asked.end('x'.repeat(200_000))
    })
    expect(status).toBe(413)
  })
})

describe('POST /faucet', () => {
  test('takes JSON and forms, sends once, and refuses what is no address', async () => {
    const [json, form] = [2, 3].map((number) => developer(number).address)
    expect((await post('/faucet', `{"pubkey":"${json}"}`, 'application/json')).text).toBe('true')
    expect((await post('/faucet', `{"pubkey":"${json}"}`, 'application/json')).text).toBe('false')
    expect((await post('/faucet', `pubkey=${form}`, 'application/x-www-form-urlencoded')).text).toBe('true')
    for (const pubkey of ['me', '__proto__', 5])
      expect((await post('/faucet', JSON.stringify({ pubkey }), 'application/json')).status).toBe(400)
  })

  test('says what is wrong with a token or a word', async () => {
    const pubkey = developer(4).address
    const answers = [
      [{ token: 'HAIL' }, 400, 'The token should be its id of 64 hex digits.'],
      [{ token: '1'.repeat(64) }, 404, 'The network knows no such token.'],
      [{ token: network.tokens.fixed.id }, 400, 'The token cannot be mined: the faucet gives stakes alone.'],
      [{ as: 'owner' }, 400, '"as" should be "agent", or absent for the stake of a miner.'],
    ] as const
    for (const [more, status, message] of answers) {
      const answer = await post('/faucet', JSON.stringify({ pubkey, ...more }), 'application/json')
      expect([answer.status, JSON.parse(answer.text)]).toStrictEqual([status, { err: 1, message }])
    }
    const body = { pubkey, token: network.tokens.mineable.id, as: 'agent' }
    expect((await post('/faucet', JSON.stringify(body), 'application/json')).text).toBe('true')
  })
})

describe('the reference', () => {
  const page = async (path: string) => {
    const response = await fetch(origin + path)
    expect(response.status).toBe(200)
    return response.text()
  }

  test('is the document printed from the definitions', async () => {
    const served = JSON.parse(await page('/docs/json'))
    const printed = openApiDocument({ serverUrl: '/api/v1', title: served.info.title, version: '1' })
    expect(served.paths).toEqual(JSON.parse(JSON.stringify(printed.paths)))
    expect(served.servers).toMatchObject([{ url: '/api/v1' }])
  })

  test('comes from this node alone, every part of it', async () => {
    const html = await page('/docs')
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part = '']) => part)
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts) {
      const url = new URL(part, `${origin}/docs/`)
      expect(url.origin).toBe(origin)
      await page(url.pathname)
    }
  })

  test('is named on the start page', async () => {
    expect(await page('/')).toContain('href="/docs"')
  })
})

test('a failure of our own is logged with its cause and answered without', async () => {
  const { store, mempool, ...quick } = await quickNetwork()
  const logged: unknown[] = []
  const logger = { debug() {}, info() {}, warn() {}, error: (...entry: unknown[]) => logged.push(entry) }
  const api = await createApi({
    store,
    mempool,
    logger,
    minersOnline: () => [],
    faucet: async () => 'empty',
    clock: { now: Date.now },
    blockTimeMs: 1000,
  })
  await quick[Symbol.asyncDispose]()
  // The store is closed now, so every question to it fails.
  const reply = await api.inject('/api/v1/height')
  expect(reply.statusCode).toBe(500)
  expect(reply.headers['access-control-allow-origin']).toBe('*')
  expect(reply.json()).toEqual({ err: 1, message: 'Something went wrong...' })
  expect(logged).toHaveLength(1)
  await api.close()
})

test('the version of an app can be announced, so that a forced update can be rehearsed', async () => {
  const appVersion = { minimum: '1.2.0', maximum: '1.4.0', url: 'https://app.example/' }
  await using other = await startLocalNetwork({ seed: 'versions', blockTimeMs: 3_600_000, appVersion })
  const answers = [other, network].map(async ({ apiUrl }) => (await fetch(`${apiUrl}/ver`)).json())
  const announced = { minApkVersion: '1.2.0', maxApkVersion: '1.4.0', apkUrl: 'https://app.example/' }
  expect(await Promise.all(answers)).toEqual([announced, {}])
})
