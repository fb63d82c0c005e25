import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { manifestWith, readPackedPackages } from './packed-packages.ts'

const packages = {
  folder: join('/clone', 'packed'),
  index: {
    '@hailstone/runtime': { file: 'runtime.tgz', dependencies: [] },
    '@hailstone/protocol': { file: 'protocol.tgz', dependencies: [] },
    '@hailstone/client': { file: 'client.tgz', dependencies: ['@hailstone/protocol', '@hailstone/runtime'] },
    '@hailstone/ledger': { file: 'ledger.tgz', dependencies: ['@hailstone/protocol'] },
    '@hailstone/local-network': { file: 'network.tgz', dependencies: ['@hailstone/ledger'] },
    '@hailstone/react': { file: 'react.tgz', dependencies: ['@hailstone/client'] },
  },
}

it('takes its own packages and all behind them from archives, and none that it does not need', () => {
  const manifest = {
    name: 'mine',
    dependencies: { '@hailstone/client': '^0.1.0', zod: '^4.0.0' },
    devDependencies: { '@hailstone/local-network': '^0.1.0', '@hailstone/protocol': '^0.1.0' },
  }
  expect(manifestWith(manifest, packages)).toStrictEqual({
    name: 'mine',
    dependencies: { '@hailstone/client': 'file:/clone/packed/client.tgz', zod: '^4.0.0' },
    devDependencies: {
      '@hailstone/local-network': 'file:/clone/packed/network.tgz',
      '@hailstone/protocol': 'file:/clone/packed/protocol.tgz',
    },
    overrides: {
      '@hailstone/runtime': 'file:/clone/packed/runtime.tgz',
      '@hailstone/ledger': 'file:/clone/packed/ledger.tgz',
    },
  })
})

it('refuses a folder into which nothing was packed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hailstone-packed-'))
  expect(() => readPackedPackages(folder)).toThrow('There are no packages in')
  rmSync(folder, { recursive: true })
})
