import { type ErrorCode, isNodeError } from '@hailstone/protocol'
import { type Order, parseCommandLine } from './command-line.ts'
import { type Exit, exitOf, exits } from './exit-codes.ts'
import { HELP } from './help.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Each command loads what it needs: reading help or being refused costs no network stack. */
async function obey(order: Order, terminal: Terminal): Promise<Exit> {
  if (order.command === 'help' || order.given.help === true) {
    terminal.say(HELP)
    return exits.ok
  }
  switch (order.command) {
    case 'mine':
      if (order.given.supervise === true)
        return (await import('./supervise.ts')).supervise(order.given, terminal)
      return (await import('./mine.ts')).mine(order.given, terminal)
    case 'fleet':
      return (await import('./fleet-command.ts')).fleetCommand(order.given, terminal)
    case 'status':
      return (await import('./status.ts')).status(order.given, terminal)
    case 'doctor':
      return (await import('./doctor/doctor.ts')).doctor(order.given, terminal)
    case 'wallet new':
      return (await import('./wallet.ts')).walletNew(order.given, terminal)
    case 'wallet import':
      return (await import('./wallet.ts')).walletImport(order.given, terminal)
    case 'wallet show':
      return (await import('./wallet.ts')).walletShow(order.given, terminal)
    case 'wallet export':
      return (await import('./wallet.ts')).walletExport(order.given, terminal)
    case 'send':
      return (await import('./send.ts')).send(order.given, terminal)
    case 'watch balance':
      return (await import('./watch.ts')).watchBalanceCommand(order.given, terminal)
    case 'watch rewards':
      return (await import('./watch.ts')).watchRewardsCommand(order.given, terminal)
    case 'bridge':
      return (await import('./bridge.ts')).bridge(order.given, terminal)
  }
}

/** Where the command itself knows better than the number. */
const nextStepOf: { readonly [C in ErrorCode]?: string } = {
  JOURNAL_BEHIND: 'When this order is not in the history of the account, pay it with --accept-lost.',
  JOURNAL_DAMAGED: 'When this order is not in the history of the account, pay it with --accept-lost.',
  FEE_ABOVE_CAP: 'If you agree to it, allow it with --max-fee.',
  KEYSTORE_EXISTS: 'Choose another place; a key is never overwritten.',
}

/** Says what went wrong and what to do: a sentence on standard error, and a line of JSON where that was asked for. */
function explain(error: unknown, exit: Exit, terminal: Terminal): void {
  const code = isNodeError(error) ? error.code : exit.name
  const isKnown = isNodeError(error) || error instanceof UsageError
  // The words of a stranger's error may hold anything; its kind is enough to report it.
  const message = isKnown ? error.message : `${error instanceof Error ? error.name : 'An error'} was thrown.`
  const { number: exitCode } = exit
  const nextStep = (isNodeError(error) ? nextStepOf[error.code] : undefined) ?? exit.nextStep
  if (terminal.manner === 'json') terminal.tell({ event: 'error', code, message, nextStep, exitCode })
  else terminal.warn(`${message}\n→ ${nextStep}`)
}

/** Runs what a command line says; answers the number to end with. */
export async function runCommand(
  args: readonly string[],
  terminalFor: (options: { readonly isJson: boolean }) => Terminal,
): Promise<number> {
  const terminal = terminalFor({ isJson: args.includes('--json') })
  try {
    return (await obey(parseCommandLine(args), terminal)).number
  } catch (error) {
    const exit = error instanceof UsageError ? exits.usage : exitOf(error)
    explain(error, exit, terminal)
    return exit.number
  }
}
