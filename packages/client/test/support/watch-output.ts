import { inspect } from 'node:util'
import { afterAll } from 'vitest'
import { findCanary } from './canary-spellings.mjs'

// S-4 of docs/gates.md: whatever any test of this package prints is searched for the secrets of the test run. This runs before
// each file. The files share a process, in which every way to print is watched once.

const processWide = globalThis as { [key: symbol]: Set<string> | undefined }
const key = Symbol.for('hailstone.test.secrets-found')
const isWatched = processWide[key] !== undefined
const found = processWide[key] ?? new Set<string>()
processWide[key] = found

const look = (parts: readonly unknown[]): void => {
  for (const part of parts) {
    const text =
      typeof part === 'string' ? part : part instanceof Uint8Array ? Buffer.from(part).toString() : ''
    for (const spelling of findCanary(text)) found.add(spelling)
  }
}

function watch(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...parts: readonly unknown[]) => boolean
    stream.write = (...parts: readonly unknown[]) => {
      look(parts)
      return write(...parts)
    }
  }

  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const) {
    const print = console[method].bind(console) as (...parts: readonly unknown[]) => void
    console[method] = (...parts: readonly unknown[]) => {
      look(parts.map((part) => (typeof part === 'string' ? part : inspect(part, { depth: 20 }))))
      print(...parts)
    }
  }
}

if (!isWatched) watch()
afterAll(() => {
  const { size } = found
  found.clear()
  if (size > 0) throw new Error(`S-4: a secret was printed, in ${size} spellings`)
})
