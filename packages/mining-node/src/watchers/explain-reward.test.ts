import { type Address, type NodeError, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { balancedClient, seededRandom } from '../../test/balanced-client.ts'
import { modelChain } from '../../test/model-chain.ts'
import { type SteppedClock, steppedClock } from '../../test/stepped-clock.ts'
import { until } from '../../test/until.ts'
import type { Reward } from './reward.ts'
import { watchRewards } from './watch-rewards.ts'

const account = `02${'ab'.repeat(32)}` as Address
const BLOCK_MS = 15_000

const isWhole = ({ tokenId, height, role }: Reward): boolean =>
  tokenId === ZERO_TOKEN_ID && height !== null && role === 'miner'

it.each([
  ['at random', (random: () => number) => () => random() < 0.5],
  ['by its path', () => (path: string) => path === '/mblock' || path === '/macroblock'],
])('a reward that is read %s from a node that is behind is told whole, once', async (_, behind) => {
  for (let seed = 0; seed < 5; seed++) {
    const [model, clock] = [modelChain(account), steppedClock()]
    const isBehind = behind(seededRandom(seed))
    const told: Reward[] = []
    const errors: NodeError[] = []
    const watch = watchRewards({
      client: balancedClient({ model, clock, isBehind }),
      address: account,
      pollIntervalMs: 2_000,
      blockTimeMs: BLOCK_MS,
      from: -1,
      onReward: (reward) => told.push(reward),
      onError: (error) => errors.push(error),
    })
    for (let block = 0; block < 20; block++) {
      model.mine([1n])
      await clock.advance(BLOCK_MS)
    }
    for (let block = 0; block < 12; block++) {
      model.mine([])
      await clock.advance(BLOCK_MS)
    }
    await watch.stop()
    expect(told.map(({ index }) => index)).toEqual(Array.from({ length: 20 }, (_unused, at) => at))
    expect(told.filter((reward) => !isWhole(reward))).toEqual([])
    expect(errors.some(({ message }) => message.includes('which another answer names'))).toBe(true)
  }
})

/** Follows a reward whose block is asked for at a server that answers one path as it is told. */
function followed(clock: SteppedClock, path: string, answer: () => { status: number; text: string } | null) {
  const model = modelChain(account)
  for (let block = 0; block < 3; block++) model.mine([1n])
  const client = model.clientOf(clock)
  const told: Reward[] = []
  const watch = watchRewards({
    client: {
      ...client,
      transport: {
        request: async (request) => {
          const given = request.path === path ? answer() : null
          return given === null
            ? client.transport.request(request)
            : { ...given, contentType: 'application/json' }
        },
      },
    },
    address: account,
    pollIntervalMs: 2_000,
    from: -1,
    onReward: (reward) => told.push(reward),
  })
  return { told, watch }
}

it('one 404 is no old server: the height is asked for again', async () => {
  const clock = steppedClock()
  let left = 3
  const { told, watch } = followed(clock, '/macroblock', () =>
    left-- > 0 ? { status: 404, text: '' } : null,
  )
  await until(() => clock.advance(BLOCK_MS).then(() => told.length === 3), 'they were told')
  await watch.stop()
  expect(told.filter((reward) => !isWhole(reward))).toEqual([])
})

it('a server without the route is believed after minutes, and then for every reward', async () => {
  const clock = steppedClock()
  const { told, watch } = followed(clock, '/macroblock', () => ({ status: 404, text: '' }))
  await clock.advance(240_000)
  expect(told).toEqual([])
  await clock.advance(180_000)
  await watch.stop()
  expect(told.map(({ height, role }) => [height, role])).toEqual([
    [null, 'miner'],
    [null, 'miner'],
    // The key block that was read is known without it.
    [5, 'miner'],
  ])
})

it('a microblock that no answer shows for minutes holds nothing up for ever', async () => {
  const clock = steppedClock()
  const { told, watch } = followed(clock, '/mblock', () => ({ status: 200, text: '{"transactions":[]}' }))
  await clock.advance(240_000)
  expect(told).toEqual([])
  await clock.advance(1_200_000)
  await watch.stop()
  expect(told.map(({ tokenId }) => tokenId)).toEqual([null, null, null])
})
