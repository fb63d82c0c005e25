import { type Address, createClient, isNodeError, walletFromPrivateKey } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { type DehydratedState, dehydrate, hydrate, QueryClient } from '@tanstack/query-core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  balanceQuery,
  deserialize,
  heightQuery,
  networkInfoQuery,
  rewardsQuery,
  serialize,
  tokenQuery,
  transactionQuery,
} from '../src/query/index.ts'

it('queries a network, and hands over from a server to a page with every digit', async () => {
  await using network = await startLocalNetwork({ seed: 'query', blockTimeMs: 500 })
  const { apiUrl } = network
  await using client = createClient({ apiUrl })
  const address = network.accounts.genesis.address
  const server = new QueryClient()
  const token = await client.getNativeTokenId()
  const [balance, height, info, native, rewards, absent] = await Promise.all([
    server.fetchQuery(balanceQuery(client, { address })),
    server.fetchQuery(heightQuery(client)),
    server.fetchQuery(networkInfoQuery(client)),
    server.fetchQuery(tokenQuery(client, { tokenId: token })),
    server.fetchQuery(rewardsQuery(client, { address, page: 0 })),
    server.fetchQuery(transactionQuery(client, { hash: sha256Hex('no payment') })),
  ])
  expect(balance.amount).toBeGreaterThan(0n)
  expect(height).toBeGreaterThanOrEqual(0)
  expect(info.origin.hash).toBe('DEVGENESIS')
  expect(native?.decimals).toBe(10)
  expect(rewards.address).toBe(address)
  expect(absent).toBeNull()

  const text = serialize(dehydrate(server))
  expect(text).not.toContain('<')
  const page = new QueryClient()
  hydrate(page, deserialize(text) as DehydratedState)
  expect(page.getQueryData(balanceQuery(client, { address }).queryKey)).toEqual(balance)
  // Fresh: nothing is asked again, not even of an API that is not there.
  await network.stop()
  expect(await page.fetchQuery(balanceQuery(client, { address }))).toEqual(balance)
})

it('passes the signal of a query on, and leaves repetition to the client', async () => {
  const server = new QueryClient()
  const asked: (AbortSignal | undefined)[] = []
  await using client = createClient({
    apiUrl: 'http://127.0.0.1:9/api/v1',
    transport: {
      request: async ({ signal }) => {
        asked.push(signal)
        return {
          status: 404,
          contentType: 'application/json',
          retryAfter: null,
          text: '{"err":1,"message":"no"}',
        }
      },
    },
  })
  const failed = await server.fetchQuery(heightQuery(client)).catch((error: unknown) => error)
  expect(isNodeError(failed, 'HTTP_STATUS')).toBe(true)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toBeInstanceOf(AbortSignal)
})

it('writes what it reads: bigints, and objects that look like one', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, key: fc.constantFrom('$bigint', '$$bigint', 'a', '<b>') }),
      (value) => {
        const written = serialize(value)
        expect(written).not.toContain('<')
        const read = deserialize(written)
        expect(serialize(read)).toBe(written)
      },
    ),
    { numRuns: 500 },
  )
  const value = { a: 2n ** 70n, b: [-1n, { $bigint: '5' }, { $$bigint: 6n }], c: { $bigint: 'x', d: 1 } }
  expect(deserialize(serialize(value))).toEqual(value)
})

it('extends a client with actions of a program, one upon the other', async () => {
  await using network = await startLocalNetwork({ seed: 'extend', blockTimeMs: 500 })
  const wallet = walletFromPrivateKey(String(network.accounts.developers[0]?.privateKey))
  await using client = createClient({ apiUrl: network.apiUrl })
  const mine = client
    .extend((base) => ({
      balanceOf: async (address: Address) => (await base.getBalance({ address })).amount,
    }))
    .extend((base) => ({ isRich: async (address: Address) => (await base.balanceOf(address)) > 10n ** 10n }))
  expect(await mine.isRich(wallet.address)).toBe(true)
  expect(await mine.getHeight()).toBeGreaterThanOrEqual(0)
  expect('balanceOf' in client).toBe(false)
  // @ts-expect-error: no action is replaced
  expect(() => client.extend(() => ({ getHeight: async () => 7 }))).toThrow(/names of their own/)
  expect(() => mine.extend(() => ({ isRich: () => true }))).toThrow(/isRich/)
  // @ts-expect-error: actions are made of a client
  expect(() => client.extend({ foo: 1 })).toThrow(/a function/)
})
