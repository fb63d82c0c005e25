import { describe, expect, it } from 'vitest'
import { type ScenarioName, simulate } from '../src/simulate.ts'
import { expectNone } from './seeds.ts'

/** Seeds of one test, which each has a time limit: on a slow machine with other work 525 of mining took longer. */
const MOST = 75

/** A file for each scenario, so that they run beside each other. */
export function proveScenario(claim: string, scenario: ScenarioName, seeds: number): void {
  const parts = Array.from({ length: Math.ceil(seeds / MOST) }, (_, part) => ({
    from: part * MOST + 1,
    to: Math.min((part + 1) * MOST, seeds),
  }))
  describe(claim, () => {
    it.each(parts)('keeps I1 to I5 in seeds $from to $to', async ({ from, to }) => {
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
}
