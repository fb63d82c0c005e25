import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { type Bridge, createBridge } from '@hailstone/mining-node/bridge'
import { openBrowser } from '@hailstone/test-browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appFolder } from '../tools/build-brand.ts'
import { brandFolder, go, importAccount, plain } from './app-harness.ts'

const BRIDGE = '127.0.0.1:4430'
const hasProgram = (...command: readonly [string, ...string[]]): boolean =>
  spawnSync(command[0], command.slice(1), { stdio: 'ignore' }).status === 0
const has = {
  openssl: hasProgram('openssl', 'version'),
  nginx: hasProgram('/usr/sbin/nginx', '-v'),
  caddy: hasProgram('caddy', 'version'),
  apache: hasProgram('/usr/sbin/apache2', '-v'),
  python: hasProgram('python3', '--version'),
}
for (const [name, isThere] of Object.entries(has))
  if (!isThere) console.warn(`Hosts that need ${name} are left out: it is not installed.`)

let folder: string
let network: LocalNetwork
let bridge: Bridge
let bridgePort: number
const stops: (() => Promise<void>)[] = []

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const at = (...names: readonly string[]): string => join(folder, ...names)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosts-'))
  network = await startLocalNetwork({ blockTimeMs: 1_000 })
  bridgePort = await freePort()
  bridge = await createBridge({ upstreams: [network.gatewayUrl], port: bridgePort, isBehindProxy: true })
  if (!has.openssl) return
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', at('key.pem'), '-out', at('certificate.pem')]
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '90', ...files, ...subject]
  execFileSync('openssl', words, { stdio: 'ignore' })
})
afterAll(async () => {
  for (const stop of stops) await stop()
  await bridge?.stop()
  await network?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Settings with which a funded developer of the network mines as soon as it is asked to. */
const settingsToMine = () => ({
  token: { ...plain.token, hash: network.tokens.native.id },
  // The brand has quiet hours at night.
  mining: { ...plain.mining, quietHours: null },
  security: plain.security,
})

/** Settings of a brand that is served at this address, with its gateway there when it is encrypted. */
function settingsFor(url: URL): readonly string[] {
  const gateway = url.protocol === 'https:' ? `wss://${url.host}/gateway` : network.gatewayUrl
  const settings = {
    network: { preset: 'devnet', api: network.apiUrl, poa: [gateway], nativeToken: network.tokens.native.id },
    app: { homepage: 'https://localhost' },
    ...settingsToMine(),
  }
  return Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`])
}

/** Runs the command in its own process, which trusts the certificate of this test. */
async function run(...words: readonly string[]) {
  const child = spawn(process.execPath, [join(appFolder(), 'bin/hailstone-brand.js'), ...words], {
    cwd: folder,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: has.openssl ? at('certificate.pem') : undefined },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const [code] = await once(child, 'close')
  return { code, said }
}

/** Builds the brand for a host into a folder of this name, and returns the folder of the build. */
async function build(name: string, url: URL, host = name): Promise<string> {
  await cp(brandFolder('tidewater'), at(name, 'tidewater'), { recursive: true })
  const out = at(name, 'dist')
  const built = await run('build', at(name, 'tidewater'), '--host', host, '--out', out, ...settingsFor(url))
  expect(built.code, built.said).toBe(0)
  return out
}

const checkDeployed = (host: string, url: URL) =>
  run('check', at(host, 'tidewater'), '--deployed', url.href, '--host', host, '--json', ...settingsFor(url))

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

/** Starts a server and waits until it takes connections. */
async function startServer(command: string, words: readonly string[], url: URL): Promise<void> {
  const child = spawn(command, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  stops.push(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  for (let attempt = 0; attempt < 100; attempt++) {
    if (child.exitCode !== null) throw new Error(`${command} ended:\n${said}`)
    if (await isOpen(Number(url.port))) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${command} takes no connection:\n${said}`)
}

const addressAt = (protocol: 'http' | 'https', port: number): URL =>
  new URL(`${protocol}://localhost:${port}/`)

/** Replaces each of these texts, which must be there. */
function edited(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((current, [from, to]) => {
    expect(current).toContain(from)
    return current.replaceAll(from, () => to)
  }, text)
}

type Findings = readonly { readonly name: string; readonly severity: string; readonly path: string }[]
const findingsOf = (said: string): Findings => (JSON.parse(said) as { readonly findings: Findings }).findings

/** Expects that the deployment has no finding but those of the brand itself, and that an invitation opens in a browser. */
async function expectDeployed(host: string, url: URL): Promise<void> {
  const { said } = await checkDeployed(host, url)
  const findings = findingsOf(said).filter(({ name }) => name !== 'contact-missing')
  expect(findings, said).toEqual([])
}

async function expectInBrowser(url: URL, link: string): Promise<void> {
  const browser = await openBrowser()
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => (message.type() === 'error' ? faults.push(message.text()) : undefined))
    await page.goto(new URL(link, url).href)
    await page.locator('.setup .actions').waitFor()
    expect(await page.evaluate(() => location.pathname + location.hash)).toBe('/')
    expect(faults).toEqual([])
  } finally {
    await browser.close()
  }
}

