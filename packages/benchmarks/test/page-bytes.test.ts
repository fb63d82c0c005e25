import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { pageBytes } from '../src/page-bytes.ts'

const here = dirname(fileURLToPath(import.meta.url))

const mining = "from '@hailstone/mining-node'"

it.each([
  [
    'wallet and session',
    `export { createMiningSession, createWallet, walletFromPrivateKey } ${mining}`,
    21_000,
  ],
  ['every name of the default entry', `export * ${mining}`, 40_100],
])('P-13: %s', async (_, code, limit) => {
  const bytes = await pageBytes(code, here)
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThanOrEqual(limit)
})

it('counts what is loaded later as well: of what verifies leaders, the arithmetic', async () => {
  const bytes = await pageBytes("export { verifyLeader } from '@hailstone/mining-node/leader'", here)
  expect(bytes).toBeGreaterThan(5_000)
  expect(bytes).toBeLessThanOrEqual(14_000)
})
