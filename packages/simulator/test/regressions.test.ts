import { it } from 'vitest'
import { regressions } from '../src/regressions.ts'
import { simulate } from '../src/simulate.ts'
import { expectNone } from './seeds.ts'

it.each(regressions)('seed $seed of $scenario: $was', async ({ scenario, seed }) => {
  expectNone(await simulate(scenario, seed))
})
