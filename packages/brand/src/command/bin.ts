import type { CommandIo } from './command-io.ts'
import { openQuestions } from './open-questions.ts'
import { runCommand } from './run-command.ts'

const questions = openQuestions(process.stdin, process.stdout)

const io: CommandIo = {
  cwd: process.cwd(),
  write: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  ...(process.stdin.isTTY === true ? { ask: questions.ask } : {}),
}

process.exitCode = await runCommand(process.argv.slice(2), io)
questions.close()
