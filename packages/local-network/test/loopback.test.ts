import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGenesis } from '@hailstone/ledger'
import { addressOf, type Hash, parsePrivateKey } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { openChainStore } from '../src/store/index.ts'

let network: LocalNetwork
beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeMs: 3_600_000 })
})
afterAll(() => network.stop())

/** Addresses of this machine that are not loopback, and a loopback address that nobody asked for. */
const others = [
  '127.0.0.2',
  ...Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one === undefined || one.internal || one.family !== 'IPv4' ? [] : [one.address])),
]

const attempt = (host: string, port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ host, port }, () => {
      socket.destroy()
      resolve('connected')
    }).on('error', (error) => resolve('code' in error ? String(error.code) : error.message))
  })

describe('S-11: without a host', () => {
  test('both ports listen on loopback and on no other address of the machine', async () => {
    for (const url of [network.apiUrl, network.gatewayUrl]) {
      const { hostname, port } = new URL(url)
      expect(hostname).toBe('127.0.0.1')
      expect(await attempt(hostname, Number(port))).toBe('connected')
      // macOS has one loopback address alone, and a packet to another is answered by nobody.
      const refused = process.platform === 'darwin' ? others.slice(1) : others
      for (const host of refused) expect(await attempt(host, Number(port)), host).toBe('ECONNREFUSED')
    }
  })

  test('control is refused on another address than loopback', async () => {
    const asked = startLocalNetwork({ host: '0.0.0.0', control: true })
    await expect(asked).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID', facts: { path: 'control' } })
  })
})

describe('S-11: keys and chains of a real network', () => {
  test('every key that the network is born with follows from its seed: none can be brought along', () => {
    const { accounts } = createGenesis({ seed: 'one', time: 0 })
    const again = createGenesis({ seed: 'one', time: 1 }).accounts
    for (const account of Object.values(accounts).flat()) {
      expect(addressOf(account.privateKey)).toBe(account.address)
      const same = Object.values(again).flat()
      expect(same.find(({ name }) => name === account.name)?.privateKey).toBe(account.privateKey)
    }
  })

  const someKey = parsePrivateKey('1f'.repeat(32))
  const genesis = createGenesis({ seed: 'hailstone', time: 0 })
  test.each([
    {
      what: 'whose origin block is that of another network',
      origin: { ...genesis, origin: { ...genesis.origin, hash: 'BITGENESIS' as Hash } },
      reason: 'BITGENESIS',
    },
    {
      what: 'whose genesis account has a key of its own',
      origin: {
        ...genesis,
        parameters: {
          ...genesis.parameters,
          ledger: { ...genesis.parameters.ledger, genesis: addressOf(someKey) },
        },
      },
      reason: 'another version',
    },
  ])('a stored chain $what is refused and left as it was', async ({ origin, reason }) => {
    const folder = await mkdtemp(join(tmpdir(), 'another-chain-'))
    try {
      const store = await openChainStore({ folder })
      await store.initialise(origin)
      await store.close()
      for (let time = 0; time < 2; time++) {
        const started = startLocalNetwork({ dataDirectory: folder })
        await expect(started).rejects.toMatchObject({ code: 'STORE_INVALID' })
        await expect(started).rejects.toThrow(reason)
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
