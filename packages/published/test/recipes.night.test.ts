import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { openBrowser } from '@hailstone/test-browser'
import type { Browser, Page } from 'playwright-core'
import sirv from 'sirv'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { layOut } from './support/lay-out.ts'
import { type PublishedName, root } from './support/workspace.ts'

const run = promisify(execFile)
const recipes = fileURLToPath(new URL('../recipes', import.meta.url))

let network: LocalNetwork
let browser: Browser
const folders: string[] = []

/** The recipe in a folder of its own: what it depends on from the registry, without install scripts, ours from the tarballs. */
async function cook(name: string, packages: readonly PublishedName[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `hailstone-${name}-`))
  folders.push(folder)
  await cp(join(recipes, name), folder, { recursive: true })
  if (existsSync(join(folder, 'pnpm-lock.yaml'))) {
    const pnpm = join(root, 'node_modules', '.bin', 'pnpm')
    const flags = ['--frozen-lockfile', '--ignore-scripts', '--ignore-workspace', '--prefer-offline']
    await run(pnpm, ['install', ...flags, '--config.node-linker=hoisted'], { cwd: folder })
  }
  for (const one of packages)
    await layOut({ name: one, tarballs: inject('tarballs'), into: folder, asCopies: true })
  return folder
}

const parameters = (position: number) => ({
  apiUrl: network.apiUrl,
  gatewayUrl: network.gatewayUrl,
  key: String(network.accounts.developers[position]?.privateKey),
})

const inHash = (position: number): string => `#${new URLSearchParams(parameters(position)).toString()}`

type Shown = { readonly page: Page; readonly complaints: readonly string[] }

async function show(url: string): Promise<Shown> {
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(url)
  return { page, complaints }
}

/** Serves a folder as it is. */
async function serve(folder: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(sirv(folder, { dev: true }))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** The binary of Bun lies in the package for this machine; the one called bun is filled by an install script. */
function bunIn(folder: string): string {
  const scope = join(folder, 'node_modules', '@oven')
  const wanted = `bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`
  const name = readdirSync(scope).find((one) => one === wanted)
  if (name === undefined) throw new Error(`There is no ${wanted} among ${readdirSync(scope).join(', ')}.`)
  return join(scope, name, 'bin', 'bun')
}

describe('a recipe ends in something that is seen', () => {
  beforeAll(async () => {
    network = await startLocalNetwork({ seed: 'recipes', blockTimeMs: 500 })
    browser = await openBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await network?.stop()
    for (const folder of folders) await rm(folder, { recursive: true })
  })

  it('Bun: a miner earns a reward, and a mistake of a program stays one', async () => {
    const folder = await cook('bun', ['mining-node'])
    const { apiUrl, gatewayUrl, key } = parameters(0)
    const env = { ...process.env, API_URL: apiUrl, GATEWAY_URL: gatewayUrl, KEY: key }
    const { stdout } = await run(bunIn(folder), ['mine.ts'], { cwd: folder, env })
    expect(stdout).toMatch(/^Bun \d+\.\d+\.\d+: a reward of \d+ units at height \d+\n$/)
    const mistake = await run(bunIn(folder), ['mistake.ts'], { cwd: folder, env })
    expect(mistake.stdout).toBe('TypeError\n')
  })

  it('browser modules: a page without a bundler earns a reward by an import map', async () => {
    const folder = await cook('browser-modules', ['mining-node'])
    const { stdout } = await run(process.execPath, ['import-map.mjs', '@hailstone/mining-node'], {
      cwd: folder,
    })
    const html = await readFile(join(folder, 'index.html'), 'utf8')
    await writeFile(
      join(folder, 'index.html'),
      html.replace('"IMPORT_MAP"', () => stdout),
    )
    await using site = await serve(folder)
    const { page, complaints } = await show(`${site.url}${inHash(1)}`)
    await page.getByText(/A reward of \d+ units at height \d+/).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('Jest: a test in CommonJS reads a balance of a network that it started', async () => {
    const folder = await cook('jest', ['client', 'local-network'])
    const env = { ...process.env, NODE_OPTIONS: '--experimental-vm-modules' }
    const jest = join(folder, 'node_modules', 'jest', 'bin', 'jest.js')
    const { stderr } = await run(process.execPath, [jest, '--ci'], { cwd: folder, env })
    expect(stderr).toContain('1 passed')
  })

  it('React 18: the hooks show a balance and a reward', async () => {
    const folder = await cook('react-18', ['react'])
    await build({ root: folder, configFile: false, logLevel: 'error', build: { target: 'es2022' } })
    await using site = await serve(join(folder, 'dist'))
    const { page, complaints } = await show(`${site.url}${inHash(2)}`)
    await page.getByText('React 18.3.1, mining').waitFor()
    await page
      .locator('#rewards')
      .filter({ hasText: /^[1-9]\d* rewards/ })
      .waitFor()
    expect(Number(await page.locator('#balance').textContent())).toBeGreaterThan(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('Next: each visitor makes a key of its own, none is made while building, and a reward is shown', async () => {
    const folder = await cook('next', ['mining-node'])
    const next = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next')
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
    await run(process.execPath, [next, 'build'], { cwd: folder, env, maxBuffer: 1e8 })
    // What was rendered while building holds no address.
    const rendered = await readFile(join(folder, '.next', 'server', 'app', 'index.html'), 'utf8')
    expect(rendered).toContain('Starting')
    expect(rendered).not.toMatch(/0[23][0-9a-f]{64}/)
    const server = spawn(process.execPath, [next, 'start', '--port', '0', '--hostname', '127.0.0.1'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let url = ''
      for await (const line of createInterface(server.stdout)) {
        url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? url
        if (line.includes('Ready')) break
      }
      const first = await show(`${url}/${inHash(3)}`)
      const second = await show(`${url}/${inHash(3)}`)
      const addresses = await Promise.all(
        [first, second].map(async ({ page }) => {
          await page
            .locator('#address')
            .filter({ hasText: /^0[23][0-9a-f]{64}$/ })
            .waitFor()
          return page.locator('#address').textContent()
        }),
      )
      expect(new Set(addresses).size).toBe(2)
      await first.page.getByText(/A reward of \d+ units at height \d+/).waitFor()
      expect(first.complaints).toEqual([])
    } finally {
      const gone = once(server, 'exit')
      server.kill()
      await gone
    }
  })
})
