import {
  addressOf,
  encodeContractOrder,
  type JsonValue,
  parseJson,
  parsePrivateKey,
  sha256Hex,
  tokenOrder,
} from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { type AskOptions, ask, exchangeBytes, type Seen } from './plain-http.ts'

const COIN = 10n ** 10n

let network: LocalNetwork
beforeAll(async () => {
  network = await startLocalNetwork({
    blockTimeMs: 3_600_000,
    seed: 'control',
    control: true,
    keepAlive: false,
    fallbackMiner: false,
  })
})
afterAll(() => network.stop())

const somebody = (name: string) => addressOf(parsePrivateKey(sha256Hex(name)))

const control = (path: string, options?: AskOptions): Promise<Seen> =>
  ask(`${network.controlUrl}/${path}`, options)

async function order(path: string, body?: unknown): Promise<JsonValue> {
  const seen = await control(path, { method: 'POST', body })
  expect(seen).toMatchObject({ status: 200, error: null })
  return parseJson(seen.text)
}

const get = async (path: string): Promise<JsonValue> => parseJson((await ask(network.apiUrl + path)).text)

describe('calls', () => {
  test('mines where nobody else does', async () => {
    const height = network.height()
    expect(await network.control.mine()).toBe(height + 1)
    expect(await network.control.mine(3)).toBe(height + 4)
    expect(await get('/height')).toEqual({ height: BigInt(height + 4) })
    for (const count of [0, -1, 1.5, Number.NaN])
      await expect(network.control.mine(count)).rejects.toMatchObject({ code: 'CONTROL_REFUSED' })
  })

  test('dates blocks with a clock that is put forward and back, and never dates one before its parent', async () => {
    const timeOfNext = async (): Promise<bigint> => {
      const height = await network.control.mine()
      const answer = (await get(`/macroblock_by_height?height=${height}`)) as {
        readonly kblock: { readonly time: bigint }
      }
      return answer.kblock.time
    }
    const year2100 = new Date('2100-01-01T00:00:00Z')
    network.control.setClock(year2100)
    const late = await timeOfNext()
    expect(Number(late) * 1000 - year2100.getTime()).toBeLessThan(60_000)
    network.control.advanceClock(3_600_000)
    expect(Number((await timeOfNext()) - late)).toBeGreaterThanOrEqual(3600)
    network.control.setClock(Date.now())
    expect(await timeOfNext()).toBeGreaterThanOrEqual(late)
    for (const time of [-1, Number.NaN])
      expect(() => network.control.setClock(time)).toThrow(
        expect.objectContaining({ code: 'CONTROL_REFUSED' }),
      )
  })

  test('funds an account with exactly what was said, in every token', async () => {
    const { native, mineable, fixed, reissuable } = network.tokens
    for (const { id, symbol } of [native, mineable, fixed, reissuable]) {
      const address = somebody(symbol)
      const { hash, height } = await network.control.fund(address, 123_456n, id)
      expect(network.balance(address, id)).toBe(123_456n)
      expect(await get(`/tx?hash=${hash}`)).toMatchObject({ hash, status: 3n })
      expect(height).toBe(network.height() - 1)
    }
  })

  test('refuses what cannot be paid', async () => {
    const to = somebody('rich')
    const codes = [
      [network.control.fund('02' as never, 1n), 'ADDRESS_MALFORMED'],
      [network.control.fund(to, 1n, sha256Hex('none') as never), 'TOKEN_UNKNOWN'],
      [network.control.fund(to, 10n ** 18n), 'CONTROL_REFUSED'],
      [network.control.fund(to, 2n ** 64n), 'AMOUNT_OUT_OF_RANGE'],
    ] as const
    for (const [funding, code] of codes) await expect(funding).rejects.toMatchObject({ code })
    expect(network.balance(to)).toBe(0n)
  })

  test('two orders at once come one after the other', async () => {
    const height = network.height()
    await Promise.all([
      network.control.mine(2),
      network.control.fund(somebody('both'), COIN),
      network.control.mine(),
    ])
    // The payment may be in one of the three.
    expect([height + 3, height + 4]).toContain(network.height())
    expect(network.balance(somebody('both'))).toBe(COIN)
    const reached = network.height()
    await Promise.all([network.control.reorganise(1), network.control.mine(2)])
    expect(network.height()).toBe(reached + 1)
  })
})

