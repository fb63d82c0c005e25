import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { createConnection, type Socket } from 'node:net'
import { hailHash, parsePrivateKey, signText } from '@hailstone/protocol'
import { afterEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { createTextVerifier } from '../src/verify-text.ts'
import { nativeToken } from './native-token.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'
import { type RawMiner, rawMiner } from './raw-miner.ts'
import { until } from './until.ts'

const ends: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function quick(changes: Parameters<typeof quickNetwork>[0] = {}): Promise<QuickNetwork> {
  const network = await quickNetwork(changes)
  ends.push(() => network[Symbol.asyncDispose]())
  return network
}

const keyOf = ({ genesis }: QuickNetwork, at = 0) => {
  const account = genesis.accounts.developers[at]
  if (account === undefined) throw new Error('there are five developers')
  return account.privateKey
}

async function miner(network: QuickNetwork, at = 0): Promise<RawMiner> {
  const one = await rawMiner(network.url, { privateKey: keyOf(network, at) })
  ends.push(() => one.socket.terminate())
  return one
}

/** Connections at the gateway that are neither closed here nor there. */
function connect(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => resolve(socket))
    socket.on('error', () => {})
    ends.push(() => socket.destroy())
  })
}

const portOf = ({ url }: { readonly url: string }): number => Number(new URL(url).port)

/** Publishes the first beacon until the network counts the publication. */
async function proven(network: QuickNetwork, at = 0): Promise<RawMiner> {
  const one = await miner(network, at)
  let accepted = 0
  network.on('publicationJudged', ({ verdict, address }) => {
    if (verdict === 'accepted' && address === one.address) accepted++
  })
  one.mine()
  one.hail()
  await until(() => accepted > 0)
  return one
}

const unsigned = { sign: '00' }

test('A-7: a publication that is repeated is verified once', async () => {
  let verified = 0
  const verify = createTextVerifier()
  const network = await quick({
    fallbackMiner: false,
    verify: (given) => {
      verified++
      return verify(given)
    },
  })
  const one = await miner(network)
  const verdicts: string[] = []
  network.on('publicationJudged', ({ verdict }) => verdicts.push(verdict))
  one.hail()
  const beacon = await one.next()
  one.publish(beacon)
  await until(() => verdicts.length === 1)
  const afterFirst = verified
  for (let count = 0; count < 300; count++) one.publish(beacon)
  await until(() => verdicts.length >= 90)
  expect(verdicts[0]).toBe('accepted')
  expect(verdicts.slice(1).every((verdict) => verdict === 'ignored')).toBe(true)
  expect(verified - afterFirst).toBe(0)
})

test('A-7: frames beyond the allowance are left in the system of who sends them', async () => {
  const network = await quick({ gateway: { framesPerSecond: 0.001, framesAtOnce: 2 } })
  const one = await miner(network)
  const judged: unknown[] = []
  network.on('publicationJudged', (event) => judged.push(event))
  one.hail()
  await until(() => network.gateway.minersOnline().length === 1)
  const wrong = { id: one.address, m_hash: 'f'.repeat(64), token: nativeToken(), sign: '00' }
  const text = JSON.stringify({ ver: 4, method: 'publish', data: wrong })
  await until(() => network.gateway.minersOnline().length === 1)
  for (let count = 0; count < 5000; count++) one.send(text)
  // The other miner is served meanwhile; each piece that is read has some twelve of these frames.
  const other = await miner(network, 1)
  other.hail()
  await until(() => network.gateway.minersOnline().length === 2)
  expect(judged.length).toBeLessThan(100)
})

test('A-7: a key gets no new allowance by connecting again', async () => {
  const network = await quick({ gateway: { framesPerSecond: 0.001, framesAtOnce: 20 } })
  const judged: (string | null)[] = []
  network.on('publicationJudged', ({ address }) => judged.push(address))
  const countOf = ({ address }: RawMiner): number => judged.filter((one) => one === address).length
  const flood = async (at: number): Promise<RawMiner> => {
    const one = await miner(network, at)
    one.hail()
    await until(() => network.gateway.minersOnline().some(({ address }) => address === one.address))
    const wrong = { id: one.address, m_hash: 'f'.repeat(64), token: '0'.repeat(64), sign: '00' }
    for (let count = 0; count < 15; count++)
      one.send(JSON.stringify({ ver: 4, method: 'publish', data: wrong }))
    return one
  }
  const first = await flood(0)
  await until(() => countOf(first) > 0)
  for (let time = 0; time < 3; time++) await flood(0)
  // Another key that connects later is read. A low score may end its connection before all of its frames are.
  const other = await flood(1)
  await until(() => countOf(other) > 0)
  expect(countOf(first)).toBeLessThanOrEqual(20)
})

