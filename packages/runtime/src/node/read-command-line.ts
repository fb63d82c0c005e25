import { type ParseArgsConfig, parseArgs } from 'node:util'
import { nearestWord } from '../nearest-word.ts'

/** A command line that cannot be read. The message is a sentence for the person who typed it. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError'
}

const hint = (written: string, words: Iterable<string>, prefix = ''): string => {
  const near = nearestWord(written, words)
  return near === undefined ? '' : ` Did you mean ${prefix}${near}?`
}

/** Says which word was misspelt, by the names of options alone: values may be secrets. */
function sentenceOf(error: Error, options: readonly string[]): string {
  const [, option = '--', name = ''] = /'(?:-\w, )?(--?([\w-]{1,40}))/.exec(error.message) ?? []
  switch ('code' in error ? error.code : '') {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return `There is no option ${option}.${hint(name, options, '--')}`
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return /does not take/.test(error.message)
        ? `The option ${option} takes no value.`
        : `The option ${option} needs a value.`
    case 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL':
      return 'There is a word that belongs to no option.'
    default:
      return 'The command line cannot be read.'
  }
}

/**
 * Reads options as `parseArgs` of Node does.
 *
 * @throws {CommandLineError} with the nearest option to a misspelt one
 */
export function readCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new CommandLineError(sentenceOf(error, Object.keys(config.options ?? {})))
  }
}

/**
 * Finds a command by its name.
 *
 * @throws {CommandLineError} with the nearest command to a misspelt one
 */
export function readCommandName<C extends string>(written: string, commands: readonly C[]): C {
  const found = commands.find((command) => command === written)
  if (found !== undefined) return found
  throw new CommandLineError(
    `There is no such command.${hint(written, commands) || ` The commands are ${commands.join(', ')}.`}`,
  )
}
