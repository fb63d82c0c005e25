import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { addressOf, type JsonValue, parseJson, parsePrivateKey } from '@hailstone/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FaultScript } from '../src/faults/fault-script.ts'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { payment } from './payments.ts'
import { type AskOptions, ask, exchangeBytes, type Seen } from './plain-http.ts'

type HttpRule = Extract<FaultScript['rules'][number], { on: 'http' }>

const COIN = 10n ** 10n

let network: LocalNetwork
beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeMs: 3_600_000, seed: 'faults over http', keepAlive: false })
  await network.control.mine(2)
})
afterEach(() => network.faults.clear())
afterAll(() => network.stop())

const fault = (one: HttpRule['fault'], match: HttpRule['match'] = {}): void =>
  network.faults.set({ seed: 'a seed', rules: [{ on: 'http', match, fault: one }] })

const get = (path: string, options?: AskOptions): Promise<Seen> => ask(network.apiUrl + path, options)

const json = ({ text }: Seen): JsonValue => parseJson(text)

/** A signed payment as it is posted. */
function newPayment() {
  const [from] = network.accounts.developers
  if (from === undefined) throw new Error('there are developers')
  const to = addressOf(parsePrivateKey(randomBytes(32).toString('hex')))
  const { transaction, hash } = payment(network, { from, to, amount: COIN })
  const { signature, tokenId, amount, ...rest } = transaction
  return { hash, body: [{ ...rest, amount: String(amount), sign: signature, ticker: tokenId }] }
}

const post = (body: unknown, options: AskOptions = {}): Promise<Seen> =>
  get('/tx', { method: 'POST', body, ...options })

const isPending = async (hash: string): Promise<boolean> =>
  (json(await get(`/pending_tx_hash?hash=${hash}`)) as readonly unknown[]).length === 1

describe('time', () => {
  test('an answer comes late, and the request was carried out at once', async () => {
    fault({ delay: { ms: 1500 } }, { path: '/tx' })
    const { hash, body } = newPayment()
    let isAnswered = false
    const late = post(body).finally(() => {
      isAnswered = true
    })
    await expect.poll(() => isPending(hash)).toBe(true)
    expect(isAnswered).toBe(false)
    expect((await late).tookMs).toBeGreaterThan(1490)
  })

  test('a request is held back before anybody looks at it', async () => {
    fault({ delay: { ms: [1200, 1250], of: 'request' } }, { path: '/tx' })
    const { hash, body } = newPayment()
    const late = post(body)
    await expect.poll(() => network.faults.fired().length).toBe(1)
    expect(await isPending(hash)).toBe(false)
    expect((await late).tookMs).toBeGreaterThan(1190)
    expect(await isPending(hash)).toBe(true)
    expect(network.faults.fired()[0]?.detail.ms).toBeGreaterThanOrEqual(1200)
  })

  test('a silent server takes the request and never answers', async () => {
    fault({ silent: true }, { path: '/height' })
    expect(await get('/height', { timeoutMs: 300 })).toMatchObject({ status: null, error: 'TIMEOUT' })
    expect((await get('/stats')).status).toBe(200)
  })

  test('a half-open connection stays open and answers nothing, not even the next request', async () => {
    fault({ halfOpen: true }, { nth: 1 })
    const question = 'GET /api/v1/height HTTP/1.1\r\nhost: localhost\r\n\r\n'
    expect(await exchangeBytes(network.apiUrl, question + question, { waitMs: 400 })).toMatchObject({
      bytes: Buffer.alloc(0),
      ended: 'open',
    })
    expect((await get('/height')).status).toBe(200)
  })

  test('an answer drips', async () => {
    fault({ drip: { bytes: 20, everyMs: 20 } }, { path: '/height' })
    const seen = await get('/height')
    expect(json(seen)).toEqual({ height: 2n })
    // Head and body are some 300 bytes.
    expect(seen.tookMs).toBeGreaterThan(150)
  })

  test('an answer overtakes the one before it', async () => {
    fault({ reorder: { waitMs: 2000 } }, { path: '/height', nth: 1 })
    const order: string[] = []
    const first = get('/height').then(() => order.push('first'))
    await expect.poll(() => network.faults.fired().length).toBe(1)
    await get('/stats').then(() => order.push('second'))
    await first
    expect(order).toEqual(['second', 'first'])
  })
})

