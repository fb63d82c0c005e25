#!/usr/bin/env node
// npm run test:kills -- [--kills 5000] [--lanes 4] [--seed 1] [--json]
// Wants built packages. Exit code 1 when an order was lost, paid twice, or shown as failed although it landed.
import { parseArgs } from 'node:util'
import { runKills } from './kill/run-kills.mjs'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '5000' },
    lanes: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    json: { type: 'boolean', default: false },
  },
})
const [kills, lanes, seed] = [values.kills, values.lanes, values.seed].map(Number)
const startedAtMs = performance.now()
const { settles, ...report } = await runKills({
  ...{ kills, lanes, seed },
  log: (line) => values.json || console.log(line),
})
const seconds = Math.round((performance.now() - startedAtMs) / 1000)
const slowest = settles.reduce((a, b) => (b.ms > a.ms ? b : a), { ms: 0, startMs: 0 })
// A machine that is busy starts programs late as well; five seconds are meant for one that is not.
const late = settles.filter(({ ms, startMs }) => ms > 5_000 * Math.max(1, startMs / 200)).length
console.log(JSON.stringify({ ...report, settles: settles.length, slowest, late, seconds }))
const { lost, duplicated, falselyFailed, unsettled, damaged } = report
process.exit(lost + duplicated + falselyFailed + unsettled + damaged > 0 ? 1 : 0)
