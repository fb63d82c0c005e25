import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWallet } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { parsePrivateKey } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { checkBrand } from '../src/checks/check-brand.ts'
import { runCommand } from '../src/command/run-command.ts'
import { checkBrandOnline } from '../src/online/check-brand-online.ts'
import { createBrandProbe } from '../src/online/create-brand-probe.ts'
import { hailGateway } from '../src/online/hail-gateway.ts'
import { readTokenSlot, slotSentence } from '../src/online/token-slot.ts'
import { circle, goodBrand, goodSource } from './good-brand.ts'

let network: LocalNetwork

beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'brand', keepAlive: false })
})

afterAll(() => network.stop())

async function online(token: object, referral: object = {}): Promise<readonly string[]> {
  const config = {
    ...goodBrand,
    app: { name: 'Acme' },
    links: {},
    token,
    network: { preset: 'custom', api: network.apiUrl, poa: [network.gatewayUrl] },
    referral,
  }
  const { brand, findings } = checkBrand({ source: { ...goodSource, config } })
  if (brand === null) throw new Error(JSON.stringify(findings))
  await using probe = createBrandProbe({ apiUrl: brand.network.api, settleMs: 150 })
  const found = await checkBrandOnline({ brand, target: 'web', probe })
  return found.map(({ severity, name, path }) => `${severity} ${name} ${path}`)
}

describe('the place that a token has', () => {
  const brandOf = (hash: string, api = network.apiUrl) => {
    const token = { hash, ticker: 'ACME' }
    const config = {
      ...{ ...goodBrand, app: { name: 'Acme' }, links: {}, referral: {}, token },
      network: { preset: 'custom', api, poa: [network.gatewayUrl] },
    }
    const { brand, findings } = checkBrand({ source: { ...goodSource, config } })
    if (brand === null) throw new Error(JSON.stringify(findings))
    return brand
  }

  it('is told with its figures, before its owner has the coins for it and after', async () => {
    const [, from] = network.accounts.developers
    if (from === undefined) throw new Error('there are five developers')
    const mining = {
      maxSupply: 10n ** 14n,
      blockReward: 5n,
      minimumStake: 1n,
      referrerStake: 1n,
      referralShareBps: 0,
    }
    const creating = network.tokens.create({ symbol: 'ACME', supply: 10n ** 12n, mining, from })
    await network.control.mine()
    const { id, owner } = await creating
    const before = await readTokenSlot(brandOf(id))
    expect(before).toMatchObject({
      hasSlot: false,
      places: { count: 4, size: 2 },
      minimumStake: 500_000n * 10n ** 10n,
    })
    expect(slotSentence(before, 'ACME')).toMatch(
      /^slot: no, ACME has no place of its own.* more than 500000\./,
    )
    await network.control.fund(owner, 600_000n * 10n ** 10n)
    const after = await readTokenSlot(brandOf(id))
    expect(after.hasSlot).toBe(true)
    expect(after.owner?.amount).toBeGreaterThanOrEqual(600_000n * 10n ** 10n)
    expect(slotSentence(after, 'ACME')).toMatch(/^slot: yes, ACME has a place.* The owner of ACME has 6\d{5}/)
  })

  it('is left open for a token that is not listed, and where nothing answers', async () => {
    const { hasSlot, places } = await readTokenSlot(brandOf('ab'.repeat(32)))
    expect([hasSlot, places]).toEqual([null, { count: 4, size: 2 }])
    const silent = await readTokenSlot(brandOf(network.tokens.mineable.id, 'http://127.0.0.1:9/api/v1'))
    expect(silent).toEqual({ hasSlot: null, places: null, minimumStake: null, owner: null, native: null })
    expect(slotSentence(silent, 'ACME')).toMatch(/^slot: not found out\./)
  })

  it('is said by the command that asks the network, for people and for programs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slot-'))
    await mkdir(join(folder, 'assets'))
    for (const name of ['logo', 'icon']) await writeFile(join(folder, `assets/${name}.svg`), circle)
    const { id } = network.tokens.mineable
    const brand = {
      ...{ schema: 1, id: 'acme', app: { name: 'Acme' }, token: { hash: id }, theme: { primary: '#3a6ea5' } },
      network: { preset: 'custom', api: network.apiUrl, poa: [network.gatewayUrl] },
      ...{ assets: { logo: 'assets/logo.svg', icon: 'assets/icon.svg' }, referral: { enabled: false } },
    }
    await writeFile(join(folder, 'brand.json'), JSON.stringify(brand))
    const said = async (...words: readonly string[]): Promise<string> => {
      const lines: string[] = []
      const put = (line: string): void => void lines.push(line)
      await runCommand(['check', folder, ...words], { cwd: folder, write: put, complain: put })
      return lines.join('\n')
    }
    expect(await said('--online')).toMatch(/^slot: (?:yes|no), /m)
    expect(JSON.parse(await said('--online', '--json')).slot).toMatchObject({ places: { count: 4, size: 2 } })
    expect(await said()).not.toContain('slot')
    await rm(folder, { recursive: true })
  })
})

