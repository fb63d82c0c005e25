import { expect, it } from 'vitest'
import { regressions } from '../src/regressions.ts'
import { simulate } from '../src/simulate.ts'
import { SimulatedChain } from '../src/world/simulated-chain.ts'
import { expectNone } from './seeds.ts'

/** Seeds from 1 on that the gates of a change run of each scenario. */
const SEEDS_OF_GATES = 75

it.each(regressions.filter(({ seed }) => seed > SEEDS_OF_GATES))(
  'seed $seed of $scenario: $was',
  async ({ scenario, seed }) => {
    expectNone(await simulate(scenario, seed))
  },
)

it('a fork of one macroblock counts before another one takes its place', () => {
  const chain = new SimulatedChain({ now: () => 0 })
  for (let block = 0; block < 3; block++) chain.close()
  expect([chain.reorganise(1, () => true), chain.height, chain.forks]).toEqual([1, 2, 1])
})
