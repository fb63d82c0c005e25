import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { bytesOf, goodBrand, goodFiles, goodSource } from '../../test/good-brand.ts'
import { printBuildManifest } from '../build/build-manifest.ts'
import { checkBrand } from '../checks/check-brand.ts'
import { textFiles } from '../generators/text-files.ts'
import { IMMUTABLE, responseHeaders } from '../hosts/host-rules.ts'
import { certificateFindings } from './certificate.ts'
import { checkDeployment } from './check-deployment.ts'

const report = checkBrand({ source: goodSource })
const { brand, configHash } = report
if (brand === null || configHash === null) throw new Error('the brand is good')

const page = bytesOf('<!doctype html><title>Acme</title>')
const app = new Map<string, Uint8Array>([
  ...textFiles(brand, goodFiles),
  ['index.html', page],
  ['service-worker.js', bytesOf('// worker')],
  ['favicon.svg', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['assets/app-12345678.js', bytesOf('//'.padEnd(5_000, 'x'))],
])
const list = printBuildManifest({
  ...{ brand: 'acme', environment: 'dev', target: 'web', version: '0.1.0' },
  ...{ configHash, inputs: new Map(), outputs: app },
})
const files = new Map([...app, ['build-manifest.json', list] as const])

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
}

type Served = { status: number; headers: Record<string, string>; body: Uint8Array }
/** Changes what a good host would answer. */
type Fault = (path: string, served: Served) => void

function goodAnswer(path: string): Served {
  const headers = Object.fromEntries(responseHeaders(brand as NonNullable<typeof brand>))
  const name = path === '' || !/\.[a-z0-9]+$/.test(path) ? 'index.html' : path
  const body = files.get(name)
  if (body === undefined)
    return { status: 404, headers: { ...headers, 'Cache-Control': 'no-store' }, body: bytesOf('') }
  const kept = name.startsWith('assets/') ? IMMUTABLE : 'no-cache'
  const type = types[name.split('.').at(-1) ?? ''] ?? 'text/plain'
  return { status: 200, headers: { ...headers, 'Cache-Control': kept, 'Content-Type': type }, body }
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

async function serve(fault: Fault = () => undefined): Promise<URL> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname.slice(1))
    const served = goodAnswer(path)
    if (path.endsWith('.js')) {
      served.headers['Content-Encoding'] = 'gzip'
      served.body = gzipSync(served.body)
    }
    fault(path, served)
    response.writeHead(served.status, served.headers).end(served.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close().closeAllConnections())
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

type Hail = Parameters<typeof checkDeployment>[0]['probe']['hail']

async function found(base: URL, more: Partial<Parameters<typeof checkDeployment>[0]> = {}) {
  if (brand === null) return []
  const probe = { hail: (async () => ({ kind: 'accepted' })) satisfies Hail }
  const findings = await checkDeployment({ brand, configHash, base, host: 'static', probe, ...more })
  return findings.map(({ name, severity, path }) => `${severity} ${name} ${path.replace(base.href, '/')}`)
}

