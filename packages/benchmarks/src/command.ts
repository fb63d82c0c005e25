import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, type } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nearestWord } from '@hailstone/runtime'
import { CommandLineError, readCommandLine } from '@hailstone/runtime/node'
import type { ContestSettings } from './contest.ts'
import type { Outcome } from './outcome.ts'
import { installPeers, scratchFolder } from './peers.ts'
import { outcomeText, pageText, type Run } from './report.ts'
import type { Suite } from './suite.ts'
import { beaconLatency } from './suites/beacon-latency.ts'
import { bridgeLatency } from './suites/bridge-latency.ts'
import { bundleSize } from './suites/bundle-size.ts'
import { chainWalk } from './suites/chain-walk.ts'
import { coldStart } from './suites/cold-start.ts'
import { httpGet } from './suites/http-get.ts'
import { indexRate } from './suites/index-rate.ts'
import { network, networkHistory, networkSpeed, networkStart } from './suites/network.ts'
import { pageCost } from './suites/page-cost.ts'
import { signatures } from './suites/signatures.ts'
import { transactionHashes } from './suites/transaction-hash.ts'
import { vault } from './suites/vault.ts'
import { watching } from './suites/watching.ts'

const suites = [
  signatures,
  transactionHashes,
  vault,
  beaconLatency,
  httpGet,
  chainWalk,
  indexRate,
  watching,
  bundleSize,
  coldStart,
  bridgeLatency,
  pageCost,
  network,
  networkHistory,
  networkStart,
  networkSpeed,
]
/** Every sample of the last run that was written; too long for git, and attached by a release. */
const samples = join(scratchFolder, 'benchmarks.json')
const page = fileURLToPath(new URL('../BENCHMARKS.md', import.meta.url))

const help = `npm run bench -- [SUITE…] [--rounds 9] [--quiet-wait 60] [--write]

${suites.map(({ name, what }) => `  ${name.padEnd(17)}${what}`).join('\n')}

  --rounds N     rounds of each contest (default 9)
  --quiet-wait S   seconds to wait for a quiet machine before a contest is declared not measurable
  --write        keeps every sample in .hailstone/benchmarks.json and writes the page BENCHMARKS.md anew
`

const machine = (): Run['machine'] => ({
  cpu: cpus()[0]?.model ?? 'unknown processor',
  cores: cpus().length,
  node: process.version,
  system: `${type()} ${release()}`,
})

function write(outcomes: readonly Outcome[]): void {
  const run: Run = { at: new Date().toISOString(), machine: machine(), outcomes }
  writeFileSync(samples, `${JSON.stringify(run, null, 1)}\n`)
  writeFileSync(page, pageText(run, readFileSync(page, 'utf8')))
}

/** By its name, or by what a group of names begins with: `network` means all of the local network's. */
const isMeant = ({ name }: Suite, given: string): boolean => name === given || name.startsWith(`${given}-`)

const hintFor = (written: string): string => {
  const near = nearestWord(
    written,
    suites.map(({ name }) => name),
  )
  return near === undefined ? '' : ` Did you mean ${near}?`
}

async function main(): Promise<number> {
  const { values, positionals } = readCommandLine({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '9' },
      'quiet-wait': { type: 'string', default: '60' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const unknown = positionals.filter((given) => !suites.some((suite) => isMeant(suite, given)))
  if (values.help || unknown.length > 0) {
    process.stdout.write(
      unknown.length > 0
        ? `There is no benchmark ${unknown.join(', ')}.${hintFor(unknown[0] ?? '')}\n\n${help}`
        : help,
    )
    return unknown.length > 0 ? 2 : 0
  }
  const settings: ContestSettings = {
    rounds: Number(values.rounds),
    minRoundMs: 120,
    quietWaitMs: Number(values['quiet-wait']) * 1_000,
  }
  process.stderr.write('installing what is compared with …\n')
  installPeers()
  const outcomes: Outcome[] = []
  const chosen = suites.filter(
    (suite) => positionals.length === 0 || positionals.some((given) => isMeant(suite, given)),
  )
  for (const suite of chosen) {
    const tell = (line: string) => void process.stderr.write(`  ${line}\n`)
    for (const outcome of await suite.run({ settings, tell })) {
      outcomes.push({ ...outcome, measuredAt: new Date().toISOString() })
      process.stdout.write(`\n${outcomeText(outcome)}\n`)
    }
  }
  if (values.write) write(outcomes)
  return 0
}

try {
  process.exit(await main())
} catch (error) {
  if (!(error instanceof CommandLineError)) throw error
  process.stderr.write(`${error.message}\n\n${help}`)
  process.exit(2)
}
