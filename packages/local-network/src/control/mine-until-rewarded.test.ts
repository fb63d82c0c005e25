import type { Address, Hash } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createEvents } from '../chain/events.ts'
import type { NetworkEvents } from '../open-network.ts'
import { createMineUntilRewarded } from './mine-until-rewarded.ts'

const miner = `02${'1'.repeat(64)}` as Address
const hash = 'a'.repeat(64) as Hash

it('closes one macroblock for two microblocks of the miner that come before it is closed', async () => {
  const names = { microblockAccepted: true, publicationJudged: true, macroblockClosed: true }
  const { on, emit } = createEvents<NetworkEvents>(names as never, () => {})
  let publishers: Address[] = []
  let height = 0
  const mined = createMineUntilRewarded({
    on,
    publishers: () => publishers,
    minersOnline: () => [],
    closeNow: async () => {
      await Promise.resolve()
      const records = publishers.length === 0 ? [] : [{ account: miner, type: 'im', hash, value: 1n }]
      publishers = []
      const closed = { macroblock: { keyBlock: { height } }, closed: { report: { records } } }
      height += 1
      emit('macroblockClosed', closed as never)
      return closed as never
    },
  })(miner)
  for (let each = 0; each < 2; each++) {
    publishers.push(miner)
    emit('microblockAccepted', { publisher: miner } as never)
  }
  expect((await mined).height).toBe(0)
  await new Promise(setImmediate)
  expect(height).toBe(1)
})
