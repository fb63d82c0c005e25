import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf, type JsonValue, parseJson, parsePrivateKey, sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '../src/serve.ts'
import { openChainStore } from '../src/store/index.ts'
import { nativeToken } from './native-token.ts'
import { payment } from './payments.ts'
import { rawMiner } from './raw-miner.ts'
import { expectReplay } from './replay.ts'

const COIN = 10n ** 10n
const slow = { blockTimeMs: 3_600_000, gateway: { feederIntervalMs: 10, beaconIntervalMs: 10 } }

type Answer = { readonly [name: string]: JsonValue | undefined }

async function get(network: LocalNetwork, path: string): Promise<Answer> {
  const response = await fetch(network.apiUrl + path)
  const text = await response.text()
  return text === '' ? {} : (parseJson(text) as Answer)
}

async function post(network: LocalNetwork, path: string, body: unknown): Promise<JsonValue> {
  const response = await fetch(network.apiUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return parseJson(await response.text())
}

const developer = (network: LocalNetwork, number: number) => {
  const account = network.accounts.developers[number]
  if (account === undefined) throw new Error('there are five developers')
  return account
}

async function sendPayment(network: LocalNetwork): Promise<string> {
  const [from, to] = [developer(network, 0), developer(network, 1)]
  const { transaction, hash } = payment(network, { from, to: to.address, amount: COIN })
  const { signature, tokenId, amount, ...rest } = transaction
  const body = [{ ...rest, amount: String(amount), sign: signature, ticker: tokenId }]
  expect(await post(network, '/tx', body)).toEqual({ err: 0n, result: [{ hash, status: 0n }] })
  return hash
}

async function until(claim: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!(await claim())) {
    if (Date.now() > end) throw new Error(`not within ${timeoutMs} ms: ${claim}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('a network in memory', () => {
  let network: LocalNetwork
  beforeAll(async () => {
    network = await startLocalNetwork({ ...slow, seed: 'memory' })
  })
  afterAll(() => network.stop())

  test('confirms a posted payment with nobody connected', async () => {
    const hash = await sendPayment(network)
    expect(await get(network, `/tx?hash=${hash}`)).toEqual({})
    await network.closeNow()
    expect(await get(network, `/tx?hash=${hash}`)).toMatchObject({ hash, status: 3n, amount: '9000000000' })
  })

  test('serves the members of newer nodes that cost nothing, empty', async () => {
    expect(await get(network, '/network_info')).toMatchObject({ bridge: {}, dex: { DEX_TRUSTED_TOKENS: [] } })
  })

  test('shows a miner online and its reward on chain', async () => {
    const account = developer(network, 2)
    const before = network.balance(account.address)
    const miner = await rawMiner(network.gatewayUrl, { privateKey: account.privateKey })
    miner.mine()
    miner.hail()
    const published = new Promise((resolve) => network.on('microblockAccepted', resolve))
    await published
    expect(await get(network, '/poa_nodes_online')).toMatchObject([{ key: account.address }])
    await network.closeNow()
    miner.close()
    const rewards = await get(network, `/account_rewards?id=${account.address}&page=0`)
    expect(rewards).toMatchObject({ records: [{ rectype: 'im' }] })
    const { amount } = await get(network, `/balance?id=${account.address}`)
    expect(amount).toBe(network.balance(account.address))
    expect(network.balance(account.address)).toBeGreaterThan(before)
  })

  test('answers the height of its open key block', async () => {
    expect(await get(network, '/height')).toEqual({ height: BigInt(network.height()) })
  })

  test('sends test coins, enough to mine with, and not at once again', async () => {
    const address = addressOf(parsePrivateKey(sha256Hex('somebody new')))
    expect(await post(network, '/faucet', { pubkey: address })).toBe(true)
    expect(await post(network, '/faucet', { pubkey: address })).toBe(false)
    await network.closeNow()
    expect(network.balance(address)).toBe(25n * COIN)
    expect(network.balance(address)).toBe(network.tokens.native.mining?.minimumStake)
  })

  test('serves its reference', async () => {
    const response = await fetch(network.docsUrl)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/html')
  })
})

test('closes macroblocks by itself', async () => {
  await using network = await startLocalNetwork({ blockTimeMs: 100 })
  await until(() => network.height() >= 3)
  expect(Number((await get(network, '/height')).height)).toBeGreaterThanOrEqual(3)
})

test('stops quickly with connections open, twice if need be, and frees its ports', async () => {
  const network = await startLocalNetwork({ blockTimeMs: 100 })
  const miner = await rawMiner(network.gatewayUrl, { privateKey: developer(network, 0).privateKey })
  miner.mine()
  miner.hail()
  await get(network, '/height')
  const before = Date.now()
  await Promise.all([network.stop(), network.stop()])
  expect(Date.now() - before).toBeLessThan(withinMs(2_000))
  await miner.closed
  const ports = {
    apiPort: Number(new URL(network.apiUrl).port),
    gatewayPort: Number(new URL(network.gatewayUrl).port),
  }
  const again = await startLocalNetwork(ports)
  await again.stop()
})

describe('a start that fails', () => {
  let squatter: Server
  let port: number
  beforeAll(async () => {
    squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
    port = (squatter.address() as { port: number }).port
  })
  afterAll(() => squatter.close())
  async function freePort(): Promise<number> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port: free } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    return free
  }

  test.each(['apiPort', 'gatewayPort'] as const)(
    'names the %s in use before it makes anything',
    async (name) => {
      const dataDirectory = join(tmpdir(), `hailstone-${randomUUID()}`)
      const options = { dataDirectory, ...slow, [name]: port }
      await expect(startLocalNetwork(options)).rejects.toMatchObject({ code: 'PORT_IN_USE' })
      expect(existsSync(dataDirectory)).toBe(false)
    },
  )

  test('leaves nothing behind when a port is taken while it makes its database', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'hailstone-'))
    const both = { dataDirectory, ...slow, apiPort: await freePort() }
    // Each of the two is free; together they are one.
    const starting = startLocalNetwork({ ...both, gatewayPort: both.apiPort })
    await expect(starting).rejects.toMatchObject({ code: 'PORT_IN_USE' })
    const network = await startLocalNetwork(both)
    await network.stop()
    await rm(dataDirectory, { recursive: true })
  })

  test.each([
    [Number.NaN, 'ARGUMENT_INVALID'],
    [0, 'CONFIGURATION_INVALID'],
  ])('refuses an invalid block time: %s', async (blockTimeMs, code) => {
    await expect(startLocalNetwork({ blockTimeMs })).rejects.toMatchObject({ code })
  })
})

describe('a network on disk', () => {
  let dataDirectory: string
  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'hailstone-'))
  })
  afterAll(() => rm(dataDirectory, { recursive: true }))
  const start = (options: LocalNetworkOptions = {}) =>
    startLocalNetwork({ ...slow, dataDirectory, ...options })

  test('goes on where it stopped, with balances that a replay of its blocks gives', async () => {
    const first = await start({ seed: 'disk' })
    const miners = [
      await rawMiner(first.gatewayUrl, { privateKey: developer(first, 2).privateKey }),
      await rawMiner(first.gatewayUrl, {
        privateKey: developer(first, 3).privateKey,
        token: first.tokens.mineable.id,
      }),
    ]
    for (const miner of miners) {
      miner.mine({ referrer: developer(first, 4).address })
      miner.hail()
    }
    for (let block = 0; block < 4; block++) {
      await sendPayment(first)
      const height = first.height()
      await until(async () => (await first.closeNow()) !== null && first.height() > height)
    }
    const height = first.height()
    const balance = first.balance(developer(first, 1).address)
    await first.stop()

    const store = await openChainStore({ folder: dataDirectory })
    expect(await expectReplay(store, 'disk')).toBe(height)
    await store.close()

    const second = await start()
    expect(second.seed).toBe('disk')
    expect(second.height()).toBe(height)
    expect(second.balance(developer(second, 1).address)).toBe(balance)
    await second.closeNow()
    expect(second.height()).toBe(height + 1)
    await second.stop()
  })

  test('refuses a misspelt option with the name that was meant', async () => {
    await expect(start({ blockTime: 500 } as never)).rejects.toThrow(
      'of startLocalNetwork should be named blockTimeMs; found the text "blockTime"',
    )
  })

  test('belongs to one process', async () => {
    const network = await start()
    await expect(start()).rejects.toMatchObject({ code: 'STORE_LOCKED' })
    await expect(start({ reset: true })).rejects.toMatchObject({ code: 'STORE_LOCKED' })
    await network.closeNow()
    await network.stop()
  })

  test('refuses another seed, and begins anew when it is reset', async () => {
    await expect(start({ seed: 'other' })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      facts: { path: 'seed' },
    })
    const network = await start({ seed: 'other', reset: true })
    expect(network.height()).toBe(0)
    expect(network.balance(developer(network, 0).address, nativeToken())).toBe(100_000n * COIN)
    await network.stop()
  })
})
