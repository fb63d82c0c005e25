import { createInterface } from 'node:readline/promises'
import type { CommandIo } from './command-io.ts'
import { runCommand } from './run-command.ts'

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

const io: CommandIo = {
  cwd: process.cwd(),
  write: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  ...(process.stdin.isTTY === true ? { ask } : {}),
}

process.exitCode = await runCommand(process.argv.slice(2), io)
