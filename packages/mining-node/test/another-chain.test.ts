import { createClient, type Transport } from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { followFleetRewards } from '../src/fleet/fleet-rewards.ts'
import { rememberedJourney } from '../src/fleet/journey-store.ts'
import { watchRewards } from '../src/watchers/watch-rewards.ts'
import { modelChain } from './model-chain.ts'
import { steppedClock } from './stepped-clock.ts'

const account = `02${'ab'.repeat(32)}` as Address
const BLOCK_MS = 15_000

/** An address that leads to a node of one chain, or to one of another on which the same account earns. */
async function world() {
  const clock = steppedClock()
  const seconds = () => Math.floor(clock.now() / 1_000)
  const [own, other] = [modelChain(account, seconds), modelChain(account, seconds, 'other ')]
  const [here, there] = [own, other].map((chain) => chain.clientOf(clock))
  const state = { isOther: false }
  const transport: Transport = {
    request: (asked) => (state.isOther ? there : here)?.transport.request(asked) as never,
  }
  const made = createClient({
    apiUrl: 'http://127.0.0.1:1/api/v1',
    clock,
    randomness: () => 0.5,
    retry: { maxAttempts: 1 },
    transport,
  })
  const originHash = (await made.getMacroblock({ height: 0 }))?.keyBlock.hash
  const client = { ...made, network: { ...made.network, originHash } }
  const earn = async (macroblocks: number): Promise<void> => {
    for (let block = 0; block < macroblocks; block++) {
      await clock.advance(BLOCK_MS)
      own.mine([1n])
      other.mine([1_000n])
    }
    await clock.advance(2 * BLOCK_MS)
  }
  await earn(10)
  return { clock, client, own, other, state, earn }
}

type Told = (what: string, amount: bigint, height: number | null) => void

const watches: [
  string,
  (client: Awaited<ReturnType<typeof world>>['client'], told: Told) => () => Promise<void>,
][] = [
  [
    'a watch',
    (client, told) => {
      const watch = watchRewards({
        client,
        address: account,
        pollIntervalMs: 2_000,
        blockTimeMs: BLOCK_MS,
        onReward: ({ amount, height }) => told('rewarded', amount, height),
        onReverted: ({ amount, height }) => told('reverted', amount, height),
        onError: (error) => told(error.code, 0n, null),
      })
      return watch.stop
    },
  ],
  [
    'a fleet',
    (client, told) => {
      const watch = followFleetRewards({
        client,
        pollIntervalMs: 2_000,
        isOurs: (one) => one === account,
        store: rememberedJourney(),
        areAccountsKnown: () => true,
        onReward: ({ amount, height, recordType }) => recordType === 'im' && told('rewarded', amount, height),
        onReverted: ({ amount, height, recordType }) =>
          recordType === 'im' && told('reverted', amount, height),
        onError: (error) => told(error.code, 0n, null),
      })
      return watch.stop
    },
  ],
]

it.each(watches)(
  '%s takes nothing of another chain that its API serves for a while for its own',
  async (_, begin) => {
    const { client, other, state, earn } = await world()
    const told: string[] = []
    const mismatches: string[] = []
    const stop = begin(client, (what, amount, height) => {
      if (what === 'NETWORK_MISMATCH') mismatches.push(what)
      if (what.startsWith('re')) told.push(`${what} ${amount} of ${height}`)
    })
    await earn(6)
    const before = [...told]
    expect(before.length).toBeGreaterThan(3)
    state.isOther = true
    await earn(10)
    other.rollBack(8)
    await earn(6)
    expect(told).toEqual(before)
    expect(mismatches.length).toBeGreaterThan(0)
    state.isOther = false
    await earn(6)
    await stop()
    const heights = told.map((text) => Number(text.split(' of ')[1]))
    expect(told.filter((text) => text.startsWith('reverted'))).toEqual([])
    expect(heights).toEqual(Array.from(heights, (_one, at) => (heights[0] ?? 0) + at))
    expect(heights.length).toBeGreaterThan(25)
  },
)
