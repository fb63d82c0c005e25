#!/usr/bin/env node
import { isNodeError } from '@hailstone/mining-node'
import { readOptions, usage } from './options.ts'
import { runDemo } from './run-demo.ts'

async function main(words: readonly string[]): Promise<number> {
  let options: ReturnType<typeof readOptions>
  try {
    options = readOptions(words)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    return 2
  }
  if (options !== null) return runDemo(options)
  console.log(usage)
  return 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const isOurs = isNodeError(error) || (error instanceof Error && !(error instanceof TypeError))
  console.error(isOurs ? (error as Error).message : error)
  process.exitCode = 1
}