/** Digest of the key in a certificate, as Chromium takes it. */
const keyDigest = (certificate: string): string =>
  createHash('sha256')
    .update(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')

/**
 * Mines in a Chromium that trusts this certificate alone, with an account of its own, until the page shows a reward. The
 * session went through the bridge.
 */
async function expectReward(url: URL, certificate: string, account: number): Promise<void> {
  const before = bridge.health().opened
  const browser = await openBrowser([`--ignore-certificate-errors-spki-list=${keyDigest(certificate)}`])
  try {
    const page = await (await browser.newContext({ locale: 'en-US' })).newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => (message.type() === 'error' ? faults.push(message.text()) : undefined))
    await page.goto(url.href)
    await importAccount(page, network.accounts.developers[account]?.privateKey ?? '')
    // The brand words this button anew.
    await page.locator('.ring-button').click()
    await go(page, '/rewards')
    await page.locator('.rows .row-amount').first().waitFor()
    expect(bridge.health().opened).toBeGreaterThan(before)
    expect(faults).toEqual([])
  } finally {
    await browser.close()
  }
}

const CODE = `ref_${'0'.repeat(66)}`

describe('what a build writes for a host, on that host', () => {
  it.runIf(has.nginx && has.openssl)(
    'nginx: files, routes, headers, caching, the bridge as wss',
    async () => {
      const [plain, port] = [await freePort(), await freePort()]
      const url = addressAt('https', port)
      const out = await build('nginx', url)
      const site = edited(await readFile(at('nginx', 'deploy', 'nginx.conf'), 'utf8'), [
        ['  listen [::]:80;\n', ''],
        ['  listen [::]:443 ssl http2;\n', ''],
        ['listen 80;', `listen 127.0.0.1:${plain};`],
        ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
        ['root /srv/tidewater;', `root ${out};`],
        [BRIDGE, `127.0.0.1:${bridgePort}`],
        ['/etc/letsencrypt/live/localhost/fullchain.pem', at('certificate.pem')],
        ['/etc/letsencrypt/live/localhost/privkey.pem', at('key.pem')],
      ])
      const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${at(`nginx-${name}`)};`,
      )
      await writeFile(
        at('nginx.conf'),
        `daemon off; user root; pid ${at('nginx.pid')}; error_log stderr;\nevents {}\nhttp { include /etc/nginx/mime.types; access_log off; ${kept.join(' ')}\n${site}}\n`,
      )
      await startServer('/usr/sbin/nginx', ['-c', at('nginx.conf')], url)
      await expectDeployed('nginx', url)
      const redirected = await fetch(`http://localhost:${plain}/wallet`, { redirect: 'manual' })
      expect([redirected.status, redirected.headers.get('location')]).toEqual([
        301,
        'https://localhost/wallet',
      ])
      await expectReward(url, await readFile(at('certificate.pem'), 'utf8'), 0)
    },
  )

  it.runIf(has.caddy && has.openssl)(
    'Caddy: files, routes, headers, caching, the bridge as wss',
    async () => {
      const url = addressAt('https', await freePort())
      const out = await build('caddy', url)
      const site = edited(await readFile(at('caddy', 'deploy', 'Caddyfile'), 'utf8'), [
        ['localhost {', `https://localhost:${url.port} {\n\ttls ${at('certificate.pem')} ${at('key.pem')}`],
        ['root * /srv/tidewater', `root * ${out}`],
        [BRIDGE, `127.0.0.1:${bridgePort}`],
      ])
      await writeFile(at('Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
      await startServer('caddy', ['run', '--adapter', 'caddyfile', '--config', at('Caddyfile')], url)
      await expectDeployed('caddy', url)
    },
  )

  it.runIf(has.caddy)(
    'Caddy with a certificate of its own: the app mines to a reward through the bridge over wss',
    async () => {
      const url = addressAt('https', await freePort())
      const out = await build('caddy-local', url, 'caddy')
      const site = edited(await readFile(at('caddy-local', 'deploy', 'Caddyfile'), 'utf8'), [
        ['localhost {', `https://localhost:${url.port} {\n\ttls internal`],
        ['root * /srv/tidewater', `root * ${out}`],
        [BRIDGE, `127.0.0.1:${bridgePort}`],
      ])
      const options = `admin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system ${at('caddy-data')}`
      await writeFile(at('Caddyfile.local'), `{\n\t${options}\n}\n${site}`)
      await startServer('caddy', ['run', '--adapter', 'caddyfile', '--config', at('Caddyfile.local')], url)
      const certificate = at('caddy-data/certificates/local/localhost/localhost.crt')
      await expect.poll(() => readFile(certificate, 'utf8').catch(() => ''), { timeout: 60_000 }).not.toBe('')
      await expectReward(url, await readFile(certificate, 'utf8'), 1)
    },
  )

  it.runIf(has.apache)('Apache: files, routes, headers and caching from its .htaccess', async () => {
    const url = addressAt('http', await freePort())
    const out = await build('apache', url)
    const modules = ['mpm_event', 'authz_core', 'mime', 'dir', 'rewrite', 'headers', 'deflate', 'filter']
    const configuration = [
      ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
      `Listen 127.0.0.1:${url.port}`,
      'ServerName localhost',
      `PidFile ${at('apache.pid')}`,
      `ErrorLog ${at('apache.log')}`,
      'TypesConfig /etc/mime.types',
      `DocumentRoot ${out}`,
      `<Directory ${out}>\n  AllowOverride All\n  Require all granted\n</Directory>`,
    ]
    await writeFile(at('apache.conf'), `${configuration.join('\n')}\n`)
    await startServer('/usr/sbin/apache2', ['-X', '-f', at('apache.conf')], url)
    await expectDeployed('apache', url)
    await expectInBrowser(url, `i/${CODE}`)
  })

  it.runIf(has.python)(
    'a host that only serves files: told what is missing; a link with # opens the app',
    async () => {
      const url = addressAt('http', await freePort())
      const out = await build('static', url)
      await startServer(
        'python3',
        ['-m', 'http.server', url.port, '--bind', '127.0.0.1', '--directory', out],
        url,
      )
      const { code, said } = await checkDeployed('static', url)
      expect(code).toBe(1)
      const names = new Set(findingsOf(said).map(({ name }) => name))
      for (const name of ['deep-link-broken', 'response-header-differs', 'not-compressed', 'cache-too-long'])
        expect(names).toContain(name)
      expect(names).not.toContain('deployed-file-differs')
      await expectInBrowser(url, `#/i/${CODE}`)
    },
  )
})