test('while it is paused no macroblock closes by itself', async () => {
  await using quick = await startLocalNetwork({ blockTimeMs: 50 })
  await expect.poll(() => quick.height()).toBeGreaterThan(1)
  await quick.control.pause()
  const height = quick.height()
  await new Promise((resolve) => setTimeout(resolve, 250))
  expect(quick.height()).toBe(height)
  expect(await quick.control.state()).toMatchObject({ isPaused: true, height })
  expect(await quick.control.mine()).toBe(height + 1)
  quick.control.resume()
  await expect.poll(() => quick.height()).toBeGreaterThan(height + 2)
})

describe('orders over http', () => {
  test('create a token at once, whose stake the faucet gives, and refuse data that is no contract', async () => {
    const mining = {
      maxSupply: 50_000n,
      blockReward: 5n,
      minimumStake: 10n,
      referrerStake: 10n,
      referralShareBps: 1000,
    }
    const creation = tokenOrder({ symbol: 'RIME', decimals: 2, supply: 1000n, mining })
    const { hash } = (await order('order', { data: encodeContractOrder(creation) })) as {
      readonly hash: string
    }
    const tokens = await (await fetch(`${network.apiUrl}/token_info?hash=${hash}`)).json()
    expect(tokens).toMatchObject([{ ticker: 'RIME', owner: network.accounts.tokenOwner.address }])
    const asked = { pubkey: somebody('miner of a new token'), token: hash }
    const body = JSON.stringify(asked)
    const headers = { 'content-type': 'application/json' }
    const sent = await fetch(`${network.apiUrl}/faucet`, { method: 'POST', headers, body })
    expect(await sent.json()).toBe(true)
    const refused = await control('order', { method: 'POST', body: { data: 'a memo' } })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('the data is no order')
  })

  test('do what the calls do', async () => {
    const height = network.height()
    expect(await order('mine', { count: 2 })).toEqual({ height: BigInt(height + 2) })
    expect(await order('mine')).toEqual({ height: BigInt(height + 3) })
    const snapshot = (await order('snapshot')) as { readonly id: string }
    const address = somebody('over http')
    expect(await order('fund', { address, amount: '18446744073' })).toMatchObject({
      height: BigInt(height + 3),
    })
    expect(network.balance(address)).toBe(18_446_744_073n)
    expect(await order('reorganise', { blocks: 2, keep_transactions: false })).toEqual({
      height: BigInt(height + 2),
    })
    expect(network.balance(address)).toBe(0n)
    expect(await order('revert', snapshot)).toEqual({ height: BigInt(height + 3) })
    expect(await order('set-clock', { time: 4_102_444_800_000, advance_ms: 60_000 })).toEqual({
      time: expect.toSatisfy((time: bigint) => time >= 4_102_444_860_000n && time < 4_102_444_900_000n),
    })
    expect(await order('pause')).toEqual({ height: BigInt(height + 3) })
    expect(parseJson((await control('state')).text)).toMatchObject({
      height: BigInt(height + 3),
      paused: true,
      snapshots: [snapshot.id],
    })
    expect(await order('resume')).toEqual({ height: BigInt(height + 3) })
    expect(await order('forget-pool')).toEqual({ count: expect.any(BigInt) })
    await network.control.setClock(Date.now())
  })

  test('set faults, show what they did and end them', async () => {
    const script = {
      seed: 7,
      rules: [{ name: 'away', on: 'api', match: { path: '/height' }, fault: { status: { code: 503 } } }],
    }
    expect(await order('faults', script)).toEqual({ rules: 1n })
    expect((await ask(`${network.apiUrl}/height`)).status).toBe(503)
    const shown = parseJson((await control('faults')).text)
    expect(shown).toMatchObject({
      script: { seed: 7n },
      fired: [
        { number: 1n, rule: 0n, name: 'away', fault: 'status', on: 'api', subject: 'GET /api/v1/height' },
      ],
    })
    expect(await order('faults', { rules: [] })).toEqual({ rules: 0n })
    expect((await ask(`${network.apiUrl}/height`)).status).toBe(200)
  })

  test.each([
    ['mine', { cuont: 3 }, 'did you mean \\"count\\"?'],
    ['mine', { count: '3' }, 'count'],
    ['mine', [], 'a JSON object'],
    ['mine', 1, 'a JSON object'],
    ['fund', { address: '02', amount: 1 }, 'address'],
    ['reorganise', { blocks: 1_000_000 }, 'cannot be taken off'],
    ['revert', { id: 'snapshot-99' }, 'no snapshot'],
    ['set-clock', {}, 'time'],
    [
      'outage',
      { of: 'gatway', duration_ms: 1 },
      'The setting \\"of\\" should be one of api, gateway; did you mean \\"gateway\\"?',
    ],
    ['outage', { of: 'gateway', duration_ms: 1, close_code: 1006 }, 'close code'],
    ['faults', { rules: [{ on: 'api', fault: { slient: true } }] }, 'did you mean \\"silent\\"?'],
  ])('%s refuses %j and says why', async (path, body, why) => {
    const height = network.height()
    const seen = await control(path, { method: 'POST', body })
    expect(seen.status).toBe(400)
    expect(seen.text).toContain(why)
    expect(network.height()).toBe(height)
  })

  test('are in the reference', async () => {
    const { paths } = JSON.parse((await ask(`${network.docsUrl}/json`)).text)
    expect(paths['/mine'].post).toMatchObject({ tags: ['Control'], summary: 'Closes macroblocks now' })
    expect(JSON.stringify(paths['/mine'])).toContain('"url":"/control/v1"')
  })
})

