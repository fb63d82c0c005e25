import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { type ScenarioName, scenarios, simulate } from '../src/simulate.ts'
import { expectNone } from './seeds.ts'

/** Larger size: npm run simulate -- --seeds 200000 */
const SEEDS = gateSize('HAILSTONE_SEEDS', { change: 150, night: 525 })
/** Seeds of one test, which each has a time limit: on a slow machine with other work 525 of mining took longer. */
const MOST = 75
const scenarioNames = Object.keys(scenarios) as ScenarioName[]
const parts = Array.from({ length: Math.ceil(SEEDS / MOST) }, (_, part) => ({
  from: part * MOST + 1,
  to: Math.min((part + 1) * MOST, SEEDS),
}))
const cases = scenarioNames.flatMap((scenario) => parts.map((part) => ({ scenario, ...part })))

describe('G-1: the whole library under seeded faults of network, clock and disk', () => {
  it.each(cases)('keeps I1 to I5 in seeds $from to $to of $scenario', async ({ scenario, from, to }) => {
    let [faults, virtualMs] = [0, 0]
    for (let seed = from; seed <= to; seed++) {
      const outcome = await simulate(scenario, seed)
      expectNone(outcome)
      faults += outcome.faults
      virtualMs += outcome.virtualMs
    }
    // Without faults the runs would prove nothing.
    expect(faults).toBeGreaterThan(5 * (to - from + 1))
    console.log(`${scenario}: ${faults} faults in ${Math.round(virtualMs / 3_600_000)} simulated hours`)
  })
})
