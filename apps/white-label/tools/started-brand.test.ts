import { join } from 'node:path'
import { readRuntimeBrand } from '@hailstone/brand/runtime'
import { checkBrandFolder, isReady } from '@hailstone/brand/tools'
import { expect, it } from 'vitest'
import { appFolder, brandFiles, readShell } from './build-brand.ts'

const url = 'https://acme.example:8443/a/'
const flags = {
  app: { homepage: url },
  network: { api: url, poa: ['wss://acme.example:8444/'], explorer: url, faucet: url },
  referral: { linkBase: url },
  links: {
    ...{ terms: url, privacy: url, support: url, whitepaper: url, statusFeed: url },
    ...{ community: [{ kind: 'forum', url }], buy: [{ label: 'Quay', url }] },
  },
  update: { source: 'url', url },
  telemetry: { enabled: true, dsn: url },
}

it('A brand whose addresses all name a port is built into a file that the app reads at its start', async () => {
  const report = await checkBrandFolder({ folder: join(appFolder(), 'brands', 'tidewater'), flags })
  expect(isReady(report)).toBe(true)
  const files = await brandFiles(report, await readShell(), new Map())
  const started = readRuntimeBrand(new TextDecoder().decode(files.get('brand/brand.json')))
  expect(started).toMatchObject({ ...flags, deepLink: { hosts: ['acme.example'] } })
})
