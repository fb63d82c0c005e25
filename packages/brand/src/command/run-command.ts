import { didYouMean } from '../findings/did-you-mean.ts'
import { assetsCommand } from './assets-command.ts'
import { checkCommand } from './check-command.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import { type CommandWords, readWords, UsageError } from './command-options.ts'
import { diffCommand } from './diff-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { newCommand } from './new-command.ts'
import { buildCommand, previewCommand } from './shell-command.ts'
import { usage } from './usage.ts'

type Command = (words: CommandWords, io: CommandIo) => Promise<ExitCode>

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['new', newCommand],
  ['check', checkCommand],
  ['assets', assetsCommand],
  ['diff', diffCommand],
  ['preview', previewCommand],
  ['build', buildCommand],
  ['doctor', doctorCommand],
])

/** Runs one `brand` command. Invalid arguments end with exit code 1 and a message. */
export async function runCommand(words: readonly string[], io: CommandIo): Promise<ExitCode> {
  const [name, ...rest] = words
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      io.write(usage)
      return name === undefined ? 1 : 0
    }
    const command = commands.get(name)
    if (command === undefined) throw unknownCommand(name)
    const read = readWords(rest)
    if (read.values.help !== true) return await command(read, io)
    io.write(usage)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    io.complain(error.message)
    return 1
  }
}

function unknownCommand(name: string): UsageError {
  const near = didYouMean(name, commands.keys())
  const hint =
    near === undefined ? `Commands: ${[...commands.keys()].join(', ')}.` : `Did you mean "${near}"?`
  return new UsageError(`There is no command "${name}". ${hint}`)
}
