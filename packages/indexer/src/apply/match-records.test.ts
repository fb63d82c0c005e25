import type { Address } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { type ExpectedReward, kinds, matchRecords } from './match-records.ts'

const [miner, agent] = ['02aa', '02bb'] as unknown as readonly [Address, Address]
const half = (kind: number, account: Address, amount: bigint): ExpectedReward => ({
  ...{ kind, account, amount, type: 'iref' },
})

it('equal amounts find one another whatever the order of the records', () => {
  const expected = [half(kinds.minerHalf, miner, 5n), half(kinds.agentHalf, agent, 5n)]
  const records = [agent, miner].map((account) => ({ type: 'iref' as const, account, amount: 5n }))
  expect(matchRecords(expected, records, () => 0)).toEqual([
    { kind: kinds.minerHalf, account: miner, shown: 5n, expected: 5n },
    { kind: kinds.agentHalf, account: agent, shown: 5n, expected: 5n },
  ])
})

it('another amount, a missing and a surplus record are told apart', () => {
  const expected = [half(kinds.minerHalf, miner, 5n), half(kinds.agentHalf, agent, 5n)]
  const records = [
    { type: 'iref' as const, account: miner, amount: 6n },
    { type: 'iref' as const, account: miner, amount: 7n },
  ]
  expect(matchRecords(expected, records, () => kinds.ownerPart)).toEqual([
    { kind: kinds.minerHalf, account: miner, shown: 6n, expected: 5n },
    { kind: kinds.agentHalf, account: agent, shown: null, expected: 5n },
    { kind: kinds.ownerPart, account: miner, shown: 7n, expected: null },
  ])
})
