#!/usr/bin/env node
import { runCommand } from './run-command.ts'
import { processTerminal } from './terminal.ts'

// A reader that goes away, such as `head`, must not end a miner with a stack trace.
process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)
process.exitCode = await runCommand(process.argv.slice(2), processTerminal)
