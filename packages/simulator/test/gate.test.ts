import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { type ScenarioName, scenarios, simulate } from '../src/simulate.ts'
import { expectNone } from './seeds.ts'

/** Larger size: npm run simulate -- --seeds 200000 */
const SEEDS = gateSize('HAILSTONE_SEEDS', { test: 10, gates: 525 })
const names = Object.keys(scenarios) as ScenarioName[]

describe('G-1: the whole library under seeded faults of network, clock and disk', () => {
  it.each(names)(`keeps I1 to I5 in ${SEEDS} seeds of %s`, async (scenario) => {
    let [faults, virtualMs] = [0, 0]
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = await simulate(scenario, seed)
      expectNone(outcome)
      faults += outcome.faults
      virtualMs += outcome.virtualMs
    }
    // Without faults the runs would prove nothing.
    expect(faults).toBeGreaterThan(5 * SEEDS)
    console.log(`${scenario}: ${faults} faults in ${Math.round(virtualMs / 3_600_000)} simulated hours`)
  })
})
