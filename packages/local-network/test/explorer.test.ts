import type { DevelopmentAccount } from '@hailstone/ledger'
import { type JsonValue, parseJson } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../src/http/index.ts'
import { payment } from './payments.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'

const COIN = 10n ** 10n
const BLOCKS = 23

type Answer = { readonly [name: string]: JsonValue }

let network: QuickNetwork
let api: Awaited<ReturnType<typeof createApi>>
beforeAll(async () => {
  network = await quickNetwork({ keepAlive: false })
  api = await apiOf(network)
  for (let block = 0; block < BLOCKS; block++) await pay(2n)
})
afterAll(async () => {
  await api.close()
  await network[Symbol.asyncDispose]()
})

const apiOf = ({ store, mempool }: QuickNetwork) =>
  createApi({
    store,
    mempool,
    minersOnline: () => [],
    faucet: async () => 'empty',
    clock: { now: Date.now },
    blockTimeMs: 15_000,
  })

function developer(number: number): DevelopmentAccount {
  const account = network.genesis.accounts.developers[number]
  if (account === undefined) throw new Error('there are five developers')
  return account
}

/** One macroblock with a payment that is confirmed, and one that is not. */
async function pay(coins: bigint): Promise<void> {
  for (const amount of [coins * COIN, 10n ** 18n]) {
    const { transaction, hash } = payment(network.genesis, {
      from: developer(0),
      to: developer(1).address,
      amount,
    })
    network.mempool.add(transaction, hash)
  }
  await network.producer.closeNow()
}

async function get<T = Answer>(path: string): Promise<T> {
  const { statusCode, body } = await api.inject(`/api/v1${path}`)
  expect(statusCode).toBe(200)
  return parseJson(body) as T
}

const text = async (path: string) => (await api.inject(`/api/v1${path}`)).body

describe('/page', () => {
  type Page = { count: bigint; kblocks: { n: bigint; tx_count: bigint; reward: JsonValue }[] }

  test('ten calculated blocks each, newest first, without a gap; the count is right', async () => {
    const pages = await Promise.all(['', '?n=1', '?n=2', '?n=3'].map((query) => get<Page>(`/page${query}`)))
    expect(pages.map(({ kblocks }) => kblocks.length)).toEqual([10, 10, 3, 0])
    expect(pages.map(({ count }) => count)).toEqual([3n, 3n, 3n, 3n])
    const heights = pages.flatMap(({ kblocks }) => kblocks.map(({ n }) => Number(n)))
    expect(heights).toEqual(Array.from({ length: BLOCKS }, (_, at) => BLOCKS - 1 - at))
    for (const { kblocks } of pages) for (const { reward } of kblocks) expect(reward).not.toBeNull()
  })

  test('counts transactions whatever became of them', async () => {
    const { kblocks } = await get<Page>('/page')
    expect(kblocks.every(({ tx_count }) => tx_count === 2n)).toBe(true)
  })
})

describe('/success_tx_by_height', () => {
  test('confirmed transactions alone', async () => {
    const { error, data } = await get<{ error: Answer; data: { txs: Answer[] } }>(
      '/success_tx_by_height?height=3',
    )
    expect(error).toEqual({ code: 0n, msg: 'successfully' })
    expect(data.txs).toMatchObject([{ status: 3n, amount: 2n * COIN }])
  })

  test.each([
    [`height=${BLOCKS}`, 1n, 'block not found'],
    ['height=999', 1n, 'block not found'],
    ['height=-1', 1n, 'block not found'],
    ['height=1.5', 1n, 'block not found'],
  ])('%s: code %i', async (query, code, msg) => {
    expect(await get(`/success_tx_by_height?${query}`)).toEqual({ error: { code, msg }, data: { txs: [] } })
  })
})

describe('a macroblock without microblocks', () => {
  test('is not found', async () => {
    await using empty = await quickNetwork({ keepAlive: false, fallbackMiner: false, emptyMacroblocks: true })
    const served = await apiOf(empty)
    await empty.producer.closeNow()
    const { body } = await served.inject('/api/v1/success_tx_by_height?height=0')
    await served.close()
    expect(parseJson(body)).toEqual({ error: { code: 1n, msg: 'block not found' }, data: { txs: [] } })
  })
})

