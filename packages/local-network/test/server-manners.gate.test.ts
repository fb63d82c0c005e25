import { createConnection, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '../src/serve.ts'
import { describeEngines } from './engines.ts'
import { ask } from './plain-http.ts'
import { rawMiner } from './raw-miner.ts'

const TOO_LONG = 110_000

describeEngines('a server and its clients', (engine) => {
  const running: LocalNetwork[] = []
  afterEach(async () => {
    for (const network of running.splice(0)) await network.stop()
  })

  async function newOptions(): Promise<LocalNetworkOptions> {
    const { folder, database } = await engine.newPlace()
    return { blockTimeMs: 3_600_000, dataDirectory: folder, database }
  }
  async function start(options: LocalNetworkOptions): Promise<LocalNetwork> {
    const network = await startLocalNetwork(options)
    running.push(network)
    return network
  }

  test('D1: listens on loopback, and refuses names and origins that are not its own', async () => {
    const network = await start({ ...(await newOptions()), control: true })
    for (const url of [network.apiUrl, network.gatewayUrl]) expect(new URL(url).hostname).toBe('127.0.0.1')
    const foreign = await ask(`${network.apiUrl}/height`, { headers: { host: 'rebound.example' } })
    expect(foreign.status).toBe(403)
    expect(foreign.text).toContain('"err":1')
    const page = { headers: { origin: 'https://page.example' }, method: 'POST', body: {} }
    expect((await ask(`${network.controlUrl}/mine`, page)).status).toBe(403)
    expect(network.height()).toBe(0)
  })

  test('D1: a body or head that is too long is refused in words, and others are served meanwhile', async () => {
    const network = await start(await newOptions())
    const body = [{ data: 'a'.repeat(TOO_LONG) }]
    const [long, head, other] = await Promise.all([
      ask(`${network.apiUrl}/tx`, { method: 'POST', body }),
      ask(`${network.apiUrl}/height`, { headers: { 'x-long': 'a'.repeat(20_000) } }),
      ask(`${network.apiUrl}/lastblocks`),
    ])
    expect([long.status, head.status, other.status]).toEqual([413, 431, 200])
    for (const { text } of [long, head]) expect(text).toMatch(/^\{"err":1,"message":"[^"]+"\}$/)
  })

  test('D2: a fault script with a typing error keeps it from starting, and gives the store back', async () => {
    const options = await newOptions()
    const faults = { rules: [{ on: 'htpp', fault: { silent: true } }] } as never
    await expect(startLocalNetwork({ ...options, faults })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      facts: { path: 'rules[0].on' },
    })
    expect((await start(options)).height()).toBe(0)
  })

  test('D3: stops within two seconds whatever is open, and goes on where it stopped', async () => {
    const options = await newOptions()
    const network = await start(options)
    const [account] = network.accounts.developers
    if (account === undefined) throw new Error('there are five developers')
    await network.closeNow()
    const miner = await rawMiner(network.gatewayUrl, { privateKey: account.privateKey })
    miner.hail()
    const sockets = await Promise.all([0, 1, 2].map(() => connected(network)))
    sockets[1]?.write('GET /api/v1/height HTTP/1.1\r\nHost: localhost\r\n')
    sockets[2]?.write('POST /api/v1/tx HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n[')
    const reading = Array.from({ length: 20 }, () => ask(`${network.apiUrl}/lastblocks`))
    const began = performance.now()
    await network.stop()
    expect(performance.now() - began).toBeLessThan(withinMs(2000))
    await Promise.all([...reading, miner.closed])
    const next = await start(options)
    expect([next.height(), next.seed]).toEqual([1, network.seed])
    await next.closeNow()
    expect(next.height()).toBe(2)
  })
})

function connected(network: LocalNetwork): Promise<Socket> {
  const { port } = new URL(network.apiUrl)
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port: Number(port) }, () => resolve(socket))
    socket.on('error', () => {})
  })
}
