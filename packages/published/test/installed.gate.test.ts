import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import type { TokenId } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { layOut, manifestIn } from './support/lay-out.ts'
import { openPage } from './support/open-page.ts'
import { binOf, packageNameOf, published } from './support/workspace.ts'

const consumer = fileURLToPath(new URL('../consumer', import.meta.url))
const run = promisify(execFile)

/** An application that depends on the mining node alone, and one with everything. */
let small = ''
let whole = ''
let network: LocalNetwork

beforeAll(async () => {
  small = await application()
  whole = await application()
  const tarballs = inject('tarballs')
  await layOut({ name: 'mining-node', tarballs, into: small })
  for (const name of published) await layOut({ name, tarballs, into: whole, withPeers: true })
  network = await startLocalNetwork({ seed: 'installed', blockTimeMs: 500 })
})

afterAll(async () => {
  await network?.stop()
  for (const folder of [small, whole]) await rm(folder, { recursive: true })
})

async function application(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-application-'))
  await cp(consumer, folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  return folder
}

const keyOf = (position: number): string => String(network.accounts.developers[position]?.privateKey)
const urls = () => ({ apiUrl: network.apiUrl, gatewayUrl: network.gatewayUrl })
const aHash = /^[0-9a-f]{64}$/

describe('what was installed from the tarballs', () => {
  it('mines in plain Node, alone and in a fleet with a signing thread', async () => {
    const child = spawn(process.execPath, ['mine.mjs'], { cwd: small, stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(JSON.stringify({ ...urls(), keys: [keyOf(0), keyOf(1)] }))
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    expect(code).toBe(0)
    const { address, hail, microblockHash, ofFleet } = JSON.parse(output)
    expect(address).toMatch(/^0[23][0-9a-f]{64}$/)
    expect([microblockHash, ofFleet]).toStrictEqual([
      expect.stringMatching(aHash),
      expect.stringMatching(aHash),
    ])
    const tokenId = '0'.repeat(64) as TokenId
    const expected = walletFromPrivateKey(keyOf(0)).signHail({ host: 'localhost', tokenId })
    expect(hail.signature).toBe(expected.signature)
  })

  it('mines in a page that Vite built, and in a Web Worker', async () => {
    await using page = await openPage(join(small, 'page'))
    const here = page.call('mineHere', { ...urls(), privateKey: keyOf(2) })
    const inWorker = page.call('mineInWorker', { ...urls(), privateKey: keyOf(3) })
    expect(await Promise.all([here, inWorker])).toStrictEqual([
      expect.stringMatching(aHash),
      expect.stringMatching(aHash),
    ])
    expect(page.complaints).toStrictEqual([])
  })

  it('type-checks, with all declarations, as Node and as bundlers resolve them', async () => {
    for (const module of ['nodenext', 'esnext']) {
      const resolution = module === 'nodenext' ? 'nodenext' : 'bundler'
      const options = ['--module', module, '--moduleResolution', resolution, '--target', 'es2022']
      const { stdout } = await run(
        binOf('tsc'),
        [
          '--noEmit',
          '--strict',
          '--exactOptionalPropertyTypes',
          '--skipLibCheck',
          'false',
          ...options,
          'typed.ts',
        ],
        { cwd: small },
      ).catch((error: { readonly stdout: string }) => error)
      expect(stdout).toBe('')
    }
  })

  it('can be imported at every entry, and every command says how it is used', async () => {
    const folders = published.map((name) => join(whole, 'node_modules', packageNameOf(name)))
    const entries = folders.flatMap((folder, at) =>
      Object.keys(manifestIn(folder).exports)
        .filter((entry) => !entry.endsWith('.json'))
        .map((entry) => `@hailstone/${published[at]}${entry.slice(1)}`),
    )
    const { stdout } = await run(process.execPath, ['import-all.mjs', ...entries], { cwd: whole })
    const counts: Readonly<Record<string, number>> = JSON.parse(stdout)
    expect(Object.keys(counts)).toStrictEqual(entries)
    expect(Object.values(counts).every((count) => count > 0)).toBe(true)
    const commands = folders.flatMap((folder) =>
      Object.values(manifestIn(folder).bin ?? {}).map((path) => join(folder, path)),
    )
    expect(commands.length).toBe(9)
    for (const command of commands) {
      const { stdout: help } = await run(process.execPath, [command, '--help'], { cwd: whole })
      expect(help).toContain(command.endsWith('brand.js') ? 'hailstone-brand' : 'hailstone')
      expect(help.split('\n').length, command).toBeGreaterThan(5)
    }
  })
})
