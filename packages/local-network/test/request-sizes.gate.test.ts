import {
  type Address,
  addressOf,
  parsePrivateKey,
  type Signature,
  sha256Hex,
  transactionHash,
} from '@hailstone/protocol'
import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { recordStatements } from '../../../apps/console/test/record-statements.ts'
import { createMempool } from '../src/chain/mempool.ts'
import { createApi } from '../src/http/index.ts'
import { chainExamples } from '../src/http/reference/chain-examples.ts'
import { costOf } from '../src/http/request-cost.ts'
import { API_PREFIX } from '../src/http/route.ts'
import { apiRoutes } from '../src/http/routes/index.ts'
import { connectChainServer } from '../src/store/chain-database.ts'
import { describePostgres } from './engines.ts'
import { payment } from './payments.ts'
import { quickNetwork } from './quick-network.ts'

/** Accounts with a balance in the native coin, and in the mineable token. */
const BALANCES = 20_000
/** Senders without coins, and what each of them has waiting for one receiver. */
const [SENDERS, OF_SENDER] = [80, 64]

/** Largest answer in bytes and rows that a request may read, by the room that it takes. */
const limits: Readonly<Record<number, { readonly bytes: number; readonly rows: number }>> = {
  0: { bytes: 64 * 1024, rows: 1000 },
  1: { bytes: 256 * 1024, rows: 1000 },
  4: { bytes: 256 * 1024, rows: Number.POSITIVE_INFINITY },
}

type Plan = {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Rows that a plan read from tables and indexes. */
const rowsOf = (plan: Plan): number =>
  (plan['Relation Name'] === undefined
    ? 0
    : plan['Actual Loops'] * (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0))) +
  (plan.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), 0)

describePostgres('a question to the API', (server) => {
  test('reads and answers no more than the room that it takes, at a full pool and many balances', async () => {
    const database = await server().createDatabase()
    await using network = await quickNetwork({ database, keepAlive: false })
    const { genesis, pool } = network
    const [first, second] = genesis.accounts.developers
    if (first === undefined || second === undefined) throw new Error('there are five developers')
    for (let block = 0; block < 3; block++) {
      const { transaction, hash } = payment(genesis, { from: first, to: second.address, amount: 10n ** 10n })
      expect(await pool.add(transaction, hash)).toBe('added')
      await network.producer.closeNow()
    }
    const tables = connectChainServer(database)
    const run = (text: string, values: readonly unknown[] = []) =>
      tables.queries.executeQuery<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
        CompiledQuery.raw(text, [...values]) as never,
      )
    for (const { id } of [genesis.tokens.native, genesis.tokens.mineable])
      await run(`insert into balance (account, token_id, amount)
        select '02' || lpad(to_hex(n), 64, '0'), '${id}', n from generate_series(1, ${BALANCES}) n`)
    await run('vacuum analyze')

    const crowded = addressOf(parsePrivateKey(sha256Hex('crowded')))
    const mempool = createMempool({ now: Date.now })
    for (let sender = 0; sender < SENDERS; sender++)
      for (let nonce = 0; nonce < OF_SENDER; nonce++) {
        const transaction = {
          ...{ from: `02${sha256Hex(`${sender}`)}` as Address, to: crowded, data: 'x'.repeat(200), nonce },
          ...{ amount: 1n as never, tokenId: genesis.tokens.native.id },
          signature: sha256Hex(`${sender} ${nonce}`).repeat(2) as string as Signature,
        }
        mempool.add(transaction, transactionHash(transaction))
      }
    expect(mempool.size).toBe(SENDERS * OF_SENDER)

    const tip = {}
    const parts = {
      ...{ ...network, mempool, network: network.parameters, verify: () => true },
      ...{ faucet: async () => 'empty' as const, clock: { now: Date.now }, blockTimeMs: 15_000 },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    }
    const api = await createApi({ ...parts, live: { tip: () => tip, on: () => () => {} } })
    const examples = await chainExamples(parts)
    const paths = apiRoutes(parts)
      .filter(({ endpoint }) => endpoint.method === 'GET')
      .map(({ endpoint }) => endpoint.path)
    expect(paths.length).toBeGreaterThan(60)
    const { id: native } = genesis.tokens.native
    /** Questions that cost more than the example of their route. */
    const others: Readonly<Record<string, readonly string[]>> = {
      '/pending_tx_account': [`id=${crowded}`, `id=${crowded}&filter=to`],
      '/get_token_holder_count': ['', `token_hash=${native}`],
      '/top_accounts': ['page=0', `page=900&token_hash=${native}`],
      '/mblocks': ['offset=0&limit=1000000'],
      '/poa_with_stake': ['any=thing'],
    }
    const found: unknown[] = []
    for (const path of paths) {
      const example = String(new URLSearchParams(examples[`GET ${path}`]?.values ?? {}))
      for (const query of [example, ...(others[path] ?? [])]) {
        const url = `${API_PREFIX}${path}?${query}`
        // The first question of a macroblock may count what all later ones are told.
        await api.inject(url)
        let bytes = 0
        const statements = await recordStatements(async () => {
          bytes = (await api.inject(`${url}&another=way`)).rawPayload.length
        })
        let rows = 0
        for (const { text, values } of statements) {
          const plan = await run(`explain (analyze, timing off, format json) ${text}`, values)
          rows += rowsOf(plan.rows[0]?.['QUERY PLAN'][0].Plan as Plan)
        }
        const room = costOf(url)
        const limit = limits[room] ?? { bytes: 0, rows: 0 }
        if (bytes > limit.bytes || rows > limit.rows) found.push({ path, query, room, bytes, rows })
      }
    }
    expect(found).toStrictEqual([])
    const received = (await api.inject(`${API_PREFIX}/pending_tx_account?id=${crowded}`)).json()
    const newest = mempool.ofAccount(crowded, 'to').slice(-256)
    expect(received.map(({ hash }: { hash: string }) => hash)).toStrictEqual(newest.map(({ hash }) => hash))
    const sent = await api.inject(
      `${API_PREFIX}/pending_tx_account?id=${newest[0]?.transaction.from}&filter=from`,
    )
    expect(sent.json().length).toBe(OF_SENDER)
    await api.close()
    await tables.close()
  })
})
