import { createClient, createUndiciTransport, walletFromPrivateKey } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { watchBalance } from '@hailstone/mining-node'
import { addressOf, parsePrivateKey, sha256Hex, toAmount } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { until } from './until.ts'

const accounts = Array.from({ length: 12 }, (_, at) =>
  addressOf(parsePrivateKey(sha256Hex(`one of many ${at}`))),
)

it('P-12: of many balances reads those that a new microblock names, and no other', async () => {
  await using network = await startLocalNetwork({ seed: 'many', blockTimeMs: 400 })
  const transport = createUndiciTransport({ apiUrl: network.apiUrl })
  const read: string[] = []
  await using client = createClient({
    apiUrl: network.apiUrl,
    transport: {
      ...transport,
      request: (asked) => {
        if (asked.path === '/balance') read.push(String(asked.query))
        return transport.request(asked)
      },
    },
  })
  const changed: [address: string, previous: bigint | null, amount: bigint][] = []
  const watches = accounts.map((address) =>
    watchBalance({
      client,
      address,
      pollIntervalMs: 80,
      blockTimeMs: 400,
      onChange: ({ amount, previous }) => changed.push([address, previous, amount]),
    }),
  )
  await until(() => changed.length === accounts.length, 'each was read once')
  // An account that is not there is asked for until nodes agree on it.
  expect(read.length).toBeLessThanOrEqual(16 * accounts.length)
  read.length = 0
  const start = await client.getHeight()
  const [developer] = network.accounts.developers
  const [, , , paid = accounts[0]] = accounts
  if (developer === undefined || paid === undefined) throw new Error('there is no account')
  const wallet = walletFromPrivateKey(developer.privateKey)
  await client.sendTransaction({ wallet, to: paid, amount: toAmount(20_000_000_000n) })
  await until(() => changed.length > accounts.length, 'the payment was seen')
  expect(changed.at(-1)).toMatchObject([paid, 0n, expect.any(BigInt)])
  await until(async () => (await client.getHeight()) >= start + 7, 'the chain went on')
  // Perhaps at the eighth macroblock; every second one would be three times and more.
  const others = read.filter((query) => !query.includes(paid))
  expect(others.length).toBeLessThanOrEqual(accounts.length - 1)
  await Promise.all(watches.map(({ stop }) => stop()))
})

it('P-12: reads the owner of a token, whom no microblock names, as soon as the token is sent', async () => {
  await using network = await startLocalNetwork({ seed: 'owner of many', blockTimeMs: 400 })
  await using client = createClient({ apiUrl: network.apiUrl })
  const { tokenOwner, developers } = network.accounts
  const [developer] = developers
  if (developer === undefined) throw new Error('there is no account')
  const seen: bigint[] = []
  const read = new Set<string>()
  const watches = [tokenOwner.address, ...accounts].map((address) =>
    watchBalance({
      client,
      address,
      pollIntervalMs: 80,
      blockTimeMs: 400,
      onChange: ({ amount }) => {
        read.add(address)
        if (address === tokenOwner.address) seen.push(amount)
      },
    }),
  )
  await until(() => read.size === watches.length, 'each was read once')
  const wallet = walletFromPrivateKey(developer.privateKey)
  for (const to of accounts.slice(0, 3)) {
    const before = seen.length
    const tokenId = network.tokens.mineable.id
    const { hash } = await client.sendTransaction({ wallet, to, tokenId, amount: toAmount(50_000_000_000n) })
    await client.waitForTransaction({ hash })
    const height = await client.getHeight()
    await until(
      async () => seen.length > before || (await client.getHeight()) > height + 3,
      'the fee was seen',
    )
    expect(seen.length, 'within three macroblocks').toBeGreaterThan(before)
  }
  await Promise.all(watches.map(({ stop }) => stop()))
})
