#!/usr/bin/env node
import { exits } from './exit-codes.ts'
import { runCommand } from './run-command.ts'
import { isOutputLost, processTerminal } from './terminal.ts'

// What a stream does not take is no crash: lines are lost and counted (output.ts), and commands that print for long end
// in order when their reader went away (signals.ts).
process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)
const code = await runCommand(process.argv.slice(2), processTerminal)
process.exitCode = code === exits.ok.number && (await isOutputLost()) ? exits.storage.number : code
