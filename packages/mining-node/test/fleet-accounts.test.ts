import { type Client, createClient, createWallet, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import type { Address } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createFleet } from '../src/fleet/create-fleet.ts'
import type { FleetEvent } from '../src/fleet/fleet-events.ts'
import type { FleetReward } from '../src/fleet/rewards-of-macroblock.ts'
import { fleetMetrics, metricsText, serveHealth } from '../src/health/index.ts'
import { createMiningNode } from '../src/node.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { until } from './until.ts'

const BLOCK_MS = 400
const STAKE = 1_000n * 10n ** 10n

const keysOf = ({ accounts }: LocalNetwork): readonly string[] =>
  accounts.developers.map(({ privateKey }) => privateKey)

const addressesOf = ({ accounts }: LocalNetwork): readonly Address[] =>
  accounts.developers.map(({ address }) => address)

/** Returns the rewards that the network's own history has for an account. */
async function bookedFor(client: Client, address: Address) {
  const booked: { readonly key: string; readonly amount: bigint }[] = []
  for await (const { recordType, hash, amount } of client.rewardsOf({ address })) {
    booked.push({ key: `${recordType} ${hash}`, amount })
  }
  return booked
}

const sumOf = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((sum, one) => sum + one, 0n)

const isReward = (event: FleetEvent): event is Extract<FleetEvent, FleetReward> =>
  event.type === 'rewarded' || event.type === 'referralRewarded' || event.type === 'reverted'

it('tells what each of its accounts earns, to the unit, and what it has', async () => {
  await using network = await startLocalNetwork({
    seed: 'accounts',
    blockTimeMs: BLOCK_MS,
    fallbackMiner: false,
  })
  const [agent] = addressesOf(network)
  await using client = createClient({ apiUrl: network.apiUrl })
  await using fleet = createFleet({
    keys: keysOf(network),
    client,
    gatewayUrl: network.gatewayUrl,
    blockTimeMs: BLOCK_MS,
    referralAgent: agent,
  })
  const reported: Extract<FleetEvent, FleetReward>[] = []
  const changed: Extract<FleetEvent, { type: 'balanceChanged' }>[] = []
  fleet.subscribe((event) => {
    if (isReward(event)) reported.push(event)
    else if (event.type === 'balanceChanged') changed.push(event)
  })
  await fleet.start()
  const earners = () => new Set(reported.map(({ address }) => address))
  await until(() => earners().size >= 3 && reported.length >= 12, 'several accounts earned')
  await until(() => reported.some(({ role }) => role === 'agent'), 'one of them as agent')
  await fleet.stop()

  // The fleet saw everything up to the newest macroblock that it told of.
  for (const address of addressesOf(network)) {
    const mine = reported.filter((reward) => reward.address === address)
    const booked = await bookedFor(client, address)
    const keys = new Set(mine.map(({ recordType, recordHash }) => `${recordType} ${recordHash}`))
    const expected = booked.filter(({ key }) => keys.has(key))
    expect(sumOf(mine.map(({ amount }) => amount))).toBe(sumOf(expected.map(({ amount }) => amount)))
    expect(mine).toHaveLength(expected.length)
    // None is missing in between: what is not told was booked after the last that was.
    const newest = booked.findIndex(({ key }) => keys.has(key))
    if (newest >= 0) expect(booked.length - newest).toBe(mine.length)
    const { account } = fleet.node(address) ?? {}
    expect(sumOf((account?.rewards ?? []).map(({ own, referral }) => own + referral))).toBe(
      sumOf(mine.map(({ amount }) => amount)),
    )
  }
  for (const { type, role, address, miner, microblockHash, recordHash, height, timeMs } of reported) {
    expect(type).toBe(role === 'miner' ? 'rewarded' : 'referralRewarded')
    expect(microblockHash).toBe(recordHash)
    if (role === 'miner' || role === 'referral') expect(miner).toBe(address)
    if (role === 'agent') expect(address).toBe(agent)
    const block = await client.getMacroblock({ height: Number(height) })
    expect(block?.microblocks.some((one) => String(one.hash) === microblockHash)).toBe(true)
    expect(timeMs).toBe(Number(block?.keyBlock.time) * 1_000)
  }
  expect(new Set(changed.map(({ address }) => address)).size).toBe(5)
  const { accounts } = fleet.health()
  expect(accounts).toMatchObject({ read: 5, belowStake: 0, warnings: [] })
  expect(accounts?.stakes?.token?.minimumStake).toBeGreaterThan(0n)
  expect(sumOf((accounts?.rewards ?? []).map(({ own, referral }) => own + referral))).toBe(
    sumOf(reported.map(({ amount }) => amount)),
  )
  // JSON has no bigints: there amounts are texts of units.
  const inJson = JSON.parse(JSON.stringify(fleet.health()))
  expect(inJson.accounts.balance).toBe(String(fleet.health().accounts?.balance))
  expect(JSON.parse(JSON.stringify([...fleet.nodes()]))).toHaveLength(fleet.health().nodes.total)
  expect(metricsText(fleetMetrics(fleet.health(), 0))).toMatch(/hailstone_rewards_units_total\{.*"own"\} \d+/)
})

