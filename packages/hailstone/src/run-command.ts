import { type ErrorCode, type ErrorFacts, formatAmount, isNodeError } from '@hailstone/protocol'
import { isDetached, systemFaultOf } from '@hailstone/runtime/node'
import { CommandFailure } from './command-failure.ts'
import { type Given, type Order, parseCommandLine } from './command-line.ts'
import { type ConfigCommand, isConfigCommand } from './config/config-keys.ts'
import { holdHangups } from './config/hold-hangups.ts'
import type { LoadedConfig } from './config/load-config.ts'
import { type Exit, exitOf, exits } from './exit-codes.ts'
import { isSupervised } from './signals.ts'
import { outliveOutput, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { versionText } from './version-text.ts'

/** Runs a command that takes a configuration file, with what the file adds to its options. */
async function performConfigured(
  order: Extract<Order, { readonly command: ConfigCommand }>,
  terminalFor: TerminalFor,
  onTerminal: (terminal: Terminal) => void,
): Promise<Exit> {
  const isJson = order.given.json === true
  // A command that pays is no service: it ends with its terminal, and its journal goes on.
  if (order.command !== 'send' && (order.given.config !== undefined || isDetached(process.env))) holdHangups()
  const { loadConfig } = await import('./config/load-config.ts')
  const terminal = terminalFor({ isJson })
  const load = <C extends ConfigCommand>(command: C, given: Given<C>): Promise<LoadedConfig<Given<C>>> =>
    loadConfig(command, given, terminal)
  const shown = (given: { readonly json?: boolean | undefined }): Terminal => {
    if (given.json !== true || isJson) return terminal
    const asJson = terminalFor({ isJson: true })
    onTerminal(asJson)
    return asJson
  }
  switch (order.command) {
    case 'mine': {
      const loaded = await load('mine', order.given)
      if (loaded.given.supervise === true && !isSupervised())
        return (await import('./supervise.ts')).supervise(loaded.given, order.given, shown(loaded.given))
      return (await import('./mine.ts')).mine(loaded, shown(loaded.given))
    }
    case 'fleet': {
      const loaded = await load('fleet', order.given)
      return (await import('./fleet-command.ts')).fleetCommand(loaded, shown(loaded.given))
    }
    case 'send': {
      const loaded = await load('send', order.given)
      return (await import('./send.ts')).send(loaded, shown(loaded.given))
    }
    case 'bridge': {
      const loaded = await load('bridge', order.given)
      return (await import('./bridge.ts')).bridge(loaded, shown(loaded.given))
    }
  }
}

type TerminalFor = (options: { readonly isJson: boolean }) => Terminal

const isConfigured = (order: Order): order is Extract<Order, { readonly command: ConfigCommand }> =>
  isConfigCommand(order.command)

/** Each command loads what it needs: reading help or being refused costs no network stack. */
async function perform(
  order: Exclude<Order, { readonly command: ConfigCommand }>,
  terminal: Terminal,
): Promise<Exit> {
  switch (order.command) {
    case 'text':
      terminal.write(`${order.text}\n`)
      return exits.ok
    case 'status':
      return (await import('./status.ts')).status(order.given, terminal)
    case 'health':
      return (await import('./health-command.ts')).health(order.given, terminal)
    case 'doctor':
      return (await import('./doctor/doctor.ts')).doctor(order.given, terminal)
    case 'why':
      return (await import('./why.ts')).why(order.given, terminal)
    case 'wallet new':
      return (await import('./wallet.ts')).walletNew(order.given, terminal)
    case 'wallet import':
      return (await import('./wallet.ts')).walletImport(order.given, terminal)
    case 'wallet show':
      return (await import('./wallet.ts')).walletShow(order.given, terminal)
    case 'wallet export':
      return (await import('./wallet.ts')).walletExport(order.given, terminal)
    case 'watch balance':
      return (await import('./watch.ts')).watchBalanceCommand(order.given, terminal)
    case 'watch rewards':
      return (await import('./watch.ts')).watchRewardsCommand(order.given, terminal)
    case 'config check':
      return (await import('./config/config-command.ts')).configCheck(order.given, terminal)
    case 'config schema':
      return (await import('./config/config-command.ts')).configSchemaCommand(terminal)
    case 'completion':
      terminal.write(`${(await import('./completion.ts')).completionScript(order.given.argument)}\n`)
      return exits.ok
    case 'balance':
      return (await import('./queries.ts')).balance(order.given, terminal)
    case 'tx':
      return (await import('./queries.ts')).transaction(order.given, terminal)
    case 'token':
      return (await import('./queries.ts')).token(order.given, terminal)
    case 'block':
      return (await import('./queries.ts')).block(order.given, terminal)
    case 'latest':
      return (await import('./queries.ts')).latest(order.given, terminal)
    case 'pool':
      return (await import('./queries.ts')).pool(order.given, terminal)
    case 'faucet':
      return (await import('./queries.ts')).faucet(order.given, terminal)
  }
}

/** Advice of the command that is better than the one of its exit. */
const nextStepOf: { readonly [C in ErrorCode]?: string } = {
  JOURNAL_BEHIND: 'When this order is not in the history of the account, pay it with --accept-lost.',
  JOURNAL_DAMAGED: 'When this order is not in the history of the account, pay it with --accept-lost.',
  JOURNAL_LOCKED:
    'Try again when that process has ended. The same --idempotency-key is paid once, whichever of them pays it.',
  JOURNAL_WRITE_FAILED:
    'Make room there. A journal in another folder (--data DIR) does not know the payments of this one.',
  KEYSTORE_EXISTS: 'Choose another place; a key is never overwritten.',
  KEYSTORE_PERMISSIONS:
    'chmod 600 FILE. A secret that is mounted for this user stays with its owner: mode 440, with a group of this process and nothing for others.',
  KEYSTORE_WRITE_FAILED: 'Choose another place, or make room there.',
  URL_REFUSED:
    'Correct the address that --api names. Plain http to other machines is used with --allow-insecure alone.',
}

/** A fee as `--max-fee` takes it. */
const feeText = ({ fee, token }: ErrorFacts['FEE_ABOVE_CAP']): string =>
  token === undefined ? 'COINS' : formatAmount(fee, token)

function messageOf(error: unknown): string {
  if (isNodeError(error) || error instanceof UsageError || error instanceof CommandFailure)
    return error.message
  const fault = systemFaultOf(error)
  if (fault !== null) return fault
  // The text of an unknown error may contain anything, a key included; its kind and place are enough to report it.
  if (!(error instanceof Error)) return 'A value that is no error was thrown.'
  const place = /\bat .*?([\w.-]+\.[jt]s:\d+)/.exec(error.stack ?? '')?.[1]
  return `${error.name} was thrown${place === undefined ? '' : ` at ${place}`}.`
}

function nextStepFor(error: unknown): string | undefined {
  if (isNodeError(error, 'FEE_ABOVE_CAP'))
    return `If you agree to it, allow it with --max-fee ${feeText(error.facts)}.`
  if (isNodeError(error, 'HTTP_STATUS') && [404, 426].includes(error.facts.status))
    return 'Check the address that --api names.'
  if (isNodeError(error, 'CONFIGURATION_INVALID') && error.facts.path === 'gatewayUrl')
    return 'Correct the address that --gateway or --boot-node names.'
  if (isNodeError(error)) return nextStepOf[error.code]
  if (systemFaultOf(error) !== null)
    return 'Make room, or choose another folder with --data DIR or HAILSTONE_DATA.'
  return error instanceof CommandFailure ? error.nextStep : undefined
}

/** Says what went wrong and what to do: a sentence on standard error, and a line of JSON where that was asked for. */
function explain(error: unknown, exit: Exit, terminal: Terminal): void {
  const code = isNodeError(error) ? error.code : exit.name
  const message = messageOf(error)
  const { number: exitCode } = exit
  const nextStep = nextStepFor(error) ?? exit.nextStep
  const docsUrl = isNodeError(error) ? error.docsUrl : undefined
  if (terminal.manner === 'json')
    terminal.tell({ event: 'error', code, message, nextStep, exitCode, docsUrl })
  else
    for (const line of [message, `→ ${nextStep}`, ...(docsUrl === undefined ? [] : [`  ${docsUrl}`])])
      terminal.warn(line)
}

function exitOfError(error: unknown): Exit {
  if (error instanceof UsageError) return exits.usage
  if (error instanceof CommandFailure) return error.exit
  return systemFaultOf(error) === null ? exitOf(error) : exits.storage
}

/** Commands that do more than to print: what came of that is what they end with, whether or not it could be written. */
const WORKS: ReadonlySet<string> = new Set<Order['command']>([
  'mine',
  'fleet',
  'bridge',
  'send',
  'faucet',
  'wallet new',
  'wallet import',
])

/** Runs what a command line says; answers the number to end with. */
export async function runCommand(args: readonly string[], terminalFor: TerminalFor): Promise<number> {
  let terminal = terminalFor({ isJson: args.includes('--json') })
  const onTerminal = (other: Terminal): void => {
    terminal = other
  }
  try {
    const order = parseCommandLine(args, await versionText())
    if (WORKS.has(order.command)) outliveOutput()
    const exit = isConfigured(order)
      ? performConfigured(order, terminalFor, onTerminal)
      : perform(order, terminal)
    return (await exit).number
  } catch (error) {
    const exit = exitOfError(error)
    explain(error, exit, terminal)
    return exit.number
  }
}
