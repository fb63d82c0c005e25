import type { MacroblockOutline } from '@hailstone/client'
import { type Address, type Hash, sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { modelChain } from '../../test/model-chain.ts'
import { steppedClock } from '../../test/stepped-clock.ts'
import { followOthers, type OthersMined } from './follow-others.ts'

const account = `02${'ab'.repeat(32)}` as Address
const [own, other] = [sha256Hex('own'), sha256Hex('other')]
const macroblockOf = (...hashes: readonly Hash[]) =>
  ({ microblocks: hashes.map((hash) => ({ hash })) }) as unknown as MacroblockOutline

it('asks for no microblock of others where this miner has its share', async () => {
  const model = modelChain(account)
  const counted: OthersMined[] = []
  await using others = followOthers({
    client: model.clientOf(steppedClock()),
    isOurs: (hash) => hash === own,
    isOurAccount: (address) => address === account,
    onCount: (mined) => counted.push(mined),
    onError: () => {},
  })
  others.calculated(macroblockOf(own, other))
  expect(counted).toEqual([])
  expect(model.asked).toEqual([])
  others.calculated(macroblockOf(other))
  expect(counted).toEqual([{ microblocks: 1, miners: null }])
})
