import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { readFaultScript } from '@hailstone/fault-injection'
import { isNodeError, type NodeError, plainText } from '@hailstone/protocol'
import {
  aboutPath,
  announceProcess,
  CommandLineError,
  outliveTerminal,
  systemFaultOf,
} from '@hailstone/runtime/node'
import type { Logger } from '../logger.ts'
import { type PlayedPopulation, playPopulation } from '../population/play-population.ts'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '../serve.ts'
import { postgresAddress } from '../store/index.ts'
import { within } from '../within.ts'
import { type Command, commandOf } from './command-of.ts'
import {
  describeMacroblock,
  describeNetwork,
  describePlayed,
  describeReorganisation,
} from './describe-network.ts'
import { HELP, type Order, parseFlags } from './parse-flags.ts'
import { runToken } from './token/run-token.ts'
import { versionText } from './version-text.ts'
import { writeOpenApi } from './write-openapi.ts'

const WRONG_USAGE = 2
const SECONDS_PER_DAY = 86_400

/** Tokens and texts of people who use the network are among what is shown. */
const plainLines = (text: string): string => text.split('\n').map(plainText).join('\n')
const say = (text: string): void => void process.stdout.write(`${plainLines(text)}\n`)
const complain = (text: string): void => void process.stderr.write(`${plainLines(text)}\n`)

/** Only what a person should act on; every macroblock has its own line anyway. */
const logger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (message, fields) => complain(`${message} ${JSON.stringify(fields ?? {}, asText)}`),
  error: (message, fields) => complain(`${message} ${JSON.stringify(fields ?? {}, asText)}`),
}

const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

/** Resolves at the first signal; a second one ends the process the hard way. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1))
        resolve()
      })
    }
  })
}

async function run({
  options,
  population: wantsPopulation,
  faultsFile,
  dumpFile,
  warnings,
}: Extract<Order, { kind: 'start' }>): Promise<void> {
  for (const warning of warnings) complain(warning)
  const signal = interrupted()
  const start = async () => {
    const faults = faultsFile === undefined ? undefined : await readFaultScript(faultsFile)
    const played = wantsPopulation ? await playBefore(options) : undefined
    const load = played?.dump ?? options.load
    return { played, network: await startLocalNetwork({ ...options, load, faults, logger }) }
  }
  const starting = start()
  const started = await Promise.race([starting, signal])
  if (started === undefined) return await leave(starting)
  const { network, played } = started
  try {
    tellOf(network, options, played)
    await using announced = await announceProcess({
      program: 'network',
      healthUrl: new URL('/health', network.apiUrl).href,
    })
    if (announced.trouble !== null) complain(announced.trouble)
    await signal
    if (dumpFile !== undefined) await writeDump(network, dumpFile)
  } finally {
    await network.stop()
  }
}

/** Time, in ms, that a start has to come to its end after a signal. */
const LEAVING_MS = 2000

/** Stops what starts as soon as it has started; a start that takes longer ends with the process. */
async function leave(starting: Promise<{ readonly network: LocalNetwork }>): Promise<void> {
  const stopped = starting.then(({ network }) => network.stop()).catch(() => {})
  await within(LEAVING_MS, stopped, () => process.exit(0))
}

/** Says what the network is, and from now on what happens on it. */
function tellOf(
  network: LocalNetwork,
  { database, dataDirectory }: LocalNetworkOptions,
  played: PlayedPopulation | undefined,
): void {
  network.on('macroblockClosed', (calculated) =>
    say(describeMacroblock(calculated, network.gateway.minersOnline().length)),
  )
  network.on('reorganised', (event) => say(describeReorganisation(event)))
  network.on('roleChanged', (role) =>
    say(`this process is ${role === 'leader' ? 'the leader' : `a ${role}`} now`),
  )
  say(describeNetwork(network, database === undefined ? dataDirectory : postgresAddress(database)))
  if (played !== undefined) say(describePlayed(played))
}

/** Plays the days up to the last midnight. */
function playBefore({ seed }: LocalNetworkOptions): Promise<PlayedPopulation> {
  const midnight = Math.floor(Date.now() / 1000 / SECONDS_PER_DAY) * SECONDS_PER_DAY
  const days = 90
  return playPopulation({
    ...{ seed, days, startTime: midnight - days * SECONDS_PER_DAY },
    onDay: (day) => {
      if ((day + 1) % 10 === 0) complain(`played ${day + 1} of ${days} days`)
    },
  })
}

/** Written aside and moved, so that a file with this name is always whole. */
async function writeDump({ control, height }: LocalNetwork, path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.draft`
  try {
    await aboutPath(path, async () => {
      await writeFile(draft, await control.dump(), { flag: 'wx' })
      await rename(draft, path)
    })
  } finally {
    await rm(draft, { force: true })
  }
  say(`the chain up to height ${height()} is in ${path}`)
}

/** Mistakes of whoever typed the command, as opposed to trouble on the way. */
const isUsage = (error: NodeError | CommandLineError): boolean =>
  error instanceof CommandLineError ||
  ['CONFIGURATION_INVALID', 'ADDRESS_MALFORMED', 'TOKEN_ID_MALFORMED', 'PRIVATE_KEY_MALFORMED'].includes(
    error.code,
  ) ||
  error.code.startsWith('AMOUNT_')

async function serve(args: readonly string[]): Promise<void> {
  const order = parseFlags(args, process.env)
  if (order.kind === 'help') say(HELP)
  else if (order.kind === 'version') say(await versionText())
  else await run(order)
}

const tasks: { readonly [C in Command['command']]: (rest: readonly string[]) => Promise<void> } = {
  serve,
  openapi: (rest) => writeOpenApi(rest, say),
  token: (rest) => runToken(rest, { say, stdin: process.stdin }),
}

/**
 * Runs the command `hailstone-network` in this process and resolves with its exit code. A failure is one sentence on
 * the standard error stream.
 *
 * @param words what follows the name of the command
 */
export async function runCommand(words: readonly string[]): Promise<number> {
  outliveTerminal()
  let help = 'hailstone-network --help'
  try {
    const { command, rest } = commandOf(words)
    if (command !== 'serve') help = `hailstone-network ${command} --help`
    await tasks[command](rest)
    return 0
  } catch (error) {
    const fault = systemFaultOf(error)
    if (fault !== null) {
      complain(`${fault}\nMake room, or choose another folder with --data DIR; --memory keeps nothing.`)
      return 1
    }
    if (!isNodeError(error) && !(error instanceof CommandLineError)) throw error
    complain(error.message)
    if (!isUsage(error)) return 1
    complain(`${help} tells more.`)
    return WRONG_USAGE
  }
}
