import type { Address } from '@hailstone/protocol'
import { sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createMemoryCursors } from '../src/cursors/cursor-store.ts'
import { metricsText, type NodeHealth, nodeMetrics } from '../src/health/index.ts'
import { rememberCounted } from '../src/store/mining-snapshot.ts'
import { type AccountWatch, createAccountWatch } from '../src/watch/index.ts'
import { modelChain } from './model-chain.ts'
import { steppedClock } from './stepped-clock.ts'

const account = `02${'ab'.repeat(32)}` as Address

/** Returns the units of one kind that Prometheus reads. */
function units(watch: AccountWatch, name: string): number {
  const health = {
    isReady: true,
    lastBeaconAgeMs: null,
    tipAgeMs: null,
    balanceAgeMs: null,
  } as unknown as NodeHealth
  const metrics = nodeMetrics({ snapshot: watch.snapshot(), health, uptimeMs: 0 })
  return Number(new RegExp(`^hailstone_${name}\\{.*"own"\\} (\\S+)$`, 'm').exec(metricsText(metrics))?.[1])
}

it('units earned only grow, and what a reorganisation took back is counted beside them', async () => {
  const clock = steppedClock()
  const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
  const client = model.clientOf(clock)
  const cursors = createMemoryCursors()
  const begin = async (): Promise<AccountWatch> => {
    const watch = createAccountWatch({ address: account, client, cursors, pollIntervalMs: 2_000 })
    await watch.watch()
    return watch
  }
  const first = await begin()
  await clock.advance(30_000)
  for (let block = 0; block < 5; block++) {
    model.mine([200n])
    await clock.advance(10_000)
  }
  await clock.advance(30_000)
  const own = (watch: AccountWatch) => watch.snapshot().rewards[0]?.own
  expect([own(first), units(first, 'rewards_units_total')]).toEqual([1_000n, 1_000])
  model.rollBack(1)
  model.mine([50n])
  model.mine([60n])
  await clock.advance(30_000)
  expect(first.snapshot().rewards).toMatchObject([{ count: 6, own: 910n, reverted: { own: 200n } }])
  expect(units(first, 'rewards_units_total')).toBe(1_110)
  expect(units(first, 'rewards_reverted_units_total')).toBe(200)
  await first.close()

  // The next run is told of rewards that the one before had counted.
  const next = await begin()
  const reverted: bigint[] = []
  next.on('reverted', ({ amount }) => reverted.push(amount))
  await clock.advance(30_000)
  model.rollBack(4)
  model.mine([7n])
  await clock.advance(60_000)
  expect(reverted.length).toBeGreaterThan(0)
  expect(next.snapshot().rewards).toMatchObject([{ count: 1, own: 7n }])
  expect(next.snapshot().rewards[0]?.reverted).toBeUndefined()
  expect(units(next, 'rewards_units_total')).toBe(7)
  await next.close()
})

it('a reward is counted back once, and only the newest are remembered', () => {
  const isCounted = rememberCounted(2)
  const [one, two, three] = ['one', 'two', 'three'].map((name) => ({
    address: account,
    role: 'miner' as const,
    recordType: 'im',
    recordHash: sha256Hex(name),
  }))
  if (one === undefined || two === undefined || three === undefined) throw new Error('three are made')
  for (const reward of [one, two, three]) expect(isCounted(reward, 1)).toBe(true)
  expect([one, three, three, two].map((reward) => isCounted(reward, -1))).toEqual([false, true, false, true])
})