describe('/top_accounts', () => {
  type Top = { accounts: { id: string; amount: bigint | string; percentage: number }[]; page_count: bigint }

  test('adds what is delegated to native amounts, and orders by the sum', async () => {
    const { accounts, page_count } = await get<Top>('/top_accounts?page=0')
    const amounts = accounts.map(({ amount }) => BigInt(amount))
    expect(amounts).toEqual([...amounts].sort((a, b) => Number(b - a)))
    const { address } = network.genesis.accounts.poolDelegate
    const delegate = accounts.find(({ id }) => id === address)
    expect(BigInt(delegate?.amount ?? 0)).toBeGreaterThan(300_000n * COIN)
    expect(page_count).toBe(1n)
    expect((await get<Top>('/top_accounts?page=1')).accounts).toEqual([])
  })

  test('of a token, balances alone', async () => {
    const { fixed } = network.genesis.tokens
    const { accounts } = await get<Top>(`/top_accounts?page=0&token_hash=${fixed.id.toUpperCase()}`)
    expect(accounts).toEqual([
      { id: fixed.owner, amount: fixed.totalSupply, token: fixed.id, percentage: 100n },
    ])
    expect((await get<Top>(`/top_accounts?page=0&token_hash=${'ab'.repeat(32)}`)).accounts).toEqual([])
  })

  test('an invalid page number is refused', async () => {
    for (const path of ['/top_accounts?page=-1', '/page?n=x', '/get_pos_list_page?page=1.5'])
      expect((await api.inject(`/api/v1${path}`)).statusCode).toBe(400)
  })
})

describe('/search', () => {
  const typesOf = async (value: string) =>
    (await get<{ type: string }[]>(`/search?value=${value}`)).map(({ type }) => type)

  test('finds every kind of thing by its name, in either case', async () => {
    const { store, genesis } = network
    const [microblock] = await store.microblocksOf(1)
    const [statBlock] = await store.statBlocksOf(1)
    const [transaction] = await store.transactionsAt(1, 1)
    const names: readonly (readonly [string | undefined, readonly string[]])[] = [
      [transaction?.hash, ['tx']],
      [developer(0).address, ['account']],
      [(await store.keyBlockAt(1))?.hash, ['kblock']],
      ['DEVGENESIS', ['kblock']],
      [microblock?.hash, ['mblock']],
      [statBlock?.hash, ['sblock']],
      [genesis.tokens.mineable.id, ['token']],
      [genesis.parameters.votingPoolId, ['pos']],
      ['ab'.repeat(32), []],
    ]
    for (const [name = 'absent', types] of names) {
      expect(await typesOf(name)).toEqual(types)
      expect(await typesOf(name.toUpperCase())).toEqual(types)
    }
    expect(await get('/search')).toEqual([])
  })

  test('shows an account with what it holds, and a transaction without a computed fee', async () => {
    const [account] = await get<{ info: { balances: Answer[] } }[]>(`/search?value=${developer(2).address}`)
    expect(account?.info.balances).toHaveLength(2)
    const [transaction] = await network.store.transactionsAt(1, 1)
    const [found] = await get<{ info: Answer[] }[]>(`/search?value=${transaction?.hash}`)
    expect(Object.keys(found?.info[0] ?? {})).not.toContain('fee')
  })
})

describe('figures', () => {
  test('transactions a second, difficulty, miners that could be', async () => {
    expect(await get('/tps')).toEqual({ tps: BigInt(Math.round((2 * BLOCKS) / 300)) })
    expect(await get('/difficulty')).toEqual({ difficulty: '0.00' })
    const { total } = await get('/poa_with_stake')
    const eligible = await network.store.accountsHolding(network.genesis.tokens.native.id, 25n * COIN)
    expect(total).toBe(BigInt(eligible))
  })

  test('the flat list of figures counts miners and pools, and adds up what they hold', async () => {
    const stats = await get<Record<string, bigint>>('/stats')
    expect(stats).toMatchObject({
      height: BigInt(BLOCKS),
      pos_total_count: 1n,
      pos_active_count: 1n,
      poa_count: 0n,
    })
    expect(stats.poa_capable_count).toBe((await get<{ total: bigint }>('/poa_with_stake')).total)
    expect(stats.total_daily_pos_stake).toBe(300_000n * COIN)
    expect(stats.engaged_balance).toBe((stats.total_daily_stake ?? 0n) + 300_000n * COIN)
  })

  test('plain texts have ten digits after the point', async () => {
    const native = await network.store.token(network.genesis.tokens.native.id)
    const units = (await text('/ext/plain/total_supply')).replace('.', '')
    expect(BigInt(units)).toBe(native?.totalSupply)
    expect(await text('/ext/plain/max_supply')).toBe('350000000.0000000000')
    expect(await text('/ext/plain/circ_supply')).toMatch(/^\d+\.\d{10}$/)
    expect(await text('/ext/plain/hashrate')).toBe('1')
  })

  test('the list of routes names every described path once', async () => {
    const paths = await get<string[]>('/list')
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths).toEqual(
      expect.arrayContaining(['/api/v1/height', '/api/v1/list', '/api/v1/ext/plain/hashrate']),
    )
  })
})
