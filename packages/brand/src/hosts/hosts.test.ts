import { describe, expect, it } from 'vitest'
import { bytesOf, goodSource } from '../../test/good-brand.ts'
import { imitatedHost, serveHost } from '../../test/host-imitations.ts'
import { printBuildManifest } from '../build/build-manifest.ts'
import { checkBrand } from '../checks/check-brand.ts'
import { checkDeployment } from '../deployment/check-deployment.ts'
import { appRoutes } from './app-routes.ts'
import { hostNames } from './host-rules.ts'

const { brand, configHash } = checkBrand({ source: goodSource })
if (brand === null || configHash === null) throw new Error('the brand is good')

const page = bytesOf('<!doctype html><title>Acme</title>')
const files = new Map([
  ['index.html', page],
  ['service-worker.js', bytesOf('// worker')],
  ['manifest.webmanifest', bytesOf('{}')],
  ['assets/app-12345678.js', bytesOf('// app')],
  ['brand/brand.json', bytesOf('{"id":"acme"}')],
  ['.well-known/assetlinks.json', bytesOf('[]')],
])
const list = printBuildManifest({
  ...{ brand: 'acme', environment: 'dev', target: 'web', version: '0.1.0' },
  ...{ configHash, inputs: new Map(), outputs: files },
})
const app = new Map([...files, ['build-manifest.json', list] as const])

const routes = [
  ...appRoutes.map((name) => `/${name}`),
  ...[
    '/rewards/7',
    '/wallet/send',
    '/more/screens/questions',
    `/i/ref_${'0'.repeat(66)}`,
    `/tx/${'a'.repeat(64)}`,
  ],
]
const missing = [
  ...['/assets/none-00000000.js', '/assets/none', '/none.png', '/brand/none.json', '/brand/none'],
  ...['/terms', '/terms.pdf', '/wallets', '/.well-known/none', '/.well-known/none.json', '/a/b/c'],
]

/** Hosts on which the page answers what is missing, with the status of that. */
const withPageFor404 = ['static', 'github-pages']

describe.each(hostNames)('an app on %s', (name) => {
  const host = imitatedHost(name, brand, app)

  it('is served file by file', () => {
    for (const [path, bytes] of app) {
      const { status, body } = host(path === 'index.html' ? '/' : `/${path}`)
      expect([path, status, body]).toEqual([path, 200, bytes])
    }
  })

  it('has its page at each of its routes', () => {
    const status = withPageFor404.includes(name) ? 404 : 200
    for (const route of routes) {
      const given = host(route)
      expect([route, given.status, given.body]).toEqual([route, status, page])
    }
  })

  it('has status 404 for what is missing, and its page for none of it', () => {
    for (const path of missing) {
      const { status, body } = host(path)
      expect([path, status]).toEqual([path, 404])
      if (!withPageFor404.includes(name)) expect([path, body]).not.toEqual([path, page])
    }
  })

  it('passes the check of its files, routes and types', async () => {
    const serving = await serveHost(host)
    const probe = { hail: async () => ({ kind: 'accepted' }) as const }
    const base = new URL(serving.url)
    const findings = await checkDeployment({ brand, configHash, base, host: name, probe })
    await serving.stop()
    // The imitations send no headers of the brand, and this brand is a short one.
    const beside = /^(?:response-header-differs|cache-too-\w+|deployment-differs|not-compressed)$/
    const names = new Set(findings.map((one) => one.name).filter((one) => !beside.test(one)))
    expect([...names]).toEqual(withPageFor404.includes(name) ? ['deep-link-status'] : [])
  })
})

it('pages of a publisher beside the app are served where the host has them', () => {
  const terms = bytesOf('<!doctype html><title>Terms</title>')
  for (const name of ['cloudflare', 'netlify', 'github-pages'] as const)
    expect(imitatedHost(name, brand, new Map([...app, ['terms.html', terms]]))('/terms').body).toEqual(terms)
})
