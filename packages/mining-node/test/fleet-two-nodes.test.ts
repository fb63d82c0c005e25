import { type Client, createClient } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import type { NodeError } from '@hailstone/protocol'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { createMemoryCursors } from '../src/cursors/cursor-store.ts'
import { followFleetRewards } from '../src/fleet/fleet-rewards.ts'
import { watchFleetRewards } from '../src/fleet/index.ts'
import { keptJourney, rememberedJourney } from '../src/fleet/journey-store.ts'
import type { FleetReward } from '../src/fleet/rewards-of-macroblock.ts'
import { fastClock } from './fast-clock.ts'
import { until } from './until.ts'

const BEHIND = 3
const MACROBLOCKS = gateSize('HAILSTONE_FLEET_MACROBLOCKS', { change: 6, night: 12 })
/** Questions between two macroblocks. */
const ASKED = 10
const TRANSFERS: ReadonlySet<string> = new Set(['iin', 'iout'])

let network: LocalNetwork
let client: Client
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'fleet of two nodes', blockTimeMs: 3_600_000, keepAlive: true })
  // Half a minute of real time: the node that is behind calculates its chain before its first answer.
  client = createClient({ apiUrl: network.apiUrl, clock: fastClock(20), timeoutMs: 600_000 })
})
afterEach(() => network.faults.clear())
afterAll(async () => {
  await client.close()
  await network.stop()
})

const nameOf = ({ recordHash, address, recordType, amount }: FleetReward): string =>
  [recordHash, address, recordType, amount].join(' ')

/** What the chain has, without faults. */
async function bookedIn(from: number, to: number): Promise<readonly string[]> {
  const booked: string[] = []
  for (let height = from; height <= to; height++) {
    const { keyBlock, microblocks = [], statBlocks = [] } = (await client.getMacroblock({ height })) ?? {}
    for (const { hash } of [...microblocks, ...(keyBlock ? [keyBlock] : []), ...statBlocks])
      for (const { account, recordType, amount } of await client.getRecordsOfHash({ hash }))
        if (!TRANSFERS.has(recordType)) booked.push([hash, account, recordType, amount].join(' '))
  }
  return booked
}

const behind = (seed: number, match: object): void =>
  network.faults.set({
    seed,
    rules: [
      { name: 'asked', on: 'api', match: { method: 'GET' }, fault: { delay: { ms: 0 } } },
      {
        name: 'behind',
        on: 'api',
        match: { method: 'GET', ...match },
        fault: { otherNode: { blocksBehind: BEHIND } },
      },
    ],
  })
const answersOf = (name: string): number =>
  network.faults.fired().filter((fired) => fired.name === name).length

/** Mines while somebody asks. */
async function mineAskedFor(macroblocks: number): Promise<void> {
  for (let mined = 0; mined < macroblocks; mined++) {
    const asked = answersOf('asked')
    await until(() => answersOf('asked') > asked + ASKED, 'questions are asked')
    await network.control.mine()
  }
}

const journeys = {
  'in memory': rememberedJourney,
  'with a cursor': () => keptJourney({ store: createMemoryCursors(), name: 'fleet' }),
}

const views = [
  { where: 'each question goes to either', match: { probability: 0.5 } },
  { where: 'records come from the one behind', match: { path: '/eindex_by_hash' } },
  { where: 'macroblocks come from the one behind', match: { path: '/macroblock_by_height' } },
  { where: 'microblocks come from the one behind', match: { path: '/mblock' } },
].slice(0, gateSize('HAILSTONE_FLEET_VIEWS', { change: 1, night: 4 }))

it.each(Object.entries(journeys).flatMap(([name, store]) => views.map((view) => ({ name, store, ...view }))))(
  '$name tells each reward once over two nodes behind one address: $where',
  async ({ match, store }) => {
    await network.control.mine(BEHIND + 1)
    const told: FleetReward[] = []
    const errors: NodeError[] = []
    await using _watch = followFleetRewards({
      client,
      pollIntervalMs: 200,
      store: store(),
      isOurs: () => true,
      areAccountsKnown: () => true,
      onReward: (reward) => told.push(reward),
      onReverted: (reward) => expect(reward).toBeUndefined(),
      onError: (error) => errors.push(error),
    })
    await until(() => network.control.mine().then(() => told.length > 0), 'it tells of a macroblock')
    const first = Math.min(...told.map(({ height }) => Number(height)))
    behind(7, match)
    await mineAskedFor(MACROBLOCKS)
    const last = network.height() - 1
    // The one that is behind has it as well.
    await mineAskedFor(BEHIND)
    await until(() => told.some(({ height }) => height === last), 'it tells of the last')
    expect(answersOf('behind')).toBeGreaterThan(0)
    network.faults.clear()
    await network.control.mine()
    await until(() => told.some(({ height }) => Number(height) > last), 'it has passed them')
    const isWithin = ({ height }: FleetReward): boolean => Number(height) <= last
    expect(told.filter(isWithin).map(nameOf)).toEqual(await bookedIn(first, last))
    for (const { tokenId, height } of told) expect([tokenId, height]).not.toContain(null)
  },
)

it('a watch tells what of a macroblock cannot be had, and goes on when it can', async () => {
  await network.control.mine(BEHIND + 1)
  const told: FleetReward[] = []
  const codes: string[] = []
  await using _watch = watchFleetRewards({
    client,
    pollIntervalMs: 200,
    cursor: { store: createMemoryCursors(), name: 'fleet' },
    isOurs: () => true,
    areAccountsKnown: () => true,
    onReward: async (reward) => void told.push(reward),
    onReverted: async () => undefined,
    onError: ({ code }) => codes.push(code),
  })
  await until(() => network.control.mine().then(() => told.length > 0), 'it tells of a macroblock')
  behind(7, { path: '/eindex_by_hash' })
  const height = network.height()
  await network.control.mine()
  const FAILURES = 7
  await until(() => codes.length >= FAILURES, 'failures are reported')
  expect(new Set(codes)).toEqual(new Set(['HEIGHT_UNAVAILABLE']))
  expect(told.every((reward) => Number(reward.height) < height)).toBe(true)
  network.faults.clear()
  await until(() => told.some((reward) => reward.height === height), 'it is told')
})
