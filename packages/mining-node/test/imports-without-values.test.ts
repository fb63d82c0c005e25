import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it } from 'vitest'

it.each(['undici', 'ws'])('mines where the import of %s brought names without values', async (name) => {
  await using network = await startLocalNetwork({ seed: 'without values', blockTimeMs: 300 })
  const child = fileURLToPath(new URL(`${name}-without-values.mjs`, import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [child, network.apiUrl, network.gatewayUrl],
    { timeout: 120_000 },
  )
  expect(stdout).toBe('rewarded\n')
})
