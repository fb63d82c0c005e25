#!/usr/bin/env node
import { create } from './create.ts'

process.exitCode = await create(process.argv.slice(2), {
  environment: process.env,
  isTerminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
  say: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
})
