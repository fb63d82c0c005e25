import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Runs the command as a person would, without the variables of a test run. */
function mutate(...words: readonly string[]) {
  const { VITEST: _, VITEST_WORKER_ID: __, VITEST_POOL_ID: ___, NODE_ENV: ____, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts/mutate.mjs'), ...words],
    {
      cwd: root,
      env,
      encoding: 'utf8',
    },
  )
  return { code: status, said: `${stdout}${stderr}` }
}

it('G-20: of ten mistakes planted in a module of payments the tests notice 85 %', () => {
  const { code, said } = mutate('payments', '--file', 'src/payments/journal-line.ts', '--limit', '10')
  const [, killed, tried] = /^payments: (\d+) of (\d+) killed/m.exec(said) ?? []
  expect(Number(tried), said).toBeGreaterThanOrEqual(10)
  expect(Number(killed) / Number(tried), said).toBeGreaterThanOrEqual(0.85)
  expect(code).toBe(0)
}, 1_200_000)
