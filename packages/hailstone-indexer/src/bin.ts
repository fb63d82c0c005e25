#!/usr/bin/env node
import { runCommand } from '@hailstone/indexer/command'

process.exitCode = await runCommand(process.argv.slice(2))
