import { callableText } from '@hailstone/runtime/node'
import type { CommandIo } from './command-io.ts'
import { openQuestions } from './open-questions.ts'
import { runCommand } from './run-command.ts'

const questions = openQuestions(process.stdin, process.stdout)

const shown = (line: string): string => `${callableText(line, 'brand', process.env)}\n`

const io: CommandIo = {
  cwd: process.cwd(),
  write: (line) => process.stdout.write(shown(line)),
  complain: (line) => process.stderr.write(shown(line)),
  ...(process.stdin.isTTY === true ? { ask: questions.ask } : {}),
}

process.exitCode = await runCommand(process.argv.slice(2), io)
questions.close()