describe('S-11: strangers', () => {
  const origin = () => new URL(network.apiUrl).origin

  test.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page of another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
    ['a page whose name was pointed at this machine', { host: 'evil.example' }],
    ['an image on another site', { 'sec-fetch-site': 'cross-site' }],
    ['an address that only looks like one', { host: '127.0.0.1.evil.example' }],
  ])('%s: is refused, and nothing happens', async (_, headers) => {
    const height = network.height()
    const seen = await control('mine', { method: 'POST', body: {}, headers })
    expect(seen.status).toBe(403)
    // No page may read the refusal; what names a foreign host is no page of ours and gets a word for people.
    if (!('host' in headers)) expect(seen.headers['access-control-allow-origin']).toBeUndefined()
    expect((await control('state', { headers })).status).toBe(403)
    expect(network.height()).toBe(height)
  })

  test('neither the page that this server serves nor a program is taken for another site', async () => {
    for (const headers of [
      {},
      { origin: origin() },
      { host: 'localhost:1' },
      { host: '[::1]' },
      { 'sec-fetch-site': 'same-origin' },
    ])
      expect((await control('state', { headers })).status).toBe(200)
  })

  test('one without a host is refused', async () => {
    const { bytes } = await exchangeBytes(network.apiUrl, 'GET /control/v1/state HTTP/1.0\r\n\r\n')
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 403 /)
  })

  test('find nothing when control is off, which it is unless it is asked for', async () => {
    await using plain = await startLocalNetwork({ blockTimeMs: 3_600_000 })
    expect(plain.controlUrl).toBeNull()
    const base = `${new URL(plain.apiUrl).origin}/control/v1`
    for (const path of ['mine', 'faults', 'fund'])
      expect((await ask(`${base}/${path}`, { method: 'POST', body: {} })).status).toBe(404)
    expect((await ask(`${base}/state`)).status).toBe(404)
    expect((await ask(`${plain.docsUrl}/json`)).text).not.toContain('/control/v1')
    expect(plain.height()).toBe(0)
  })

  test.each(['0.0.0.0', '::', 'host.example'])('control never listens on %s', async (host) => {
    await expect(startLocalNetwork({ host, control: true })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      facts: { path: 'control' },
    })
  })
})
