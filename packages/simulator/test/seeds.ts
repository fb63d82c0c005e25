import { expect } from 'vitest'
import type { Mutation } from '../src/mutation.ts'
import { type Outcome, reproduction, type ScenarioName, simulate } from '../src/simulate.ts'

/** Reports a failing seed: how to repeat it, the violations, and the trace. */
export const report = (outcome: Outcome): string =>
  [
    reproduction(outcome),
    ...outcome.violations.map(({ invariant, what, atMs }) => `${invariant} after ${atMs} ms: ${what}`),
    ...outcome.trace.slice(-40),
  ].join('\n')

export function expectNone(outcome: Outcome): void {
  if (outcome.violations.length > 0) expect.fail(report(outcome))
}

/**
 * Returns the outcome of the first seed that shows a mutation, and nothing of the kind without it; null if none of them
 * does. The search begins at the seed that the mutation names.
 */
export async function firstFinding(
  scenario: ScenarioName,
  mutation: Mutation,
  seeds: number,
): Promise<Outcome | null> {
  const { finds = '', shownBy: from = 1 } = mutation
  const isShown = ({ violations }: Outcome): boolean => violations.some(({ what }) => what.includes(finds))
  for (let seed = from; seed < from + seeds; seed++) {
    const outcome = await simulate(scenario, seed, mutation)
    if (isShown(outcome) && !isShown(await simulate(scenario, seed))) return outcome
  }
  return null
}