describe('a deployment', () => {
  it('has no finding when everything is served as it was built', async () => {
    expect(await found(await serve())).toEqual([])
  })

  it('has no finding when its host leads the name of the page to its address, which the worker asks for', async () => {
    const base = await serve((path, served) => {
      if (path === 'index.html') Object.assign(served, { status: 308, body: bytesOf('') })
    })
    expect(await found(base)).toEqual([])
  })

  it('hails the gateways with the origin of the app', async () => {
    const origins: (string | undefined)[] = []
    const base = await serve()
    const hail: Hail = async ({ origin }) => {
      origins.push(origin)
      return { kind: 'refused', reason: 'another origin' }
    }
    expect(await found(base, { probe: { hail } })).toEqual(['error gateway-refused network.poa[0]'])
    expect(origins).toEqual([base.origin])
  })

  it.each<readonly [fault: string, Fault, readonly string[]]>([
    [
      'old files',
      (path, served) => {
        if (path === 'service-worker.js') served.body = gzipSync('// older')
      },
      ['error deployed-file-differs service-worker.js'],
    ],
    [
      'no list of files',
      (path, served) => {
        if (path === 'build-manifest.json') served.status = 404
      },
      ['error deployed-file-differs build-manifest.json'],
    ],
    [
      'no routes',
      (path, served) => {
        if (path !== '' && !path.includes('.')) Object.assign(served, { status: 404, body: bytesOf('none') })
      },
      [`error deep-link-broken /i/ref_`, 'error deep-link-broken /rewards'],
    ],
    [
      'routes with status 404',
      (path, served) => {
        if (path !== '' && !path.includes('.')) served.status = 404
      },
      ['warning deep-link-status /rewards'],
    ],
    [
      'a policy of its own',
      (_, served) => {
        served.headers['Content-Security-Policy'] = "default-src 'self'"
      },
      ['error response-header-differs / Content-Security-Policy'],
    ],
    [
      'one rule for all caches',
      (_, served) => {
        served.headers['Cache-Control'] = 'max-age=86400'
      },
      ['error cache-too-long /service-worker.js', 'warning cache-too-short /assets/app-12345678.js'],
    ],
    [
      'the page in place of missing files',
      (path, served) => {
        if (path.startsWith('assets/none')) Object.assign(served, goodAnswer(''))
      },
      ['error missing-file-answered /assets/none-00000000.js'],
    ],
    [
      'the page in place of missing data',
      (path, served) => {
        if (path.startsWith('brand/none')) Object.assign(served, goodAnswer(''))
      },
      ['error missing-file-answered /brand/none.json'],
    ],
    [
      'a redirected page that its service worker asks for',
      (path, served) => {
        if (path === 'service-worker.js') served.body = gzipSync('const BUILD_FILES=["/a.js","/index.html"];')
        if (path === 'index.html') Object.assign(served, { status: 308, body: bytesOf('') })
      },
      ['error deployed-file-differs index.html'],
    ],
    [
      'missing files that are kept',
      (path, served) => {
        if (path.startsWith('assets/none')) served.headers['Cache-Control'] = IMMUTABLE
      },
      ['error missing-file-answered /assets/none-00000000.js'],
    ],
    [
      'no compression',
      (path, served) => {
        if (!path.startsWith('assets/')) return
        delete served.headers['Content-Encoding']
        served.body = goodAnswer(path).body
      },
      ['warning not-compressed /assets/app-12345678.js'],
    ],
    [
      'scripts as text',
      (path, served) => {
        if (path === 'service-worker.js') served.headers['Content-Type'] = 'text/plain'
      },
      ['error content-type-wrong /service-worker.js'],
    ],
  ])('is found to have %s', async (_, fault, expected) => {
    const findings = await found(await serve(fault))
    for (const one of expected) expect(findings).toContainEqual(expect.stringContaining(one))
  })

  it('is found to be of another brand, of other settings, and to invite elsewhere', async () => {
    const base = await serve()
    const { brand: other } = checkBrand({
      source: { ...goodSource, config: { ...goodBrand, id: 'bold' }, folderName: 'bold' },
    })
    expect(await found(base, other === null ? {} : { brand: other })).toContain(
      'error deployment-differs brand/brand.json',
    )
    expect(await found(base, { configHash: 'ab'.repeat(32) })).toEqual([
      'error deployment-differs brand/brand.json',
    ])
    const { brand: inviting } = checkBrand({
      source: goodSource,
      flags: { referral: { linkBase: 'https://elsewhere.example/i/' } },
    })
    expect(
      await found(base, { ...(inviting === null ? {} : { brand: inviting }), configHash: null }),
    ).toEqual(['error invitation-elsewhere referral.linkBase'])
  })

  it('is only warned of headers that its host cannot send', async () => {
    const base = await serve((_, served) => {
      delete served.headers['Content-Security-Policy']
    })
    const header = 'response-header-differs / Content-Security-Policy'
    expect(await found(base)).toEqual([`error ${header}`])
    expect(await found(base, { host: 'github-pages' })).toEqual([`warning ${header}`])
  })

  it('is unreachable, which is no finding about the brand', async () => {
    expect(await found(new URL('http://127.0.0.1:9/'))).toEqual(['error deployment-unreachable /'])
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe('the certificate of a deployment', () => {
  it('is needed everywhere but on this machine', async () => {
    const names = async (url: string) => (await certificateFindings(new URL(url))).map(({ name }) => name)
    expect(await names('http://app.acme.example/')).toEqual(['deployment-insecure'])
    expect(await names('http://127.0.0.1:8000/')).toEqual([])
  })

  it.runIf(hasOpenssl)('is found to be made by nobody that browsers trust, and to expire', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
    stops.push(() => rmSync(folder, { recursive: true }))
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '5',
        '-keyout',
        key,
        '-out',
        certificate,
        ...subject,
      ],
      { stdio: 'ignore' },
    )
    const server = createTlsServer(
      { key: readFileSync(key), cert: readFileSync(certificate) },
      (_, response) => response.end('page'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    stops.push(() => server.close().closeAllConnections())
    const base = new URL(`https://localhost:${(server.address() as AddressInfo).port}/`)
    expect(await found(base)).toEqual(['error deployment-insecure /'])
    const trusted = await certificateFindings(base, readFileSync(certificate, 'utf8'))
    expect(trusted.map(({ name }) => name)).toEqual(['certificate-expires'])
  })
})
