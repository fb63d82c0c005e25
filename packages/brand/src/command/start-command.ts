import { callableText } from '@hailstone/runtime/node'
import type { CommandIo } from './command-io.ts'
import { openQuestions } from './open-questions.ts'
import { runCommand } from './run-command.ts'

/** Name of the command, and the script of this repository that runs it. */
const [NAME, SCRIPT] = ['hailstone-brand', 'brand']

/**
 * Runs the command with the arguments and the terminal of this process, and sets its exit code.
 *
 * @param shellFolder folder of the white-label app that the command came with; undefined: it is looked for
 */
export async function startCommand(shellFolder?: string): Promise<void> {
  const questions = openQuestions(process.stdin, process.stdout)
  const shown = (line: string): string => `${callableText(line, NAME, process.env, SCRIPT)}\n`
  const io: CommandIo = {
    cwd: process.cwd(),
    shellFolder,
    write: (line) => process.stdout.write(shown(line)),
    complain: (line) => process.stderr.write(shown(line)),
    ...(process.stdin.isTTY === true ? { ask: questions.ask } : {}),
  }
  process.exitCode = await runCommand(process.argv.slice(2), io)
  questions.close()
}
