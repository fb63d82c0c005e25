import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const git = (...parameters: string[]): string =>
  spawnSync('git', parameters, { cwd: root, encoding: 'utf8' }).stdout ?? ''

it('tests make their temporary folders outside of the sources', () => {
  const sources = git('ls-files', '*.test.ts', '*.test.tsx', '*/test/*.ts', '*/test/*.mjs').trim().split('\n')
  const places = sources
    .filter((file) => existsSync(join(root, file)) && !file.endsWith('temporary-folders.test.ts'))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/mkdtemp(?:Sync)?\([^\n]*/g)].map(([call]) => ({
        file,
        call,
      })),
    )
  const inSources = places.filter(({ call }) => !/tmpdir\(\)|'node_modules'/.test(call))
  expect(places.length).toBeGreaterThan(20)
  expect(inSources).toEqual([])
})
