import { describe, expect, it } from 'vitest'
import { goodBrand, goodFiles } from '../../test/good-brand.ts'
import { hasErrors } from '../findings/finding.ts'
import { runtimeBrand } from '../generators/runtime-brand.ts'
import { mergeLayers } from '../layers/merge-layers.ts'
import type { PlainObject } from '../layers/plain-data.ts'
import { readRuntimeBrand } from '../runtime/read-runtime-brand.ts'
import { checkBrand } from './check-brand.ts'

/** A layer that sets one address of a brand. */
const addresses: Readonly<Record<string, (url: string) => PlainObject>> = {
  'app.homepage': (url) => ({ app: { homepage: url } }),
  'network.api': (url) => ({ network: { api: url } }),
  'network.poa': (url) => ({ network: { poa: [url.replace(/^http/i, 'ws')] } }),
  'network.explorer': (url) => ({ network: { explorer: url } }),
  'network.faucet': (url) => ({ network: { faucet: url } }),
  'referral.linkBase': (url) => ({ referral: { linkBase: url } }),
  'links.terms': (url) => ({ links: { terms: url } }),
  'links.privacy': (url) => ({ links: { privacy: url } }),
  'links.support': (url) => ({ links: { support: url } }),
  'links.whitepaper': (url) => ({ links: { whitepaper: url } }),
  'links.statusFeed': (url) => ({ links: { statusFeed: url } }),
  'links.community': (url) => ({ links: { community: [{ kind: 'forum', url }] } }),
  'links.buy': (url) => ({ links: { buy: [{ label: 'Quay', url }] } }),
  'update.url': (url) => ({ update: { source: 'url', url } }),
  'telemetry.dsn': (url) => ({ telemetry: { enabled: true, dsn: url } }),
}

const long = `https://acme.example/${'a'.repeat(2048 - 22)}/`
const urls: readonly string[] = [
  ...['https://acme.example:8443/', 'http://localhost:8080/', 'http://[::1]:8080/', 'https://10.0.0.7/'],
  ...['https://münchen.example:444/', 'HTTPS://Acme.Example:65535/a/b%20c/', 'https://acme.example./', long],
  ...['https://a_b.acme.example/', 'https://acme.example?x=1#y/', 'https://me@acme.example/'],
]

const sourceWith = (layer: PlainObject) => ({
  config: mergeLayers([goodBrand as unknown as PlainObject, layer]),
  files: goodFiles,
})

/** Reads a checked brand as the app does at its start. */
function inTheApp(layer: PlainObject) {
  const report = checkBrand({ source: sourceWith(layer) })
  if (report.brand === null || hasErrors(report.findings)) return null
  return readRuntimeBrand(JSON.stringify(runtimeBrand(report.brand, goodFiles)))
}

describe('a brand without errors', () => {
  it.each(Object.entries(addresses))('starts in the app, whatever address %s has', (path, layer) => {
    const started = urls.filter((url) => inTheApp(layer(url)) !== null)
    // The port is accepted everywhere, so that the app read it here.
    expect(started, path).toContain('https://acme.example:8443/')
    expect(started.length).toBeGreaterThan(4)
  })

  it('opens links of the host of its homepage, without the port', () => {
    const hosts = (url: string) => inTheApp({ app: { homepage: url } })?.deepLink.hosts
    expect(hosts('https://acme.example:8443/app')).toEqual(['acme.example'])
    expect(hosts('http://localhost:8080/')).toEqual(['localhost'])
    expect(hosts('http://[::1]:8080/')).toEqual([])
  })

  it.each([
    ['a word that ends in script', { app: { tagline: 'The manuscript: our story' } }],
    ['a long host of its mail', { app: { supportEmail: `a@${'b'.repeat(60)}.${'c.'.repeat(80)}example` } }],
  ] as const)('starts in the app with %s', (_, layer) => {
    expect(inTheApp(layer)?.app.name).toBeDefined()
  })

  it('has an error for what the app alone would refuse', () => {
    const kinds = Array.from({ length: 12 }, (_, index) => ({
      kind: 'forum',
      url: `${long}`.replace('/a', `/${index % 9}`),
    }))
    const gates = Array.from({ length: 8 }, (_, index) =>
      long.replace('https://', `wss://g${index}.`).slice(0, 2048),
    )
    const more = { network: { poa: gates, api: long, explorer: long, faucet: long } }
    const links = {
      community: kinds,
      terms: long,
      privacy: long,
      support: long,
      whitepaper: long,
      statusFeed: long,
    }
    const buy = Array.from({ length: 6 }, (_, index) => ({ label: `Quay ${index}`, url: long }))
    const { findings } = checkBrand({ source: sourceWith({ ...more, links: { ...links, buy } }) })
    expect(findings).toMatchObject([
      { code: 'E019', path: 'brand', found: expect.stringMatching(/^\d+ characters$/) },
    ])
  })
})
