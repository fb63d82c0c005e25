#!/usr/bin/env node
import { CommandLineError, readCommandLine } from '@hailstone/runtime/node'
import { reproduction, type ScenarioName, scenarios, simulate } from './simulate.ts'

const usage = `usage: npm run simulate -- [--seeds N] [--from SEED] [--scenario ${Object.keys(scenarios).join('|')}|all] [--trace]`

function refuse(fault: string): never {
  console.error(`${fault}\n${usage}`)
  process.exit(2)
}

function flags() {
  const options = {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    scenario: { type: 'string', default: 'all' },
    trace: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const
  try {
    return readCommandLine({ options }).values
  } catch (error) {
    if (error instanceof CommandLineError) refuse(error.message)
    throw error
  }
}

const values = flags()
if (values.help) {
  console.log(usage)
  process.exit(0)
}

const names: readonly ScenarioName[] =
  values.scenario === 'all'
    ? (Object.keys(scenarios) as ScenarioName[])
    : (Object.keys(scenarios) as ScenarioName[]).filter((name) => name === values.scenario)
const [seeds, from] = [Number(values.seeds), Number(values.from)]
if (names.length === 0) refuse('There is no such scenario.')
if (!Number.isSafeInteger(seeds) || !Number.isSafeInteger(from)) refuse('Seeds are whole numbers.')

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
