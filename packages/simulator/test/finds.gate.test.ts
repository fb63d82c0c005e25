import { describe, expect, it } from 'vitest'
import type { Mutation } from '../src/mutation.ts'
import type { ScenarioName } from '../src/simulate.ts'
import { disagreementMutations } from './disagreement-mutations.ts'
import { paymentMutations } from './payment-mutations.ts'
import { firstFinding } from './seeds.ts'
import { sessionMutations } from './session-mutations.ts'
import { earningMutations, fleetMutations, rewardMutations } from './watch-mutations.ts'
import { watchingMutations } from './watching-mutations.ts'

const planted: readonly (readonly [string, ScenarioName, Mutation])[] = [
  ...paymentMutations.map((one) => [one.name, 'payments', one] as const),
  ...disagreementMutations.map((one) => [one.name, 'disagreement', one] as const),
  ...sessionMutations.map((one) => [one.name, 'sessions', one] as const),
  ...watchingMutations.map((one) => [one.name, 'watching', one] as const),
  ...rewardMutations.map((one) => [one.name, 'rewards', one] as const),
  ...earningMutations.map((one) => [one.name, 'earning', one] as const),
  ...fleetMutations.map((one) => [one.name, 'fleets', one] as const),
]

/** Seeds of a search: the rarest is shown by one in a thousand, and names it (`shownBy`). */
const SEEDS = 2_000

/** A simulator that finds nothing proves nothing. */
describe('finds', () => {
  it.each(planted)('%s', async (_, scenario, mutation) => {
    const found = await firstFinding(scenario, mutation, SEEDS)
    expect(found?.violations[0]?.what).toBeDefined()
  })
})
