import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { pageBytes } from '../src/page-bytes.ts'

const here = dirname(fileURLToPath(import.meta.url))

const exporting = (name: string, from = '@hailstone/mining-node'): string =>
  `export { ${name}, createWallet, walletFromPrivateKey } from '${from}'`

// The second goal is 35,000 (README of the mining node, "Size"): its limit keeps what was reached from growing back.
it.each([
  ['P-13: wallet and session', 'createMiningSession', 20_000],
  ['P-13: wallet and mining node', 'createMiningNode', 41_000],
])('%s', async (_, name, limit) => {
  const { atOnce } = await pageBytes(exporting(name), here)
  expect(atOnce).toBeGreaterThan(10_000)
  expect(atOnce).toBeLessThanOrEqual(limit)
})

it('counts what is loaded later apart: of a mining node, what verifies leaders', async () => {
  const { later } = await pageBytes(exporting('createMiningNode'), here)
  expect(later).toBeGreaterThan(1_000)
  expect(later).toBeLessThanOrEqual(12_000)
})