describe('connections', () => {
  const wholeAnswer = 'GET /api/v1/height HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'

  test.each([
    ['end', 0],
    ['end', 1],
    ['end', 40],
    ['reset', 0],
    ['reset', 17],
  ] as const)('an answer is cut with %s after %i bytes', async (how, afterBytes) => {
    fault({ cut: { of: 'answer', afterBytes, how } })
    const { bytes, ended } = await exchangeBytes(network.apiUrl, wholeAnswer)
    expect(ended).toBe(how)
    expect(bytes.toString()).toBe('HTTP/1.1 200 OK\r\naccess-control-allow-origin: *'.slice(0, afterBytes))
  })

  test('a request that was cut changes nothing, wherever that was; once it is whole it is carried out', async () => {
    const { hash, body } = newPayment()
    const text = JSON.stringify(body)
    const head = `POST /api/v1/tx HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`
    const request = head + text
    for (const afterBytes of [0, 1, head.length, head.length + 1, request.length - 1]) {
      fault({ cut: { of: 'request', afterBytes } }, { path: '/tx' })
      expect(await exchangeBytes(network.apiUrl, request)).toMatchObject({ bytes: Buffer.alloc(0) })
      expect(network.faults.fired()).toMatchObject([{ subject: 'POST /api/v1/tx', detail: { afterBytes } }])
      expect(await isPending(hash)).toBe(false)
    }
    fault({ cut: { of: 'request', afterBytes: request.length, how: 'reset' } }, { path: '/tx' })
    expect(await exchangeBytes(network.apiUrl, request)).toEqual({ bytes: Buffer.alloc(0), ended: 'reset' })
    await expect.poll(() => isPending(hash)).toBe(true)
  })

  test('only the requests that fit are cut, on a connection that is used again', async () => {
    fault({ cut: { of: 'request', afterBytes: 10 } }, { path: '/stats' })
    const ok = 'GET /api/v1/height HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const { bytes } = await exchangeBytes(network.apiUrl, ok, { until: '{"height":2}' })
    expect(bytes.toString()).toContain('{"height":2}')
    expect((await get('/stats')).error).toBe('ECONNRESET')
  })

  test.each([
    ['before', false],
    ['after', true],
  ] as const)('a connection is reset %s the request is carried out', async (when, isCarriedOut) => {
    fault({ reset: { when } }, { path: '/tx' })
    const { hash, body } = newPayment()
    expect(await post(body)).toMatchObject({ status: null, error: 'ECONNRESET' })
    expect(await isPending(hash)).toBe(isCarriedOut)
  })

  test('a byte on the wire is another one', async () => {
    fault({ corrupt: { bits: 200, of: 'answer' } })
    expect((await get('/height')).error).toMatch(/^HPE_/)
  })
})

