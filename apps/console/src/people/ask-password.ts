import { askLine, CommandLineError, writtenText } from '@hailstone/runtime/node'

const MAX_BYTES = 4096

async function readPiped(): Promise<string> {
  let bytes: Uint8Array = Buffer.alloc(0)
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk])
    if (bytes.length > MAX_BYTES) throw new CommandLineError('Standard input is too long for a password.')
  }
  return writtenText(bytes).split('\n', 1)[0] ?? ''
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
