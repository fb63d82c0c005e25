import type { ScenarioName } from './simulate.ts'

/** A seed that failed once and is now a test. */
export type Regression = { readonly scenario: ScenarioName; readonly seed: number; readonly was: string }

/**
 * A change of the simulated world changes the histories of all seeds. Then search for new seeds with the fault
 * planted again. Each fault found here also has a plain test beside its code.
 */
export const regressions: readonly Regression[] = [
  {
    scenario: 'payments',
    seed: 773,
    was: 'a fork moved the transaction at which the search for copies ended above a copy that was executed; the payment was sent again',
  },
  {
    scenario: 'disagreement',
    seed: 67,
    was: 'an old copy of a journal had paid, and took its own payment for the end of what it may lack; an order from below it was paid again',
  },
  {
    scenario: 'sessions',
    seed: 11,
    was: 'a session that ended because its key was taken over left its watch for sleep behind when it was started again',
  },
  {
    scenario: 'watching',
    seed: 3,
    was: 'a fork put other microblocks under the same key block, unseen; rewards were never delivered again',
  },
  {
    scenario: 'watching',
    seed: 76,
    was: 'the first height of all was made up; nothing was delivered until the chain would have reached it',
  },
  {
    scenario: 'watching',
    seed: 277,
    was: 'a node showed rewards of a macroblock that its height did not count, and a fork replaced it; rewards were never delivered again',
  },
  {
    scenario: 'mining',
    seed: 7,
    was: 'what was caught up with after the API was away counted as silence of a gateway that had sent beacons all the while',
  },
  {
    scenario: 'mining',
    seed: 14,
    was: 'a start set the count of what was signed to zero, and what was signed before came in: more included than signed',
  },
]
