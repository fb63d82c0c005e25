// Runs the tests of a package that start a network once more, on networks whose native token is 63 zeros and a 1. Those
// that name a token of their own keep it. Called in the folder of the package; arguments name the files that mine there.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'

const named = new Set(process.argv.slice(2))
const startsNetwork = (name) =>
  /startLocalNetwork|quickNetwork|use-gateway/.test(readFileSync(join('test', name), 'utf8'))
const files = readdirSync('test')
  .filter((name) => name.endsWith('.test.ts') && (named.size === 0 ? startsNetwork(name) : named.has(name)))
  .map((name) => `test/${name}`)
const vitest = dirname(createRequire(join(process.cwd(), 'package.json')).resolve('vitest/package.json'))
const { status } = spawnSync(process.execPath, [join(vitest, 'vitest.mjs'), 'run', ...files], {
  stdio: 'inherit',
  // At the sizes of `npm test`: the token is what differs.
  env: { ...process.env, HAILSTONE_TIER: '', HAILSTONE_NATIVE_TOKEN: '1'.padStart(64, '0') },
})
process.exitCode = status ?? 1
