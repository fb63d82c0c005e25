import { expect, it } from 'vitest'
import { assembleFleet } from '../src/fleet/create-fleet.ts'
import {
  doorTo,
  numberedSigner,
  pass,
  passUntil,
  seeded,
  type VirtualGateway,
  virtualClock,
  virtualGateway,
} from './fleet-virtual-world.ts'

const NODES = 10_000
/** In seconds. The longer size: HAILSTONE_OUTAGES=600,3600 npx vitest run test/fleet-reconnect.gate.test.ts -t G-9 */
const OUTAGES = (process.env.HAILSTONE_OUTAGES ?? '1,7,60').split(',').map(Number)

async function startedFleet(gatewayCount: number, nodes: number, seed: number) {
  const clock = virtualClock()
  const gateways = Array.from({ length: gatewayCount }, (_, at) =>
    virtualGateway(clock, `ws://gateway-${at}.test:3000/`),
  )
  const fleet = assembleFleet(
    {
      wallets: Array.from({ length: nodes }, (_, number) => numberedSigner(number)),
      gatewayUrl: gateways.map(({ url }) => url),
      openChannel: doorTo(gateways),
      randomness: seeded(seed),
      parallelism: nodes,
    },
    clock,
  )
  await passUntil(clock, fleet.start())
  await pass(clock, 2_000)
  const hails = gateways.reduce((sum, gateway) => sum + gateway.hails.length, 0)
  expect(hails).toBe(nodes)
  const [first] = gateways
  if (first === undefined) throw new Error('no gateway')
  return { clock, gateways, gateway: first, fleet }
}

type Return = {
  readonly p99Ms: number
  readonly maxMs: number
  readonly peakShare: number
  readonly attempts: number
}

/** Measures when the nodes came back after the gateway did, and how many at once. */
function measureReturn(gateway: VirtualGateway, upAt: number, nodes: number): Return {
  const delays = gateway.hails.map((at) => at - upAt).sort((one, other) => one - other)
  expect(delays).toHaveLength(nodes)
  let peak = 0
  for (let first = 0, last = 0; last < delays.length; last++) {
    while ((delays[last] ?? 0) - (delays[first] ?? 0) >= 100) first++
    peak = Math.max(peak, last - first + 1)
  }
  return {
    p99Ms: delays[Math.floor(nodes * 0.99)] ?? Number.NaN,
    maxMs: delays.at(-1) ?? Number.NaN,
    peakShare: peak / nodes,
    attempts: gateway.attempts / nodes,
  }
}

it.each(OUTAGES)(
  'G-9, L1: 10,000 nodes return after %i s without gateway, spread and all',
  async (seconds) => {
    const { clock, gateway, fleet } = await startedFleet(1, NODES, seconds)
    gateway.crash()
    gateway.hails.length = 0
    gateway.attempts = 0
    await pass(clock, seconds * 1_000)
    const attemptsMeanwhile = gateway.attempts / NODES
    gateway.isUp = true
    const upAt = clock.now()
    await pass(clock, 23_000)
    const { p99Ms, maxMs, peakShare } = measureReturn(gateway, upAt, NODES)
    expect(p99Ms).toBeLessThanOrEqual(20_000)
    expect(maxMs).toBeLessThanOrEqual(22_000)
    expect(peakShare).toBeLessThanOrEqual(0.035)
    expect(attemptsMeanwhile).toBeLessThanOrEqual(Math.max(1, (11 * seconds) / 60 + 1))
    expect(fleet.health().nodes).toMatchObject({ total: NODES, waitingForBeacon: NODES, stopped: 0 })
    await passUntil(clock, fleet.stop())
    expect(gateway.connections()).toBe(0)
  },
)

it('L3: a rolling restart of three gateways piles up on none, and the load is even a minute later', async () => {
  const nodes = 3_000
  const { clock, gateways, fleet } = await startedFleet(3, nodes, 3)
  let most = 0
  const watch = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      await pass(clock, 500)
      most = Math.max(most, ...gateways.map((gateway) => gateway.connections()))
    }
  }
  for (const gateway of gateways) {
    gateway.crash()
    await watch(20_000)
    gateway.isUp = true
    await watch(20_000)
  }
  expect(most).toBeLessThanOrEqual(nodes * 0.6)
  await watch(60_000)
  const loads = gateways.map((gateway) => gateway.connections())
  expect(loads.reduce((sum, load) => sum + load, 0)).toBe(nodes)
  for (const load of loads) expect(Math.abs(load - nodes / 3)).toBeLessThanOrEqual(nodes * 0.05)
  await passUntil(clock, fleet.stop())
})

it('L7: links cut one by one and restored in another order all recover', async () => {
  const nodes = 300
  const { clock, gateways, fleet } = await startedFleet(6, nodes, 7)
  for (const gateway of gateways) {
    gateway.crash()
    await pass(clock, 3_000)
  }
  await pass(clock, 30_000)
  expect(fleet.health()).toMatchObject({ isReady: false, code: 'TOO_FEW_SESSIONS' })
  for (const at of [4, 1, 5, 0, 3, 2]) {
    const gateway = gateways[at]
    if (gateway !== undefined) gateway.isUp = true
    await pass(clock, 2_000)
  }
  await pass(clock, 90_000)
  expect(fleet.health().nodes).toMatchObject({ waitingForBeacon: nodes })
  const loads = gateways.map((gateway) => gateway.connections())
  expect(loads.reduce((sum, load) => sum + load, 0)).toBe(nodes)
  expect(Math.min(...loads)).toBeGreaterThan(nodes / 12)
  await passUntil(clock, fleet.stop())
  expect(gateways.map((gateway) => gateway.connections())).toEqual([0, 0, 0, 0, 0, 0])
})
