import { CommandLineError } from './read-command-line.ts'

const ENTER = /[\r\n\u0004]/
const BACKSPACE = /[\b\u007f]/
const INTERRUPT = '\u0003'

/**
 * Writes a question to standard error and resolves with the line that is typed on the terminal, without its end. The
 * terminal is read itself, so its own echo is off. Standard input has to be a terminal.
 *
 * @param isShown writes what is typed; false for secrets
 * @throws {CommandLineError} after Ctrl-C
 */
export function askLine(question: string, { isShown }: { readonly isShown: boolean }): Promise<string> {
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
        if (character === INTERRUPT) {
          end()
          reject(new CommandLineError('Interrupted.'))
          return
        }
        if (ENTER.test(character)) {
          end()
          resolve(line)
          return
        }
        line = BACKSPACE.test(character) ? line.slice(0, -1) : line + character
        if (isShown) stderr.write(BACKSPACE.test(character) ? '\b \b' : character)
      }
    }
    stdin.on('data', take)
  })
}