test('A-7: of many pings the newest is answered, and one answer at a time', async () => {
  const network = await quick({ gateway: { framesPerSecond: 1_000_000 } })
  const one = await miner(network)
  const answers: string[] = []
  one.socket.on('pong', (data) => answers.push(String(data)))
  // Packets are read as a whole, so most of these pings come to the gateway together.
  for (let number = 1; number <= 2000; number++) one.socket.ping(`ping ${number}`)
  await until(() => answers.at(-1) === 'ping 2000')
  expect(answers.length).toBeLessThan(500)
  expect(one.isOpen()).toBe(true)
})

test('A-7: strangers in any number leave the places of miners with stake', async () => {
  const network = await quick({ gateway: { maxMiners: 20 } })
  const honest = await proven(network)
  const staked = await miner(network, 1)
  staked.hail()
  await until(() => network.gateway.minersOnline().length === 2)
  for (let number = 0; number < 60; number++) {
    const socket = new WebSocket(network.url)
    socket.on('error', () => {})
    ends.push(() => socket.terminate())
    await new Promise((resolve) => socket.once('open', resolve))
    const id = `02${createHash('sha256').update(`stranger ${number}`).digest('hex')}`
    socket.send(JSON.stringify({ ver: 4, method: 'hail', data: { id, token: '', hash: '', sign: '' } }))
  }
  await until(() => network.gateway.minersOnline().length >= 18)
  expect(network.gateway.minersOnline().length).toBeLessThanOrEqual(20)
  const late = await miner(network, 2)
  late.hail()
  await until(() => network.gateway.minersOnline().some(({ address }) => address === late.address))
  expect([honest.isOpen(), staked.isOpen()]).toEqual([true, true])
})

test('A-8: upgrades without a hail are closed', async () => {
  const network = await quick({ gateway: { hailTimeoutMs: 100 } })
  const silent = await miner(network)
  expect(await silent.closed).toBe(1008)
})

test('A-8: half requests never take more places than there are, and a miner comes in among them', async () => {
  const network = await quick({ gateway: { maxMiners: 50 } })
  const halves = await Promise.all(Array.from({ length: 200 }, () => connect(portOf(network))))
  let closed = 0
  for (const socket of halves) {
    socket.once('close', () => closed++)
    socket.resume()
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgr')
  }
  await until(() => closed >= 150)
  const honest = await proven(network)
  expect(honest.isOpen()).toBe(true)
})

test('A-8: a request that stays half is answered with 408 and closed', async () => {
  const network = await quick()
  const socket = await connect(portOf(network))
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n')
  await closed
  expect(text).toMatch(/^HTTP\/1\.1 408 /)
})

async function started(options: Parameters<typeof startLocalNetwork>[0] = {}): Promise<LocalNetwork> {
  const network = await startLocalNetwork({ blockTimeMs: 3_600_000, ...options })
  ends.push(network.stop)
  return network
}

/** Status of an upgrade with these headers. */
function upgradeStatus(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest(url.replace('ws:', 'http:'), { headers: { ...upgrade, ...headers } })
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      resolve(101)
    })
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end()
  })
}

test('A-9: pages of this machine may mine, other pages and other names may not', async () => {
  const { gatewayUrl } = await started()
  for (const origin of [
    'http://127.0.0.1:4412',
    'http://localhost:4413',
    'http://[::1]:8080',
    'https://app.localhost',
    'capacitor://localhost',
  ])
    expect(await upgradeStatus(gatewayUrl, { origin }), origin).toBe(101)
  for (const origin of [
    'https://page.example',
    'http://127.0.0.1.page.example',
    'http://localhost@page.example',
    'null',
    'file://',
    '',
  ])
    expect(await upgradeStatus(gatewayUrl, { origin }), origin).toBe(403)
  expect(await upgradeStatus(gatewayUrl, { host: 'rebound.example' })).toBe(403)
  expect(await upgradeStatus(gatewayUrl, {})).toBe(101)
})

