import { it } from 'vitest'
import { regressions } from '../src/regressions.ts'
import { simulate } from '../src/simulate.ts'
import { expectNone } from './seeds.ts'

/** Seeds from 1 on that the gates of a change run of each scenario. */
const SEEDS_OF_GATES = 75

it.each(regressions.filter(({ seed }) => seed > SEEDS_OF_GATES))(
  'seed $seed of $scenario: $was',
  async ({ scenario, seed }) => {
    expectNone(await simulate(scenario, seed))
  },
)
