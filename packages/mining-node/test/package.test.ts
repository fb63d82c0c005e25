import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import * as amounts from '../src/amounts/index.ts'
import * as browser from '../src/browser.ts'
import * as node from '../src/node.ts'
import { until } from './until.ts'

const source = fileURLToPath(new URL('../src/', import.meta.url))

it('exports the same names to Node and to browsers, but for cursors that programs store', () => {
  const ofBoth = Object.keys(node).filter((name) => !['cursorsOfChain', 'openFileCursors'].includes(name))
  expect(Object.keys(browser).sort()).toEqual(ofBoth.sort())
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "NodeError",
      "createMiningNode",
      "createMiningSession",
      "createWallet",
      "cursorsOfChain",
      "decodeReferralCode",
      "encodeReferralCode",
      "formatAmount",
      "isAddress",
      "isNodeError",
      "openFileCursors",
      "parseAddress",
      "parseTokenId",
      "walletFromPrivateKey",
      "watchBalance",
      "watchRewards",
    ]
  `)
})

it('reads what people type in an entry of its own', () => {
  const { parseAmount, formatAmount, parseAddress } = amounts
  expect(formatAmount(parseAmount('25.5', { decimals: 10 }), { decimals: 2 })).toBe('2550000000')
  expect(parseAddress(walletFromPrivateKey('1'.padStart(64, '0')).address)).toMatch(/^0[23]/)
})

/** Returns the modules that a file imports, files of this package included. */
async function importsFrom(file: string, seen: Set<string>): Promise<ReadonlySet<string>> {
  if (seen.has(file)) return seen
  seen.add(file)
  const text = await readFile(file, 'utf8')
  for (const [, name = ''] of text.matchAll(/^(?:import|export)\b(?! type)[^'"]*from '([^']+)'/gm)) {
    if (name.startsWith('.')) await importsFrom(join(dirname(file), name), seen)
    else seen.add(name)
  }
  return seen
}

it('brings nothing of Node into a browser', async () => {
  const names = [...(await importsFrom(join(source, 'browser.ts'), new Set()))]
  expect(names.some((name) => name.endsWith('open-web-channel.ts'))).toBe(true)
  expect(
    names.filter(
      (name) => name.startsWith('node:') || name === 'undici' || name.startsWith(join(source, 'node/')),
    ),
  ).toEqual([])
})

/** Parts with an entry or a command of their own, which browsers never load. */
const nodeFolders = ['node/', 'fleet/', 'health/', 'bridge/']

it('keeps what Node alone has in folders of its own', async () => {
  const files = await readdir(source, { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
    const text = await readFile(join(source, file), 'utf8')
    const needsNode = /from '(?:node:[a-z_]+|undici)'/.test(text)
    expect(needsNode && !nodeFolders.some((folder) => file.startsWith(folder)), file).toBe(false)
  }
})

it('leaves nothing behind: no socket, timer or listener, however often it starts', async () => {
  await using network = await startLocalNetwork({ seed: 'life', blockTimeMs: 500 })
  const { apiUrl, gatewayUrl } = network
  const [developer] = network.accounts.developers
  const wallet = walletFromPrivateKey(String(developer?.privateKey))
  const miner = node.createMiningNode({ wallet, apiUrl, gatewayUrl, blockTimeMs: 500 })
  const held = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
  const before = held()
  for (let round = 0; round < 3; round++) {
    await miner.start()
    await until(() => miner.state.status === 'mining', 'it mines')
    await miner.stop()
  }
  await until(() => held() <= before, 'all sockets are gone')
  expect(miner.state.status).toBe('stopped')
})

it('shows no key, however it is looked at', async () => {
  const secret = sha256Hex('canary')
  const wallet = walletFromPrivateKey(secret)
  await using client = createClient({ apiUrl: 'http://127.0.0.1:1/api/v1' })
  await using miner = node.createMiningNode({ wallet, client, gatewayUrl: 'ws://127.0.0.1:1' })
  const errors: unknown[] = []
  const lines: unknown[] = []
  const log = (...line: unknown[]) => void lines.push(line)
  const logger = { debug: log, info: log, warn: log, error: log }
  await using second = node.createMiningNode({ wallet, client, gatewayUrl: 'ws://127.0.0.1:1', logger })
  second.on('failed', ({ error }) => errors.push(error))
  await Promise.all([miner.start(), second.start()])
  await until(() => second.state.status === 'waiting' && lines.length > 1, 'it tried')
  const looked = [miner, miner.snapshot(), second.snapshot(), errors, lines]
  const texts = looked.map((value) => inspect(value, { depth: 12, showHidden: true }))
  for (const text of texts) expect(text).not.toContain(secret)
})