test('A-9: other origins and names may mine where the network was told so', async () => {
  const { gatewayUrl } = await started({
    allowOrigins: ['https://app.example'],
    allowHosts: ['node.example'],
  })
  expect(await upgradeStatus(gatewayUrl, { origin: 'https://app.example' })).toBe(101)
  expect(await upgradeStatus(gatewayUrl, { origin: 'http://app.example' })).toBe(403)
  expect(await upgradeStatus(gatewayUrl, { host: 'node.example' })).toBe(101)
})

test('A-9: a hail without a signature does not throw a proven miner out', async () => {
  const network = await quick()
  const honest = await proven(network)
  for (let count = 0; count < 5; count++) {
    const thief = await miner(network)
    thief.hail(unsigned)
    await thief.closed
    expect(thief.frames.at(-1)).toEqual({ ver: 4n, err: 'ERR_DUPLICATE_KEY' })
  }
  expect(honest.isOpen()).toBe(true)
  expect(honest.frames.every(({ err }) => err === undefined)).toBe(true)
})

test('A-9: hails without a signature in a row do not flood the miner with pings', async () => {
  const network = await quick()
  const honest = await proven(network)
  let pings = 0
  honest.socket.on('ping', () => pings++)
  const startedAt = performance.now()
  for (let count = 0; count < 200; count++) {
    const thief = await miner(network)
    thief.hail(unsigned)
    await thief.closed
  }
  const seconds = Math.ceil((performance.now() - startedAt) / 1000)
  expect(pings).toBeGreaterThan(0)
  expect(pings).toBeLessThanOrEqual(seconds + 1)
  expect(honest.isOpen()).toBe(true)
})

test('A-9: hails without a signature do not throw out a miner whose hail was signed', async () => {
  // Nothing is offered, so nobody is proven by a publication.
  const network = await quick({ gateway: { feederIntervalMs: 3_600_000 } })
  const thief = await miner(network)
  thief.hail(unsigned)
  await until(() => network.gateway.minersOnline().length === 1)
  const owner = await miner(network)
  owner.hail()
  await thief.closed
  for (let count = 0; count < 3; count++) {
    const another = await miner(network)
    another.hail(unsigned)
    await another.closed
    expect(another.frames.at(-1)).toEqual({ ver: 4n, err: 'ERR_DUPLICATE_KEY' })
  }
  expect(owner.isOpen()).toBe(true)
  expect(owner.frames).toEqual([])
})

test('A-7: empty parts of a message use up the allowance of a stranger', async () => {
  const network = await quick({ gateway: { hailTimeoutMs: 2000 } })
  const stranger = await miner(network)
  const parts = stranger.socket as WebSocket
  parts.send('{', { fin: false })
  for (let count = 0; count < 10_000; count++) parts.send('', { fin: false })
  parts.send('}', { fin: true })
  stranger.hail()
  // The hail stands behind more than may be read in time.
  expect(await stranger.closed).toBe(1008)
  expect(stranger.frames).toEqual([])
})

test.each(['plain', 'extended'])(
  'A-9: the owner of the key takes over by a signed hail, %s',
  async (form) => {
    const network = await quick()
    const older = await proven(network)
    const newer = await miner(network)
    const token = nativeToken()
    const hash =
      form === 'plain'
        ? hailHash('127.0.0.1')
        : createHash('sha256').update(`127.0.0.1${token}`).digest('hex')
    newer.hail({ hash, sign: signText(hash, parsePrivateKey(keyOf(network))) })
    await older.closed
    expect(older.frames.at(-1)).toEqual({ ver: 4n, err: 'ERR_DUPLICATE_KEY' })
    expect(newer.isOpen()).toBe(true)
  },
)

test('A-9: a proven miner whose connection is dead gives way to any hail', async () => {
  const network = await quick()
  const dead = await proven(network)
  // Nothing is read from now on, so no pong is written either.
  dead.socket.pause()
  const back = await miner(network)
  back.hail(unsigned)
  await until(() => network.gateway.sendProbe(back.address) && back.frames.length > 0)
  expect(back.frames.every(({ method }) => method === 'on_leader_beacon')).toBe(true)
})
