import { expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { type ScenarioName, scenarios, simulate } from '../src/simulate.ts'

const SEEDS = gateSize('HAILSTONE_TRACES', { change: 4, night: 15 })
const names = Object.keys(scenarios) as ScenarioName[]

it.each(names)(
  'G-1: the same seed of %s writes the same trace, byte for byte, whatever ran before',
  async (name) => {
    const seeds = Array.from({ length: SEEDS }, (_, at) => 1 + 37 * at)
    const first: string[] = []
    for (const seed of seeds) first.push((await simulate(name, seed)).trace.join('\n'))
    for (const [at, seed] of [...seeds.entries()].reverse()) {
      expect((await simulate(name, seed)).trace.join('\n')).toBe(first[at])
    }
    expect(new Set(first).size).toBe(seeds.length)
    expect(Math.min(...first.map((trace) => trace.length))).toBeGreaterThan(1_000)
  },
)
