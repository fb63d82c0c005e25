// Runs on a fresh clone before anything is installed, so it uses Node alone.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const isWindows = process.platform === 'win32'
const stampFile = join(root, 'node_modules', '.hailstone-bootstrap')

/** Each slow step says what it does, how long it took, and where to look when it failed. */
export function step(title, work) {
  const startedAt = process.hrtime.bigint()
  const isTerminal = process.stdout.isTTY === true
  process.stdout.write(isTerminal ? `  … ${title}` : `  … ${title}\n`)
  const outcome = work()
  const seconds = (Number(process.hrtime.bigint() - startedAt) / 1e9).toFixed(1)
  process.stdout.write(
    `${isTerminal ? '\r' : ''}  ✓ ${title} — ${seconds} s${outcome ? ` (${outcome})` : ''}\n`,
  )
}

export const environment = () => ({
  ...process.env,
  PATH: join(root, 'node_modules', '.bin') + delimiter + (process.env.PATH ?? ''),
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
  // The compiler is a Go program and ends soon: collecting garbage less often saves a third of its processor time.
  GOGC: process.env.GOGC ?? '400',
})

/** Returns why nothing can be written into a folder, or into the nearest one above it that exists; null if it can be. */
function writeFault(folder) {
  let present = folder
  while (!existsSync(present) && dirname(present) !== present) present = dirname(present)
  try {
    rmdirSync(mkdtempSync(join(present, '.hailstone-probe-')))
    return null
  } catch (error) {
    return `${present} cannot be written (${error.code})`
  }
}

/** Returns why a command could not store its files, and what to do; empty if they can be stored. */
function storageAdvice() {
  const ofProject = writeFault(root)
  if (ofProject !== null)
    return `${ofProject}, and all that is installed and built is stored there. Copy the project to a folder that can be.\n`
  const ofHome = writeFault(process.env.npm_config_cache ?? join(homedir(), '.npm')) ?? writeFault(homedir())
  if (ofHome === null) return ''
  return `${ofHome}, and npm and pnpm store there what they download. Set HOME to a folder that can be written, and try again.\n`
}

/** Runs a command to its end; its output is shown only when it fails, unless asked for. */
export function run(command, parameters, { show = false } = {}) {
  const done = spawnSync(command, parameters, {
    cwd: root,
    env: environment(),
    shell: isWindows,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  })
  if (done.status === 0) return
  if (!show) process.stderr.write(`\n${done.stdout ?? ''}${done.stderr ?? ''}`)
  const why = done.error ? done.error.message : `it ended with ${done.signal ?? `exit code ${done.status}`}`
  process.stderr.write(
    `\nThe command "${command} ${parameters.join(' ')}" failed: ${why}.\n${storageAdvice()}`,
  )
  process.exit(typeof done.status === 'number' && done.status > 0 ? done.status : 1)
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  // Those of the tools that build and test; programs that use the packages need 20.19 or newer.
  const isFit = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24
  if (isFit) return
  process.stderr.write(
    `Hailstone needs Node 20.19 or newer, 22.12 or newer, or 24 or newer; this is ${process.versions.node}.\n`,
  )
  process.exit(1)
}

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'pnpm-lock.yaml')))
    .update(readFileSync(join(root, 'package.json')))
    .digest('hex')

/** Installs the workspace, pnpm included, unless this lockfile is installed already. */
export function install() {
  checkNode()
  const wanted = lockHash()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  step('installing the packages (only the first time)', () => {
    run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile'])
    mkdirSync(join(root, 'node_modules'), { recursive: true })
    writeFileSync(stampFile, wanted)
  })
}

/** Builds what changed since the last time. */
export function build(...filters) {
  step('building what changed', () =>
    run('turbo', ['run', 'build', '--output-logs=errors-only', ...filters.map((name) => `--filter=${name}`)]),
  )
}

/** Turbo with its output shown. */
export const turbo = (...parameters) => run('turbo', ['run', ...parameters], { show: true })

/** Kept by git: what each test file costs, for the order of a run and for the budget. */
const costsFile = join(root, 'scripts', 'test-costs.json')
/** Files below are not named. */
const SHORT_SECONDS = 1

/** Returns what each file of the last run of a tier cost. */
function costsOf(path) {
  const costs = {}
  if (!existsSync(path)) return costs
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { file, seconds, processor } = JSON.parse(line)
    const name = relative(root, file).split(sep).join('/')
    // The hooks run twice, in React and in Preact.
    const known = costs[name] ?? { seconds: 0, processor: 0 }
    costs[name] = { seconds: known.seconds + seconds, processor: known.processor + processor }
  }
  return costs
}

const sum = (costs, of) => Math.round(Object.values(costs).reduce((all, cost) => all + cost[of], 0))

/**
 * Runs the test files of a tier, in all packages or in those that are named, and ends the process if one fails. Failures
 * are printed once more after the last line.
 */
export function vitest(tier, areas = []) {
  const [failed, costs] = ['failed-tests.txt', `test-costs-${tier}.jsonl`].map((name) =>
    join(root, '.hailstone', name),
  )
  mkdirSync(dirname(failed), { recursive: true })
  for (const path of [failed, costs]) rmSync(path, { force: true })
  process.env.HAILSTONE_TIER = tier
  // Every local network compares its answers with the reference; one that does not fit fails its test.
  process.env.HAILSTONE_VALIDATE_ANSWERS ??= '1'
  // Tests take the other packages as they were built, which a package that is tested by itself need not be.
  process.env.HAILSTONE_BUILT_PACKAGES ??= '1'
  process.env.HAILSTONE_TEST_COSTS = costs
  const printAtEnd = () => {
    const cost = costsOf(costs)
    const count = Object.keys(cost).length
    process.stdout.write(
      `\n${tier}: ${count} files, ${sum(cost, 'seconds')} test-seconds, ${sum(cost, 'processor')} s of processor\n`,
    )
    if (existsSync(failed))
      process.stderr.write(
        `\nTests that failed, or passed only at the second time:\n${readFileSync(failed, 'utf8')}`,
      )
  }
  process.once('exit', printAtEnd)
  run('vitest', ['run', ...areas.flatMap((area) => ['--project', area])], { show: true })
  process.removeListener('exit', printAtEnd)
  printAtEnd()
}

/** Writes what the files of the last runs of both tiers of a change cost. */
export function writeCosts() {
  const measured = ['test', 'gates', 'night'].map((tier) =>
    costsOf(join(root, '.hailstone', `test-costs-${tier}.jsonl`)),
  )
  const round = (number) => Math.round(number * 10) / 10
  const known = existsSync(costsFile) ? JSON.parse(readFileSync(costsFile, 'utf8')) : {}
  const all = Object.entries({ ...known, ...measured[2], ...measured[1], ...measured[0] })
    .filter(([file, { seconds }]) => seconds >= SHORT_SECONDS || /\.(gate|browser)\.test\./.test(file))
    .filter(([file]) => existsSync(join(root, file)))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, { seconds, processor }]) => [file, { seconds: round(seconds), processor: round(processor) }])
  writeFileSync(costsFile, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
}
