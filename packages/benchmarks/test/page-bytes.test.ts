import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { pageBytes } from '../src/page-bytes.ts'

const here = dirname(fileURLToPath(import.meta.url))
const jsonOf = (path: string): unknown => JSON.parse(readFileSync(join(here, path), 'utf8'))

/** Bytes of a page that uses every name of an entry. A change of more than 1 % changes this list. */
const sizes = jsonOf('../sizes.json') as Readonly<Record<string, number>>

/** Entries that need Node. */
const nodeOnly: readonly string[] = [
  '@hailstone/runtime/node',
  '@hailstone/runtime/webhook',
  '@hailstone/mining-node/fleet',
  '@hailstone/mining-node/health',
  '@hailstone/mining-node/bridge',
]

it('P-13: the list has every entry of the library that a page can load', () => {
  const entries = ['runtime', 'protocol', 'client', 'mining-node'].flatMap((name) => {
    const { exports } = jsonOf(`../../${name}/package.json`) as { readonly exports: object }
    return Object.keys(exports)
      .filter((path) => !path.endsWith('.json'))
      .map((path) => `@hailstone/${name}${path.slice(1)}`)
  })
  expect(entries.filter((entry) => !nodeOnly.includes(entry)).sort()).toStrictEqual(Object.keys(sizes).sort())
})

it.each(Object.entries(sizes))('P-13: every name of %s', async (entry, listed) => {
  const bytes = await pageBytes(`export * from '${entry}'`, here)
  expect(bytes).toBeLessThanOrEqual(Math.ceil(listed * 1.01))
  expect(bytes).toBeGreaterThanOrEqual(Math.floor(listed * 0.99))
})

it('P-13: wallet and session', async () => {
  const code =
    "export { createMiningSession, createWallet, walletFromPrivateKey } from '@hailstone/mining-node'"
  const bytes = await pageBytes(code, here)
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThanOrEqual(22_000)
})

it('counts what is loaded later as well: of what verifies leaders, the arithmetic', async () => {
  const bytes = await pageBytes("export { verifyLeader } from '@hailstone/mining-node/leader'", here)
  expect(bytes).toBeGreaterThan(5_000)
  expect(bytes).toBeLessThanOrEqual(14_000)
})
