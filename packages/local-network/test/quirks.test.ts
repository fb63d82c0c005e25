import { existsSync, readFileSync } from 'node:fs'
import type { DevelopmentAccount } from '@hailstone/ledger'
import { type JsonValue, parseJson, type TokenId } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signPayment } from '../src/chain/sign-payment.ts'
import { createApi } from '../src/http/index.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'

const FOLDER = new URL('../', import.meta.url)
const COIN = 10n ** 10n

describe('QUIRKS.md', () => {
  const page = readFileSync(new URL('QUIRKS.md', FOLDER), 'utf8')
  const rows = [...page.matchAll(/^\|.*\| `([^`]+)` › (.+?) \|$/gm)].map(([, file = '', name = '']) => ({
    file,
    name,
  }))

  test('names a test in every row', () => {
    const lines = page.split('\n').filter((line) => line.startsWith('| '))
    const heads = lines.filter((line) => line.startsWith('| ---') || line.endsWith('| Test |'))
    expect(rows.length).toBeGreaterThan(40)
    expect(rows).toHaveLength(lines.length - heads.length)
  })

  test.each(rows)('$file › $name', ({ file, name }) => {
    const url = new URL(file, FOLDER)
    expect(existsSync(url)).toBe(true)
    expect(readFileSync(url, 'utf8')).toContain(`'${name}'`)
  })
})

let network: QuickNetwork
let api: Awaited<ReturnType<typeof createApi>>

async function ask(path: string): Promise<{ readonly status: number; readonly body: string }> {
  const { statusCode, body } = await api.inject(`/api/v1${path}`)
  return { status: statusCode, body }
}

const get = async <T = { readonly [name: string]: JsonValue }>(path: string): Promise<T> =>
  parseJson((await ask(path)).body) as T

function developer(number: number): DevelopmentAccount {
  const account = network.genesis.accounts.developers[number]
  if (account === undefined) throw new Error('there are five developers')
  return account
}

/** Sends a payment straight into the pool, and has it calculated. */
async function pay(amount: bigint, tokenId: TokenId = network.genesis.tokens.native.id): Promise<string> {
  const { transaction, hash } = signPayment({
    from: developer(0),
    to: developer(1).address,
    amount: amount as never,
    tokenId,
    random: Math.random,
  })
  network.mempool.add(transaction, hash)
  await network.producer.closeNow()
  return hash
}

let heightAtFirst: JsonValue
beforeAll(async () => {
  network = await quickNetwork({ keepAlive: false })
  api = await createApi({
    store: network.store,
    mempool: network.mempool,
    minersOnline: () => [],
    faucet: async () => 'empty',
    clock: { now: Date.now },
    blockTimeMs: 15_000,
  })
  heightAtFirst = await get('/height')
  await pay(COIN)
})
afterAll(async () => {
  await api.close()
  await network[Symbol.asyncDispose]()
})

test('the height is absent at height 0', () => {
  expect(heightAtFirst).toEqual({})
})

test('units are numbers up to 2^53-1 and texts above', async () => {
  const { amount } = await get(`/balance?id=${developer(0).address}`)
  expect(amount).toBeTypeOf('bigint')
  const rich = await get(`/balance?id=${network.genesis.accounts.faucet.address}`)
  expect(rich.amount).toBeTypeOf('string')
  expect(BigInt(String(rich.amount))).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER))
})

test('some figures are bare numbers beyond a double', async () => {
  const { origin } = await get<{ origin: { reward: bigint } }>('/network_info')
  const stats = await get('/stats')
  for (const figure of [origin.reward, stats.tsup]) {
    expect(figure).toBeTypeOf('bigint')
    expect(figure).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER))
  }
})

test('a rejected payment below its fee has a negative net amount, as text', async () => {
  const hash = await pay(COIN / 100n)
  expect(await get(`/tx?hash=${hash}`)).toMatchObject({
    status: 2n,
    total_amount: COIN / 100n,
    fee: '1000000000',
    amount: '-900000000',
  })
  const { records } = await get<{ records: object[] }>(`/account_out?id=${developer(0).address}&page=0`)
  expect(records[0]).toMatchObject({ hash, status: 2n, output: '-900000000', fee: '1000000000' })
})

test('a balance that is not there has ten decimals and no token', async () => {
  const { fixed } = network.genesis.tokens
  const balance = await get(`/balance?id=${developer(0).address}&token=${fixed.id}`)
  expect(fixed.decimals).toBe(2)
  expect(balance).toMatchObject({ amount: 0n, decimals: 10n })
  expect(Object.keys(balance)).not.toContain('token')
})

test('nothing is a body of zero length', async () => {
  const unknown = 'ab'.repeat(32)
  for (const path of [`/tx?hash=${unknown}`, '/tx', '/pending_tx_hash', '/pending_tx_account?filter=from']) {
    expect(await ask(path)).toEqual({ status: 200, body: '' })
  }
  expect(await ask(`/stat/agent_info?id=02${unknown}`)).toEqual({ status: 200, body: '' })
})

test('one thing comes in a list', async () => {
  expect(await get('/pending_size')).toEqual([{ count: 0n }])
  expect(await get(`/token_info?hash=${network.genesis.tokens.fixed.id}`)).toHaveLength(1)
  expect(await get('/token_info')).toEqual([])
})

test('a height that is no number is the origin block', async () => {
  for (const height of ['abc', '', '0x5'])
    expect(await get(`/macroblock_by_height?height=${height}`)).toMatchObject({
      kblock: { hash: 'DEVGENESIS', n: 0n },
    })
})

test('the newest block is open: no microblocks, no reward, no signature', async () => {
  const { height } = await get('/height')
  expect(await get(`/macroblock_by_height?height=${height}`)).toMatchObject({
    kblock: { n: height, reward: null, leader_sign: null },
    mblocks: [],
    sblocks: [],
  })
})

test('an identifier in capitals is taken and rejected later', async () => {
  const capitals = network.genesis.tokens.mineable.id.toUpperCase() as TokenId
  const hash = await pay(COIN, capitals)
  const transaction = await get(`/tx?hash=${hash}`)
  expect(transaction).toMatchObject({ status: 2n, token_hash: capitals, fee_type: null })
  expect(Object.keys(transaction)).not.toContain('fee')
})
