import type { ScenarioName } from './simulate.ts'

/** A seed that once failed, and stays a test. */
export type Regression = { readonly scenario: ScenarioName; readonly seed: number; readonly was: string }

export const regressions: readonly Regression[] = [
  {
    scenario: 'payments',
    seed: 702,
    was: 'a fork moved the transaction at which the search for copies ended above a copy that was executed; the payment was sent again',
  },
]