describe('answers that are something else', () => {
  test.each([
    [{ code: 503 }, undefined, '<h1>503</h1>'],
    [{ code: 429, retryAfter: 7, body: 'json' }, '7', 'Something went wrong'],
    [{ code: 429, retryAfter: 'soon', body: 'empty' }, 'soon', ''],
    [{ code: 429, retryAfter: 1_000_000_000 }, '1000000000', '<h1>429</h1>'],
    [{ code: 500, body: 'genuine' }, undefined, '{"height":2}'],
  ] as const)('%j', async (status, retryAfter, text) => {
    fault({ status }, { path: '/height' })
    const seen = await get('/height')
    expect(seen.status).toBe(status.code)
    expect(seen.headers['retry-after']).toBe(retryAfter)
    expect(seen.text).toContain(text)
  })

  test('Retry-After is a date ahead', async () => {
    fault({ status: { code: 503, retryAfterDateMs: 60_000 } })
    const date = Date.parse((await get('/height')).headers['retry-after'] ?? '')
    expect(Math.abs(date - Date.now() - 60_000)).toBeLessThan(5000)
  })

  test('a payment is taken and the answer says 500', async () => {
    fault({ status: { code: 500, when: 'after' } }, { path: '/tx' })
    const { hash, body } = newPayment()
    expect((await post(body)).status).toBe(500)
    expect(await isPending(hash)).toBe(true)
  })

  test('a redirect leads elsewhere', async () => {
    fault({ redirect: { location: 'http://elsewhere.example/', code: 307 } })
    const seen = await get('/height')
    expect([seen.status, seen.headers.location]).toEqual([307, 'http://elsewhere.example/'])
  })

  test.each([
    ['null', 'null'],
    ['list', '[]'],
    ['number', '5'],
    ['errZero', '{"err":0}'],
    ['empty', ''],
    ['truncated', '{"heig'],
    ['twice', '{"height":2}{"height":2}'],
    ['duplicateKeys', '{"height":2,"height":2}'],
    ['proto', '{"__proto__":{"polluted":1},"height":2}'],
    ['byteOrderMark', '\uFEFF{"height":2}'],
    ['nul', '{"height":2}\0'],
  ] as const)('the JSON is %s', async (name, text) => {
    fault({ wrongJson: name }, { path: '/height' })
    expect((await get('/height')).text).toBe(text)
  })

  test('a page of a captive portal says 200', async () => {
    fault({ wrongJson: 'html200' })
    expect(await get('/height')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
  })

  test('bodies do not fit what was said of them', async () => {
    fault({ wrongBody: 'tooShort' })
    expect(await get('/height')).toMatchObject({ text: '{"height":2}', error: 'ECONNRESET' })
    fault({ wrongBody: 'tooLong' })
    expect((await get('/height')).error).toMatch(/^HPE_/)
    fault({ wrongBody: 'none' })
    expect(await get('/height')).toMatchObject({ status: 204, text: '' })
  })

  test('compressed bodies are broken, or far larger than they look', async () => {
    fault({ wrongBody: 'brokenGzip' })
    const broken = await get('/height')
    expect(broken.headers['content-encoding']).toBe('gzip')
    expect(() => gunzipSync(broken.body)).toThrow()
    fault({ wrongBody: 'gzipBomb' })
    const bomb = await get('/height')
    expect(bomb.body.length).toBeLessThan(200_000)
    expect(gunzipSync(bomb.body).length).toBeGreaterThan(60_000_000)
  })

  test('bits of the body are turned round', async () => {
    fault({ corrupt: { bits: 3 } })
    const { body } = await get('/height')
    const genuine = Buffer.from('{"height":2}')
    const differing = genuine.reduce((sum, byte, at) => {
      const bits = byte ^ (body[at] ?? 0)
      return sum + [...bits.toString(2)].filter((bit) => bit === '1').length
    }, 0)
    expect(differing).toBe(3)
  })
})

describe('lies', () => {
  test('a balance is another one', async () => {
    const [account] = network.accounts.developers
    fault(
      {
        rewrite: [
          { path: 'amount', value: 18_446_744_073_709_551_615n },
          { path: 'decimals', value: '10' },
        ],
      },
      { path: '/balance' },
    )
    const seen = await get(`/balance?id=${account?.address}`)
    expect(seen.text).toContain('"amount":18446744073709551615,')
    expect(json(seen)).toMatchObject({ decimals: '10' })
    expect(network.faults.fired()).toMatchObject([{ detail: { changed: 2 } }])
  })

  test.each([
    ['big', 10n ** 30n],
    ['negative', -1],
    ['fractional', 0.5],
  ])('a fee is %s', async (_, value) => {
    fault({ rewrite: [{ path: '[0].fee_value', value }] }, { path: '/token_info' })
    const [token] = json(await get(`/token_info?hash=${network.tokens.native.id}`)) as readonly {
      readonly fee_value: JsonValue
    }[]
    expect(token?.fee_value).toBe(
      typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value,
    )
  })

  test('one block is missing', async () => {
    fault({ status: { code: 404, body: 'json' } }, { path: '/macroblock_by_height', query: { height: '1' } })
    expect((await get('/macroblock_by_height?height=0')).status).toBe(200)
    expect((await get('/macroblock_by_height?height=1')).status).toBe(404)
  })

  test('a posted transaction gets the hash of another one', async () => {
    fault({ wrongHash: true }, { path: '/tx' })
    const { hash, body } = newPayment()
    const answer = json(await post(body)) as { readonly result: readonly { readonly hash: string }[] }
    expect(answer.result[0]?.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(answer.result[0]?.hash).not.toBe(hash)
    expect(await isPending(hash)).toBe(true)
  })

  test('a posted transaction is accepted and forgotten', async () => {
    fault({ acceptThenForget: true }, { path: '/tx' })
    const { hash, body } = newPayment()
    expect(json(await post(body))).toMatchObject({ err: 0n, result: [{ hash }] })
    expect(await isPending(hash)).toBe(false)
  })

  test('the whole pool is forgotten', async () => {
    const { hash, body } = newPayment()
    await post(body)
    expect(await isPending(hash)).toBe(true)
    fault({ forgetPool: true }, { path: '/height' })
    await get('/height')
    expect(await isPending(hash)).toBe(false)
  })

  test('a request arrives twice', async () => {
    fault({ duplicate: { times: 2 } }, { path: '/tx' })
    expect(json(await post(newPayment().body))).toMatchObject({ message: 'TX is already in txpool' })
  })

  test('histories repeat, leave out, overlap and never end', async () => {
    const [from, to] = network.accounts.developers
    if (from === undefined || to === undefined) throw new Error('there are developers')
    for (let paid = 0; paid < 3; paid++) await network.control.fund(to.address, COIN)
    const records = async (page = 0): Promise<readonly { readonly i: bigint }[]> => {
      const answer = json(await get(`/account_in?id=${to.address}&page=${page}`))
      return (answer as unknown as { readonly records: readonly { readonly i: bigint }[] }).records
    }
    const numbers = async (page?: number) => (await records(page)).map(({ i }) => i)
    const genuine = await numbers()
    expect(genuine.length).toBe(3)
    fault({ records: 'repeat' })
    expect(await numbers()).toEqual([genuine[0], ...genuine])
    fault({ records: 'skip' })
    expect(await numbers()).toHaveLength(2)
    fault({ records: 'overlap' })
    expect(await numbers()).toEqual(genuine)
    expect(await numbers()).toEqual([genuine[2], ...genuine])
    fault({ records: 'endless' })
    expect(await numbers(0)).toEqual(genuine)
    expect(await numbers(1)).toEqual(genuine)
    expect(await numbers(99)).toEqual(genuine)
  })
})

describe('rules', () => {
  test('all that fit act, the first one outermost', async () => {
    network.faults.set({
      rules: [
        { on: 'http', fault: { delay: { ms: 100 } } },
        { on: 'http', match: { path: '/height' }, fault: { rewrite: [{ path: 'height', add: 5 }] } },
        { on: 'http', match: { path: '/heigh*' }, fault: { rewrite: [{ path: 'height', add: 1 }] } },
      ],
    })
    const seen = await get('/height')
    expect(json(seen)).toEqual({ height: BigInt(network.height() + 6) })
    expect(seen.tookMs).toBeGreaterThan(95)
    expect(network.faults.fired().map(({ rule }) => rule)).toEqual([0, 1, 2])
  })

  test.each([
    [{ nth: 2 }, [200, 503, 200, 200, 200, 200]],
    [{ every: 3 }, [200, 200, 503, 200, 200, 503]],
    [{ from: 3 }, [200, 200, 503, 503, 503, 503]],
    [{ until: 2 }, [503, 503, 200, 200, 200, 200]],
    [{ from: 2, until: 4, every: 2 }, [200, 503, 200, 503, 200, 200]],
    [{ probability: 0 }, [200, 200, 200, 200, 200, 200]],
    [{ probability: 1 }, [503, 503, 503, 503, 503, 503]],
  ])('%j chooses among those that fit', async (match, statuses) => {
    fault({ status: { code: 503 } }, match)
    const seen: (number | null)[] = []
    for (const _ of statuses) seen.push((await get('/height')).status)
    expect(seen).toEqual(statuses)
  })

  test('a window of time ends by itself', async () => {
    fault({ status: { code: 503 } }, { untilMs: 1500 })
    expect((await get('/height')).status).toBe(503)
    await expect.poll(async () => (await get('/height')).status).toBe(200)
  })

  test('the same seed and the same requests give the same run, another seed another one', async () => {
    const rules: FaultScript['rules'] = [
      { on: 'http', match: { probability: 0.5 }, fault: { status: { code: 503 } } },
      { name: 'bits', on: 'http', match: { probability: 0.5 }, fault: { corrupt: { bits: [1, 9] } } },
      { on: 'http', match: { every: 4 }, fault: { cut: { of: 'answer', afterBytes: [0, 200] } } },
    ]
    const run = async (seed: string) => {
      network.faults.set({ seed, rules })
      const seen: string[] = []
      for (let asked = 0; asked < 20; asked++) {
        const { status, text, error } = await get(asked % 3 === 0 ? '/stats' : '/height')
        seen.push(`${status} ${text} ${error}`)
      }
      return { seen, fired: network.faults.fired() }
    }
    const first = await run('one')
    expect(first.fired.length).toBeGreaterThan(10)
    expect(await run('one')).toEqual(first)
    expect((await run('two')).fired).not.toEqual(first.fired)
  })

  test('reference and start page are spared', async () => {
    fault({ status: { code: 503 } })
    expect((await ask(network.docsUrl)).status).toBe(200)
    expect((await ask(new URL('/', network.apiUrl).href)).status).toBe(200)
  })
})
