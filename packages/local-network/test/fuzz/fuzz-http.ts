import * as protocol from '@hailstone/protocol'
import type { DescribedEndpoint } from '@hailstone/protocol/reference'
import { createApi } from '../../src/http/index.ts'
import { payment } from '../payments.ts'
import { type QuickNetwork, quickNetwork } from '../quick-network.ts'
import { createFuzzLog, type FuzzLog, type FuzzReport } from './fuzz-report.ts'
import { nastyCopy, nastyJson, nastyText, nastyValue } from './nasty.ts'
import { type Chance, chance } from './random.ts'

const COIN = 10n ** 10n
const POOL_LIMIT = 500

const endpoints: readonly DescribedEndpoint[] = Object.entries(protocol)
  .filter(([name]) => name.endsWith('Endpoint'))
  .map(([, value]) => value as unknown as DescribedEndpoint)

/** Valid values of a query. */
type Known = Readonly<Record<string, readonly string[]>>

type Request = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Record<string, string>
  readonly payload?: string
}

async function grow(network: QuickNetwork): Promise<void> {
  const [from, to] = network.genesis.accounts.developers
  if (from === undefined || to === undefined) throw new Error('there are five developers')
  for (let block = 0; block < 5; block++) {
    const { transaction, hash } = payment(network.genesis, { from, to: to.address, amount: COIN })
    network.mempool.add(transaction, hash)
    await network.producer.closeNow()
  }
}

async function knownOf({ store, genesis }: QuickNetwork): Promise<Known> {
  const { accounts, tokens, parameters } = genesis
  const [microblock] = await store.microblocksOf(1)
  const [statBlock] = await store.statBlocksOf(1)
  const keyBlock = await store.keyBlockAt(1)
  const transactions = microblock === undefined ? [] : await store.transactionsOf(microblock.hash)
  const hashes = [
    microblock?.hash,
    statBlock?.hash,
    keyBlock?.hash,
    transactions[0]?.hash,
    tokens.mineable.id,
  ]
  const addresses = [...accounts.developers, accounts.genesis, accounts.poolDelegate].map(
    ({ address }) => address,
  )
  const tokenIds = Object.values(tokens).map(({ id }) => id)
  const all = hashes.filter((hash) => hash !== undefined)
  return {
    address: [...addresses, parameters.votingPoolId],
    tokenId: tokenIds,
    hash: all,
    height: ['0', '1', '2', '5', '6'],
    page: ['0', '1', '2'],
    count: ['0', '1', '5', '10'],
    units: ['250000000000', '1250000000000', '25000000000000'],
    text: [...all, ...addresses, 'from', 'to', 'minable', 'reissuable'],
  }
}

/** Bytes as a client may send them, which need be no UTF-8. */
function encoded(chance: Chance, text: string): string {
  if (chance.isLucky(0.1))
    return chance.pick(['%', '%zz', '%00', '%ff', '%c0%80', '%ed%a0%80', '+', '%2', '&', '=', '#'])
  return encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, ''))
}

function query(chance: Chance, endpoint: DescribedEndpoint, known: Known): string {
  const pairs = Object.values(endpoint.parameters).flatMap(({ wireName, kind }) => {
    if (chance.isLucky(0.1)) return []
    const right = known[kind] ?? ['0']
    const value = encoded(chance, nastyText(chance, right))
    const name = chance.isLucky(0.05) ? `${wireName}${chance.pick(['[]', '[a]', '%00', '.x'])}` : wireName
    const pair = `${name}=${value}`
    return chance.isLucky(0.05) ? [pair, pair] : [pair]
  })
  if (chance.isLucky(0.1))
    pairs.push(`${chance.pick(['__proto__', 'constructor', 'x'])}=${encoded(chance, 'y')}`)
  return pairs.join('&')
}

