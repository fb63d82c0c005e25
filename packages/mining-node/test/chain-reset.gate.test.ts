import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '@hailstone/local-network'
import { expect, it } from 'vitest'
import { createMiningNode } from '../src/node.ts'
import { pause, until } from './until.ts'

/** Macroblocks are closed by the tests alone. */
const startNetwork = (options: LocalNetworkOptions = {}): Promise<LocalNetwork> =>
  startLocalNetwork({ seed: 'reset', blockTimeMs: 3_600_000, ...options })

const ONE_COIN = 10n ** 10n

function watcherOf({ accounts, apiUrl }: LocalNetwork) {
  const [account] = accounts.developers
  if (account === undefined) throw new Error('the network has no developers')
  const node = createMiningNode({
    wallet: walletFromPrivateKey(account.privateKey),
    apiUrl,
    pollIntervalMs: 50,
  })
  /** True if the snapshot equals the answers of this network and is fresh. */
  const agreesWith = (network: LocalNetwork) => (): boolean => {
    const { balance, height } = node.snapshot()
    return (
      balance?.amount === network.balance(node.address) &&
      balance.isStale === false &&
      height?.value === network.height() &&
      height.isStale === false
    )
  }
  return { node, agreesWith }
}

it('a chain that was put back under a running node: its balance is called old, then read anew', async () => {
  await using network = await startNetwork()
  const { control } = network
  await control.mine(10)
  const before = control.snapshot()
  await control.mine(10)
  const { node, agreesWith } = watcherOf(network)
  await using _node = node
  await node.watch()
  await control.fund(node.address, ONE_COIN)
  await until(agreesWith(network), 'it saw the coin')
  const changes: bigint[] = []
  node.on('balanceChanged', ({ amount }) => changes.push(amount))
  await control.revert(before)
  await until(() => node.snapshot().balance?.isStale, 'the balance of before is called old')
  expect(node.snapshot().height).toMatchObject({ isStale: true })
  control.advanceClock(1000)
  await control.mine(2)
  await until(agreesWith(network), 'everything was read anew')
  expect(changes).toEqual([network.balance(node.address)])
})

it('a chain that was put back under a miner: each reward of a lost block is taken back, once', async () => {
  await using network = await startNetwork({ blockTimeMs: 500 })
  const { control } = network
  const [account] = network.accounts.developers
  if (account === undefined) throw new Error('the network has no developers')
  const { apiUrl, gatewayUrl } = network
  const wallet = walletFromPrivateKey(account.privateKey)
  await using node = createMiningNode({ wallet, apiUrl, gatewayUrl, pollIntervalMs: 50 })
  const told: (readonly [kind: string, hash: string])[] = []
  const left = (): readonly string[] => {
    const hashes = new Set<string>()
    for (const [kind, hash] of told) kind === 'reverted' ? hashes.delete(hash) : hashes.add(hash)
    return [...hashes].sort()
  }
  const count = (wanted: string): number => told.filter(([kind]) => kind === wanted).length
  for (const kind of ['rewarded', 'referralRewarded', 'reverted'] as const)
    node.on(kind, ({ recordHash, recordType }) => told.push([kind, `${recordType} ${recordHash}`]))
  await node.start()
  await until(() => count('rewarded') >= 2, 'it earned')
  const before = control.snapshot()
  const earned = count('rewarded')
  await until(() => count('rewarded') >= earned + 3, 'it earned more')
  await control.revert(before)
  await until(() => count('reverted') >= 1, 'the lost ones are taken back')
  const rewarded = count('rewarded')
  await until(() => count('rewarded') >= rewarded + 2, 'it earns on the chain that was put back')
  await control.pause()
  await node.stop()
  await using client = createClient({ apiUrl })
  const chain = new Set<string>()
  for (let page = 0, isLast = false; !isLast; page++) {
    const read = await client.getRewards({ address: node.address, page })
    for (const { recordType, hash } of read.records) chain.add(`${recordType} ${hash}`)
    isLast = read.isLast
  }
  expect(left().filter((hash) => !chain.has(hash))).toEqual([])
  expect(count('reverted')).toBe(
    new Set(told.filter(([kind]) => kind === 'reverted').map(([, hash]) => hash)).size,
  )
})

it('a network that began anew at the same address: nothing of the old one is shown as fresh', async () => {
  const old = await startNetwork()
  await old.control.mine(30)
  const { node, agreesWith } = watcherOf(old)
  await using _node = node
  await node.watch()
  await old.control.fund(node.address, ONE_COIN)
  await until(agreesWith(old), 'it saw the coin')
  const coins = old.balance(node.address)
  const apiPort = Number(new URL(old.apiUrl).port)
  await old.stop()
  await until(() => node.snapshot().balance?.isStale, 'the balance is called old')
  await using fresh = await startNetwork({ apiPort })
  await until(() => node.snapshot().api.status === 'reachable', 'the new network answered')
  await pause(200)
  expect(node.snapshot().balance).toMatchObject({ isStale: true, amount: coins })
  fresh.control.advanceClock(60_000)
  await fresh.control.mine(3)
  await until(agreesWith(fresh), 'everything was read anew')
  expect(fresh.balance(node.address)).not.toBe(coins)
})
