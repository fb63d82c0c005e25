#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { reproduction, type ScenarioName, scenarios, simulate } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    scenario: { type: 'string', default: 'all' },
    trace: { type: 'boolean', default: false },
  },
})

const names: readonly ScenarioName[] =
  values.scenario === 'all'
    ? (Object.keys(scenarios) as ScenarioName[])
    : Object.keys(scenarios).includes(values.scenario)
      ? [values.scenario as ScenarioName]
      : []
const [seeds, from] = [Number(values.seeds), Number(values.from)]
if (names.length === 0 || !Number.isSafeInteger(seeds) || !Number.isSafeInteger(from)) {
  console.error(
    `usage: simulate [--seeds N] [--from SEED] [--scenario ${Object.keys(scenarios).join('|')}|all] [--trace]`,
  )
  process.exit(2)
}

const begunAt = performance.now()
let [failed, faults, virtualMs, events] = [0, 0, 0, 0]
for (let seed = from; seed < from + seeds; seed++) {
  for (const scenario of names) {
    const outcome = await simulate(scenario, seed)
    faults += outcome.faults
    virtualMs += outcome.virtualMs
    events += outcome.events
    if (values.trace) for (const line of outcome.trace) console.log(line)
    if (outcome.violations.length > 0) {
      failed++
      for (const { invariant, what } of outcome.violations)
        console.log(`${scenario} ${seed}: ${invariant} ${what}`)
      console.log(`  ${reproduction(outcome)}`)
    }
  }
  if ((seed - from + 1) % 200 === 0) progress(seed - from + 1)
}
progress(seeds)
process.exitCode = failed === 0 ? 0 : 1

function progress(done: number): void {
  const seconds = (performance.now() - begunAt) / 1_000
  const cpu = process.cpuUsage()
  const cpuSeconds = (cpu.user + cpu.system) / 1e6
  console.log(
    `${done} seeds, ${failed} failed, ${faults} faults, ${events} events; ${(done / seconds).toFixed(0)} seeds/s, ` +
      `${(virtualMs / 1_000 / seconds).toFixed(0)} times real time, ${cpuSeconds.toFixed(1)} s CPU`,
  )
}
