#!/usr/bin/env node
import { runConsole } from './command.ts'

process.exitCode = await runConsole(process.argv.slice(2))
