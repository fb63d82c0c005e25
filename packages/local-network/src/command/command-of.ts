import { readCommandName } from '@hailstone/runtime/node'

/** The commands of `hailstone-network`; `serve` is the one that is meant when none is named. */
export type Command = { readonly command: 'serve' | 'openapi' | 'token'; readonly rest: readonly string[] }

const named = ['openapi', 'token', 'help'] as const

/**
 * Splits the words of a call into the command and what is for it. `help token` is `token --help`.
 *
 * @throws {CommandLineError} with the nearest command to a misspelt one
 */
export function commandOf(words: readonly string[]): Command {
  const [first = '', ...rest] = words
  if (first === '' || first.startsWith('-')) return { command: 'serve', rest: words }
  const command = readCommandName(first, named)
  if (command !== 'help') return { command, rest }
  return { command: commandOf(rest).command, rest: ['--help'] }
}