it('tells what was booked while its keys were still read', async () => {
  await using network = await startLocalNetwork({
    seed: 'late keys',
    blockTimeMs: BLOCK_MS,
    fallbackMiner: false,
  })
  await using client = createClient({ apiUrl: network.apiUrl })
  const common = { client, gatewayUrl: network.gatewayUrl, blockTimeMs: BLOCK_MS }
  const [earned, reported]: [string[], string[]] = [[], []]
  async function* lateWallets() {
    await using first = createFleet({ ...common, keys: keysOf(network) })
    first.subscribe((event) => {
      // Key blocks are dated in seconds: the second fleet may begin one of these later.
      if (isReward(event) && Number(event.height) >= 3) earned.push(event.recordHash)
    })
    await first.start()
    await until(() => new Set(earned).size >= 8, 'the first fleet earned in several macroblocks')
    await first.stop()
    for (const key of keysOf(network)) yield walletFromPrivateKey(key)
  }
  await using second = createFleet({ ...common, wallets: lateWallets() })
  second.subscribe((event) => isReward(event) && reported.push(event.recordHash))
  await second.start()
  await until(
    () => earned.every((hash) => reported.includes(hash)),
    'the second one reported all of it',
    8000,
  )
})

it('takes back what a reorganisation took, and tells what took its place', async () => {
  await using network = await startLocalNetwork({
    seed: 'taken back',
    blockTimeMs: BLOCK_MS,
    fallbackMiner: false,
  })
  await using client = createClient({ apiUrl: network.apiUrl })
  await using fleet = createFleet({
    keys: keysOf(network),
    client,
    gatewayUrl: network.gatewayUrl,
    blockTimeMs: BLOCK_MS,
  })
  const reported: Extract<FleetEvent, FleetReward>[] = []
  fleet.subscribe((event) => isReward(event) && reported.push(event))
  await fleet.start()
  await until(() => reported.length >= 4 && Number(reported.at(-1)?.height) >= 3, 'it earned')
  // Below what was told, however far the chain went on meanwhile.
  const { height } = reported.at(-1) ?? {}
  await network.control.reorganise(network.height() - Number(height) + 2)
  await until(() => reported.some(({ type }) => type === 'reverted'), 'some of it was taken back')
  const earned = () => reported.filter(({ type }) => type !== 'reverted').length
  const taken = earned()
  await until(() => earned() >= taken + 2, 'it earns again')
  await fleet.stop()
  const balance = sumOf(reported.map(({ type, amount }) => (type === 'reverted' ? -amount : amount)))
  const rewards = fleet.health().accounts?.rewards ?? []
  expect(sumOf(rewards.map(({ own, referral }) => own + referral))).toBe(balance)
  // What stands in the end is booked, each once.
  const delivered = new Map<string, number>()
  for (const { type, address, recordType, recordHash } of reported) {
    const key = `${address} ${recordType} ${recordHash}`
    delivered.set(key, (delivered.get(key) ?? 0) + (type === 'reverted' ? -1 : 1))
  }
  for (const address of addressesOf(network)) {
    const booked = (await bookedFor(client, address)).map(({ key }) => `${address} ${key}`)
    for (const [key, count] of delivered) {
      if (key.startsWith(address)) expect(count).toBe(booked.includes(key) ? 1 : 0)
    }
  }
})

it('G-19: a fleet that was not chosen says who mined instead and stays ready', async () => {
  await using network = await startLocalNetwork({ seed: 'fleet waits', blockTimeMs: BLOCK_MS })
  // Takes the hails and never offers anything.
  await using gateway = await startScriptedGateway()
  await using client = createClient({ apiUrl: network.apiUrl })
  const [first, second] = [createWallet(), createWallet()]
  for (const { address } of [first, second]) await network.control.fund(address, STAKE)
  const poor = createWallet()
  const others = Array.from({ length: 4 }, () => createWallet())
  for (const { address } of others) await network.control.fund(address, STAKE)
  await using fleet = createFleet({
    keys: [...keysOf(network), ...[...others, poor].map((wallet) => wallet.exportPrivateKey())],
    client,
    gatewayUrl: gateway.url,
    blockTimeMs: BLOCK_MS,
    signingThreads: 0,
  })
  await using server = await serveHealth(
    { health: fleet.health, status: fleet.health, metrics: () => '' },
    { port: 0 },
  )
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`)
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  await fleet.start()
  await until(() => fleet.health().accounts?.read === 10, 'it knows what it has')
  await until(() => fleet.health().nodes.waitingForBeacon === 9, 'all with a stake were introduced')
  await using one = createMiningNode({ wallet: first, client, gatewayUrl: network.gatewayUrl })
  await using other = createMiningNode({ wallet: second, client, gatewayUrl: network.gatewayUrl })
  await Promise.all([one.start(), other.start()])
  await until(() => fleet.health().code === 'NOT_CHOSEN', 'it is ready')
  expect(fleet.health()).toMatchObject({ isReady: true, nextStep: '', accounts: { belowStake: 1 } })
  const sentence = /^Not chosen yet: .* mined \d+ blocks?\.$/
  expect(fleet.health().why).toMatch(sentence)
  const named = /^not chosen yet: (1 other|2 others|others) mined \d+ blocks?$/
  const whys = new Map([...fleet.nodes()].map(({ address, why }) => [address, why]))
  expect(whys.get(addressesOf(network)[0] as Address)).toMatch(named)
  expect(whys.get(poor.address)).toMatch(/^holding back: the stake is below the minimum of /)
  for (const path of ['/readyz', '/health', '/status']) {
    expect(await ask(path)).toMatchObject({
      status: 200,
      body: { isReady: true, code: 'NOT_CHOSEN', why: expect.stringMatching(sentence) },
    })
  }
  expect(await ask('/livez')).toStrictEqual({ status: 200, body: { isLive: true } })
})
