import { callableText } from '@hailstone/runtime/node'
import type { CommandIo } from './command-io.ts'
import { listenToInterruption } from './interruption.ts'
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
  const shown = (line: string): string => `${callableText(line, NAME, process.env, SCRIPT)}\n`
  const complain = (line: string): void => void process.stderr.write(shown(line))
  const interruption = listenToInterruption(complain)
  const questions = openQuestions(process.stdin, process.stdout, {
    cancelled: interruption.sentence,
    interrupt: () => process.kill(process.pid, 'SIGINT'),
  })
  const io: CommandIo = {
    cwd: process.cwd(),
    shellFolder,
    write: (line) => process.stdout.write(shown(line)),
    complain,
    writing: interruption.writing,
    ...(process.stdin.isTTY === true ? { ask: questions.ask } : {}),
  }
  process.exitCode = await runCommand(process.argv.slice(2), io)
  questions.close()
  interruption.close()
}
