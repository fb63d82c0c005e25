import { askLine, CommandLineError } from '@hailstone/runtime/node'

const MAX_CHARACTERS = 1024

async function readPiped(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.length > MAX_CHARACTERS) throw new CommandLineError('Standard input is too long for a password.')
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}

/**
 * Reads a new password: typed twice on a terminal, or the first line of standard input. Arguments can be read by
 * everybody on this machine.
 *
 * @throws {CommandLineError} when both are not the same
 */
export async function askNewPassword(): Promise<string> {
  if (!process.stdin.isTTY) return readPiped()
  const first = await askLine('New password, 12 characters at least: ', { isShown: false })
  const second = await askLine('The same again: ', { isShown: false })
  if (first !== second) throw new CommandLineError('These are two passwords. Nothing was changed.')
  return first
}
