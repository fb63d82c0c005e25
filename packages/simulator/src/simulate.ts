import { type Mutation, NO_MUTATION } from './mutation.ts'
import { createRun, type Violation } from './run/run.ts'
import { disagreement } from './scenarios/disagreement.ts'
import { earning } from './scenarios/earning.ts'
import { fleets } from './scenarios/fleets.ts'
import { mining } from './scenarios/mining.ts'
import { payments } from './scenarios/payments.ts'
import { rewards } from './scenarios/rewards.ts'
import { sessions } from './scenarios/sessions.ts'
import { watching } from './scenarios/watching.ts'

export const scenarios = {
  payments,
  disagreement,
  sessions,
  watching,
  rewards,
  earning,
  fleets,
  mining,
} as const

export type ScenarioName = keyof typeof scenarios

/** Result of one seed. */
export type Outcome = {
  readonly scenario: ScenarioName
  readonly seed: number
  readonly violations: readonly Violation[]
  readonly trace: readonly string[]
  readonly faults: number
  readonly events: number
  /** Simulated time in ms. */
  readonly virtualMs: number
}

/** Runs one scenario with one seed. The same arguments give the same outcome, byte for byte. */
export async function simulate(
  scenario: ScenarioName,
  seed: number,
  mutation: Mutation = NO_MUTATION,
): Promise<Outcome> {
  const run = createRun(seed)
  const unhandled = (reason: unknown): void => run.violate('I4', `nobody handles ${String(reason)}`)
  process.on('unhandledRejection', unhandled)
  try {
    await scenarios[scenario](run, mutation)
  } catch (error) {
    run.violate('I4', `the scenario ended with ${error instanceof Error ? error.stack : String(error)}`)
  } finally {
    process.off('unhandledRejection', unhandled)
  }
  const { violations, trace, time } = run
  const [faults, events, virtualMs] = [run.faults(), time.events(), time.now()]
  return { scenario, seed, violations, trace, faults, events, virtualMs }
}

/** Returns the command that repeats a run. */
export const reproduction = ({ scenario, seed }: Pick<Outcome, 'scenario' | 'seed'>): string =>
  `npm run simulate -- --scenario ${scenario} --from ${seed} --seeds 1 --trace`
