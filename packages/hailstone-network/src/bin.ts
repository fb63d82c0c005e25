#!/usr/bin/env node
import { runCommand } from '@hailstone/local-network/command'

process.exitCode = await runCommand(process.argv.slice(2))
