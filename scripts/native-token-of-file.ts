// Runs before every test file: the networks that it starts without naming a native token have one of two, 64 zeros or 63
// zeros and a 1, drawn by the hash of its path in the packages that mine. By night a file takes the other one every second
// day.
import { createHash } from 'node:crypto'
import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

/** Files that draw. The networks of others have 64 zeros, as the presets and the example brands say. */
const drawing =
  /^(?:packages\/(?:client|hailstone|local-network|mining-node|react)\/|apps\/white-label\/test\/mining\.)/
const MS_PER_DAY = 86_400_000
// A test may have another URL than Node's.
const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Value of `HAILSTONE_NATIVE_TOKEN` before the first file of this process drew: a token for all of its files. */
const state = globalThis as { hailstoneGivenToken?: string }
state.hailstoneGivenToken ??= process.env.HAILSTONE_NATIVE_TOKEN ?? ''

/** Number of the day by whose parity tokens are swapped: `HAILSTONE_DAY`, today by night, else none. */
function dayOfRun(): number {
  if (process.env.HAILSTONE_DAY !== undefined) return Number(process.env.HAILSTONE_DAY)
  return process.env.HAILSTONE_TIER === 'night' ? Math.floor(Date.now() / MS_PER_DAY) : 0
}

function drawToken(path: string): string {
  const file = relative(root, path).replaceAll(sep, '/')
  if (!drawing.test(file)) return ''
  const [first = 0] = createHash('sha256').update(file).digest()
  const day = dayOfRun()
  const token = String((first + day) % 2).padStart(64, '0')
  if (day !== 0)
    console.log(`${file}: HAILSTONE_DAY=${day} draws the native token that ends in ${token.slice(-1)}.`)
  return token
}

process.env.HAILSTONE_NATIVE_TOKEN = state.hailstoneGivenToken || drawToken(expect.getState().testPath ?? '')
