#!/usr/bin/env node
import { runCommand } from './run-command.ts'
import { processTerminal } from './terminal.ts'

// A reader that went away, such as `head`, is no crash: commands that print for long end in order (signals.ts).
process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)
process.exitCode = await runCommand(process.argv.slice(2), processTerminal)
