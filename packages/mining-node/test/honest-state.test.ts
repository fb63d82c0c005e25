import { walletFromPrivateKey } from '@hailstone/client'
import { sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createMiningNode } from '../src/node.ts'
import type { MiningSnapshot } from '../src/store/mining-snapshot.ts'
import { scriptedApi } from './scripted-api.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { type SteppedClock, steppedClock } from './stepped-clock.ts'

const wallet = walletFromPrivateKey(sha256Hex('honest'))
const BLOCK_MS = 15_000

/** Values of a snapshot that are shown, without when they were read. */
const shown = ({ height, balance, stakes, rewards, rewardsReading }: MiningSnapshot) => ({
  height: height?.value,
  balance: balance?.amount,
  isKnown: balance?.isKnown,
  stakes: [stakes?.token, stakes?.agent, stakes?.nativeTokenId],
  rewards,
  rewardsHeight: rewardsReading?.height,
})

const readings = ({ height, balance, stakes, rewardsReading }: MiningSnapshot) => ({
  height,
  balance,
  stakes,
  rewardsReading,
})

async function startWatching() {
  const gateway = await startScriptedGateway()
  const clock = steppedClock()
  const api = scriptedApi(wallet.address, clock)
  const node = createMiningNode({
    wallet,
    client: api.client,
    gatewayUrl: gateway.url,
    clock,
    blockTimeMs: BLOCK_MS,
  })
  await node.start()
  for (let block = 0; block < 4; block++) await mine(api, clock)
  const stop = async (): Promise<void> => {
    await node.close()
    await gateway.stop()
  }
  return { api, clock, node, [Symbol.asyncDispose]: stop }
}

async function mine(api: ReturnType<typeof scriptedApi>, clock: SteppedClock): Promise<void> {
  api.height++
  api.calculatedBelow = api.height
  await clock.advance(BLOCK_MS)
}

const endpoints = [
  '/height',
  '/macroblock_by_height',
  '/balance',
  '/account_rewards',
  '/token_info',
  '/get_stake_limits',
  '/referrer_stake',
]

it('G-18: every value says where, at which height and when it was read', async () => {
  await using world = await startWatching()
  const { api, node } = world
  // The name of the native token is asked for once: it is no value that changes. That an agent earns is a warning.
  expect([...new Set(api.asked)].sort()).toEqual([...endpoints, '/native_token', '/stat/agent_info'].sort())
  for (const [name, reading] of Object.entries(readings(node.snapshot()))) {
    expect(reading, name).toMatchObject({
      source: 'http://127.0.0.1:1/api/v1',
      readAtMs: expect.any(Number),
      isStale: false,
    })
  }
  expect(shown(node.snapshot())).toMatchObject({ height: 14, balance: 250n })
})

it.each([...endpoints, 'all'])(
  'G-18: %s away: nothing falls back to 0 or to an invented value',
  async (path) => {
    await using world = await startWatching()
    const { api, clock, node } = world
    const before = node.snapshot()
    const seen = new Set<string>()
    node.subscribe(() => seen.add(JSON.stringify(shown(node.snapshot()), textOf)))
    for (const one of path === 'all' ? endpoints : [path]) api.failing.add(one)
    // Long enough for what is read every 40 macroblocks.
    for (let block = 0; block < 45; block++) await mine(api, clock)
    const away = node.snapshot()
    // Nothing moved but the height, and that only upwards.
    const constant = JSON.stringify({ ...shown(before), height: 0, rewardsHeight: 0 }, textOf)
    for (const text of seen) {
      const then = JSON.parse(text) as { readonly height: number }
      expect(then.height).toBeGreaterThanOrEqual(before.height?.value ?? Number.NaN)
      expect(JSON.stringify({ ...then, height: 0, rewardsHeight: 0 })).toBe(constant)
    }
    expect(away.lastError?.error.code).toBe('REQUEST_FAILED')
    const stale = Object.values(readings(away)).filter((reading) => reading?.isStale)
    if (path !== '/macroblock_by_height') expect(stale.length).toBeGreaterThan(0)

    api.failing.clear()
    for (let block = 0; block < 8; block++) await mine(api, clock)
    const after = node.snapshot()
    for (const [name, reading] of Object.entries(readings(after))) expect(reading?.isStale, name).toBe(false)
    expect(after.height?.value).toBe(api.height)
  },
)

const textOf = (_: string, member: unknown): unknown => (typeof member === 'bigint' ? `${member}n` : member)

it('G-18: while nobody says how the chain began, what was read stays fresh and is not read again', async () => {
  const clock = steppedClock()
  const api = scriptedApi(wallet.address, clock)
  api.failing.add('/network_info')
  const client = { ...api.client, network: { ...api.client.network, originHash: sha256Hex('origin') } }
  const gatewayUrl = 'ws://127.0.0.1:1'
  await using node = createMiningNode({ wallet, client, gatewayUrl, clock, blockTimeMs: BLOCK_MS })
  await node.watch()
  for (let block = 0; block < 4; block++) await mine(api, clock)
  const askedFor = (endpoint: string): number => api.asked.filter((path) => path === endpoint).length
  expect(node.snapshot().stakes?.isStale).toBe(false)
  expect(askedFor('/get_stake_limits')).toBe(1)
  expect(askedFor('/network_info')).toBeGreaterThan(1)
})