function getRequest(chance: Chance, endpoint: DescribedEndpoint, known: Known): Request {
  const text = query(chance, endpoint, known)
  return { method: 'GET', url: `/api/v1${endpoint.path}${text === '' ? '' : `?${text}`}` }
}

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  '',
]

/** A right transaction, one with a contract in its data, or one that is neither. */
function postedTransaction(chance: Chance, network: QuickNetwork): unknown {
  const [from, to] = network.genesis.accounts.developers
  if (from === undefined || to === undefined) throw new Error('there are five developers')
  const amount = BigInt(chance.below(1000)) * COIN
  const { transaction } = payment(network.genesis, { from, to: to.address, amount })
  const { signature, tokenId, amount: units, ...rest } = transaction
  const data = chance.isLucky(0.3)
    ? chance.pick(['000c02000a7e', '00140200000c0f00', '0008', 'memo'])
    : rest.data
  return { ...rest, data, amount: String(units), sign: signature, ticker: tokenId }
}

function postRequest(chance: Chance, endpoint: DescribedEndpoint, network: QuickNetwork): Request {
  const right =
    endpoint.path === '/tx'
      ? [postedTransaction(chance, network)]
      : { pubkey: network.genesis.accounts.faucet.address }
  const value = chance.isLucky(0.1) ? nastyValue(chance) : nastyCopy(chance, right)
  const long = chance.isLucky(0.002) ? ' '.repeat(chance.below(120_000)) : ''
  return {
    method: 'POST',
    url: `/api/v1${endpoint.path}`,
    headers: { 'content-type': chance.isLucky(0.8) ? 'application/json' : chance.pick(TYPES) },
    payload: nastyJson(chance, value) + long,
  }
}

/** Every failure says what was asked, so that it can be asked again. */
function judge(log: FuzzLog, request: Request, status: number, body: string): void {
  const what = `${request.method} ${request.url} ${request.payload ?? ''} → ${status} ${body.slice(0, 100)}`
  if (status < 500) return
  if (request.method === 'GET') log.fail(what)
  const said = /^\{"err":1,"message":"[^"]+"\}$/.test(body)
  if (!said) log.fail(`without a message: ${what}`)
}

/** Asks every endpoint so many times; answers are compared with the reference on the way. */
export async function fuzzHttp(parameters: {
  readonly seed: number
  readonly casesPerEndpoint: number
  /** On a server instead of in memory. */
  readonly database?: string | undefined
  /** Every so many endpoints one, for runs that take turns. @default all */
  readonly part?: { readonly number: number; readonly of: number } | undefined
}): Promise<FuzzReport> {
  const { database, part = { number: 1, of: 1 } } = parameters
  const log = createFuzzLog()
  await using network = await quickNetwork({ keepAlive: false, database })
  await grow(network)
  const known = await knownOf(network)
  const api = await createApi({
    store: network.store,
    mempool: network.pool,
    minersOnline: () => [],
    faucet: async () => 'sent',
    clock: { now: Date.now },
    blockTimeMs: 15_000,
    validateAnswers: true,
  })
  for (const [at, endpoint] of endpoints.entries()) {
    if (at % part.of !== part.number - 1) continue
    const luck = chance(parameters.seed * 1000 + at)
    for (let number = 0; number < parameters.casesPerEndpoint; number++) {
      const request =
        endpoint.method === 'GET' ? getRequest(luck, endpoint, known) : postRequest(luck, endpoint, network)
      const what = `${request.method} ${request.url} ${request.payload ?? ''}`
      const { statusCode, body } = await log.timed(what, () => api.inject(request))
      log.count(`${endpoint.method} ${endpoint.path}`, String(statusCode))
      judge(log, request, statusCode, body)
      // Without a socket nothing ever waits, and what requests leave behind would never be cleared away.
      if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
      if (network.mempool.size > POOL_LIMIT)
        network.mempool.remove(network.mempool.entries().map(({ hash }) => hash))
    }
  }
  await api.close()
  return log.report()
}
