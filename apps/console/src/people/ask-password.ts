import { CommandLineError } from '@hailstone/runtime/node'

const ENTER = /[\r\n\u0004]/
const BACKSPACE = /[\b\u007f]/
const INTERRUPT = '\u0003'
const MAX_CHARACTERS = 1024

async function readPiped(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.length > MAX_CHARACTERS) throw new CommandLineError('Standard input is too long for a password.')
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}

/** Asks on the terminal for a line that is not shown. */
function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  return new Promise((resolve, reject) => {
    let line = ''
    const end = (): void => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
    }
    const take = (typed: string): void => {
      for (const character of typed) {
        if (character !== INTERRUPT && !ENTER.test(character)) {
          line = BACKSPACE.test(character) ? line.slice(0, -1) : line + character
          continue
        }
        end()
        if (character === INTERRUPT) reject(new CommandLineError('Interrupted.'))
        else resolve(line)
        return
      }
    }
    stdin.on('data', take)
  })
}

/**
 * Reads a new password: typed twice on a terminal, or the first line of standard input. Arguments can be read by
 * everybody on this machine.
 *
 * @throws {CommandLineError} when both are not the same
 */
export async function askNewPassword(): Promise<string> {
  if (!process.stdin.isTTY) return readPiped()
  const first = await askHidden('New password, 12 characters at least: ')
  const second = await askHidden('The same again: ')
  if (first !== second) throw new CommandLineError('These are two passwords. Nothing was changed.')
  return first
}