describe('a brand against the local network', () => {
  it('has no finding when it says what the chain says', async () => {
    const { id, symbol, decimals } = network.tokens.mineable
    expect(await online({ hash: id, ticker: symbol, decimals })).toEqual([])
  })

  it('is refused for a token that cannot be mined, and for two digits changed', async () => {
    const { id } = network.tokens.fixed
    expect(await online({ hash: id })).toEqual(['error token-not-mineable token.hash'])
    const other = `${id.slice(0, 62)}${[...id.slice(62)].map((digit) => (digit === '0' ? '1' : '0')).join('')}`
    expect(await online({ hash: other })).toEqual(['error token-not-found token.hash'])
  })

  it('is warned of another ticker and of an agent nobody has heard of', async () => {
    const { id } = network.tokens.mineable
    const agent = `02${'1'.repeat(64)}`
    expect(await online({ hash: id, ticker: 'OTHER' }, { defaultAgent: agent })).toEqual([
      'warning ticker-differs token.ticker',
      'warning agent-below-stake referral.defaultAgent',
    ])
  })

  it('is warned of a token that the faucet of its network does not give', async () => {
    const outsider = createWallet()
    const { address } = outsider
    await network.control.fund(address, 2000n * 10n ** 10n)
    const amounts = { maxSupply: 5000n, blockReward: 1n, minimumStake: 10n, referrerStake: 10n }
    const created = network.tokens.create({
      ...{ symbol: 'RIME', decimals: 2, supply: 1000n, mining: { ...amounts, referralShareBps: 1000 } },
      from: { address, privateKey: parsePrivateKey(outsider.exportPrivateKey()) },
    })
    await network.closeNow()
    const { id } = await created
    expect(await online({ hash: id })).toEqual(['warning stake-out-of-reach token.hash'])
  })

  it('takes the native coin as a token like others', async () => {
    expect(await online({ hash: network.tokens.native.id })).toEqual([])
  })
})

describe('hailGateway', () => {
  const tokenId = () => network.tokens.mineable.id

  it('is accepted by a gateway, and leaves', async () => {
    expect(await hailGateway({ url: network.gatewayUrl, tokenId: tokenId(), settleMs: 200 })).toEqual({
      kind: 'accepted',
    })
  })

  it('tells a gateway that objects, one that hangs up, and one that is not there', async () => {
    const answers: ((socket: { send: (text: string) => void; close: () => void }) => void)[] = [
      (socket) => socket.send('{"ver":4,"err":"ERR_WRONG_PROTOCOL_VERSION"}'),
      (socket) => socket.close(),
    ]
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await new Promise((resolve) => server.once('listening', resolve))
    server.on('connection', (socket) => socket.on('message', () => answers.shift()?.(socket)))
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const outcome = () => hailGateway({ url, tokenId: tokenId(), settleMs: 5_000 })
    expect(await outcome()).toEqual({ kind: 'refused', reason: 'ERR_WRONG_PROTOCOL_VERSION' })
    expect(await outcome()).toMatchObject({ kind: 'refused' })
    await new Promise((resolve) => server.close(resolve))
    expect(await outcome()).toMatchObject({ kind: 'unreachable' })
  })
})

describe('createBrandProbe', () => {
  it('reads the status of a page, and null when nobody answers', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/there' ? 200 : 404
      response.end('page')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await using probe = createBrandProbe({ apiUrl: network.apiUrl })
    expect(await probe.getStatus(`${base}/there`)).toBe(200)
    expect(await probe.getStatus(`${base}/gone`)).toBe(404)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(await probe.getStatus(base)).toBeNull()
  })

  it('reads a feed as a page does: its origin, no redirection, 50,000 bytes of UTF-8 at most', async () => {
    const bodies: Readonly<Record<string, Buffer>> = {
      '/feed': Buffer.from('{"incidents":[]}'),
      '/marked': Buffer.from('\u{feff}{"incidents":[]}'),
      '/large': Buffer.alloc(50_001, ' '),
      '/latin': Buffer.from([0x7b, 0xe9, 0x7d]),
    }
    const server = createServer(({ url = '', headers }, response) => {
      if (url === '/moved') response.writeHead(302, { location: '/feed' })
      else response.setHeader('access-control-allow-origin', headers.origin ?? 'nobody')
      response.end(bodies[url])
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await using probe = createBrandProbe({ apiUrl: network.apiUrl })
    const read = (path: string) => probe.readFeed({ url: `${base}${path}`, origin: 'https://acme.example' })
    expect(await read('/feed')).toEqual({
      status: 200,
      isRedirected: false,
      allowedOrigin: 'https://acme.example',
      text: '{"incidents":[]}',
    })
    expect(await read('/marked')).toMatchObject({ status: 200, text: '{"incidents":[]}' })
    expect(await read('/moved')).toMatchObject({ status: 302, isRedirected: true })
    expect(await read('/large')).toMatchObject({ status: 200, text: null })
    expect(await read('/latin')).toMatchObject({ status: 200, text: null })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(await read('/feed')).toMatchObject({ status: null })
  })
})
