import { isNodeError } from '@hailstone/protocol'
import { type Order, parseCommandLine } from './command-line.ts'
import { doctor } from './doctor/doctor.ts'
import { type Exit, exitOf, exits } from './exit-codes.ts'
import { fleetCommand } from './fleet-command.ts'
import { HELP } from './help.ts'
import { mine } from './mine.ts'
import { send } from './send.ts'
import { status } from './status.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { walletExport, walletImport, walletNew, walletShow } from './wallet.ts'
import { watchBalanceCommand, watchRewardsCommand } from './watch.ts'

async function obey(order: Order, terminal: Terminal): Promise<Exit> {
  if (order.command === 'help' || order.given.help === true) {
    terminal.say(HELP)
    return exits.ok
  }
  switch (order.command) {
    case 'mine':
      return mine(order.given, terminal)
    case 'fleet':
      return fleetCommand(order.given, terminal)
    case 'status':
      return status(order.given, terminal)
    case 'doctor':
      return doctor(order.given, terminal)
    case 'wallet new':
      return walletNew(order.given, terminal)
    case 'wallet import':
      return walletImport(order.given, terminal)
    case 'wallet show':
      return walletShow(order.given, terminal)
    case 'wallet export':
      return walletExport(order.given, terminal)
    case 'send':
      return send(order.given, terminal)
    case 'watch balance':
      return watchBalanceCommand(order.given, terminal)
    case 'watch rewards':
      return watchRewardsCommand(order.given, terminal)
  }
}

/** Says what went wrong and what to do: a sentence on standard error, and a line of JSON where that was asked for. */
function explain(error: unknown, exit: Exit, terminal: Terminal): void {
  const code = isNodeError(error) ? error.code : exit.name
  const isKnown = isNodeError(error) || error instanceof UsageError
  // The words of a stranger's error may hold anything; its kind is enough to report it.
  const message = isKnown ? error.message : `${error instanceof Error ? error.name : 'An error'} was thrown.`
  const { nextStep, number: exitCode } = exit
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
