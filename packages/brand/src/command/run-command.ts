import { nearestWord } from '@hailstone/runtime'
import { CommandLineError, systemFaultOf } from '@hailstone/runtime/node'
import { assetsCommand } from './assets-command.ts'
import { checkCommand } from './check-command.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import { type CommandName, type CommandWords, readWords, UsageError } from './command-options.ts'
import { diffCommand } from './diff-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { languageCommand } from './language-command.ts'
import { newCommand } from './new-command.ts'
import { ownVersion } from './own-version.ts'
import { promoteCommand } from './promote-command.ts'
import { buildCommand, previewCommand } from './shell-command.ts'
import { upgradeCommand } from './upgrade-command.ts'
import { usage, usageOf } from './usage.ts'

type Command = (words: CommandWords, io: CommandIo) => Promise<ExitCode>

const commands: { readonly [Name in CommandName]: Command } = {
  new: newCommand,
  check: checkCommand,
  assets: assetsCommand,
  language: languageCommand,
  diff: diffCommand,
  promote: promoteCommand,
  upgrade: upgradeCommand,
  preview: previewCommand,
  build: buildCommand,
  doctor: doctorCommand,
}
const names = Object.keys(commands) as CommandName[]

/** Runs one command. Invalid arguments end with exit code 1 and a message. */
export async function runCommand(words: readonly string[], io: CommandIo): Promise<ExitCode> {
  const [name, ...rest] = words
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      const about = name === 'help' ? names.find((one) => one === rest[0]) : undefined
      io.write(about === undefined ? usage : usageOf(about))
      return name === undefined ? 1 : 0
    }
    if (name === '--version' || name === '-V') {
      io.write(`hailstone-brand ${await ownVersion()}, node ${process.version}`)
      return 0
    }
    const known = names.find((one) => one === name)
    if (known === undefined) throw unknownCommand(name)
    const read = readWords(known, rest)
    if (read.values.help !== true) return await commands[known](read, io)
    io.write(usageOf(known))
    return 0
  } catch (error) {
    const message = error instanceof CommandLineError ? error.message : systemFaultOf(error)
    if (message === null) throw error
    io.complain(message)
    return 1
  }
}

function unknownCommand(name: string): UsageError {
  const near = nearestWord(name, names)
  const hint = near === undefined ? `Commands: ${names.join(', ')}.` : `Did you mean "${near}"?`
  return new UsageError(`There is no command "${name}". ${hint}`)
}
