import { expect } from 'vitest'
import type { Mutation } from '../src/mutation.ts'
import { type Outcome, reproduction, type ScenarioName, simulate } from '../src/simulate.ts'

/** What a failing seed says of itself: how to repeat it, what was violated, and how it came to it. */
export const report = (outcome: Outcome): string =>
  [
    reproduction(outcome),
    ...outcome.violations.map(({ invariant, what, atMs }) => `${invariant} after ${atMs} ms: ${what}`),
    ...outcome.trace.slice(-40),
  ].join('\n')

export function expectNone(outcome: Outcome): void {
  if (outcome.violations.length > 0) expect.fail(report(outcome))
}

/** The first seed that shows a mutation, or null when none of so many does. */
export async function firstFinding(
  scenario: ScenarioName,
  mutation: Mutation,
  seeds: number,
): Promise<Outcome | null> {
  for (let seed = 1; seed <= seeds; seed++) {
    const outcome = await simulate(scenario, seed, mutation)
    if (outcome.violations.length > 0) return outcome
  }
  return null
}
