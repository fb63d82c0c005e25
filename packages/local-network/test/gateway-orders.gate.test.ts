import { randomBytes } from 'node:crypto'
import { addressOf, microblockHashOf, parsePrivateKey } from '@hailstone/protocol'
import { describe, expect, test } from 'vitest'
import { seed } from '../../../scripts/seed.ts'
import { chance } from './fuzz/random.ts'
import { quickNetwork } from './quick-network.ts'
import { type Frame, rawMiner } from './raw-miner.ts'
import { until } from './until.ts'
import { minedBy, useGateway } from './use-gateway.ts'

const gateway = useGateway()
const { developer, hungUp, closeWith } = gateway

describe('orders of the operator', () => {
  test('sends a miner to another address', async () => {
    const miner = await developer(0)
    miner.hail()
    await until(() => gateway.network.gateway.sendPeer(miner.address, '127.0.0.1', 3000))
    await until(() => miner.frames.some(({ method }) => method === 'peer'))
    const peer = miner.frames.find(({ method }) => method === 'peer')
    expect(peer?.data).toEqual({ ip: '127.0.0.1', port: 3000n })
    expect(gateway.network.gateway.sendPeer(addressOf(parsePrivateKey('1'.repeat(64))), 'x', 1)).toBe(false)
    await hungUp()
  })

  test('sends a probe whose hash is right and whose answer is not the outstanding one', async () => {
    const miner = await developer(0)
    miner.hail()
    await until(() => gateway.network.gateway.sendProbe(miner.address))
    const isProbe = ({ data }: Frame) =>
      (data?.mblock_data as { txs: unknown[] } | undefined)?.txs.length === 0
    await until(() => miner.frames.some(isProbe))
    const probe = miner.frames.find(isProbe)
    const content = probe?.data?.mblock_data as { kblocks_hash: string }
    const parts = { keyBlockHash: content.kblocks_hash, nonce: 1, publisher: miner.address }
    expect(probe?.data?.m_hash).toBe(microblockHashOf({ ...parts, transactionHashes: [] }))
    await hungUp()
  })

  test('pings, and cuts a connection that does not answer', async () => {
    await using pinging = await quickNetwork({ gateway: { pingIntervalMs: 300 } })
    const [first, second] = pinging.genesis.accounts.developers
    if (first === undefined || second === undefined) throw new Error('should be funded')
    const alive = await rawMiner(pinging.url, { privateKey: first.privateKey })
    const dead = await rawMiner(pinging.url, { privateKey: second.privateKey })
    let pings = 0
    alive.socket.on('ping', () => pings++)
    alive.hail()
    dead.hail()
    await until(() => pinging.gateway.minersOnline().length === 2)
    // Nothing is read from now on, so no pong is written either.
    dead.socket.pause()
    await until(() => pings >= 4)
    expect(alive.isOpen()).toBe(true)
    dead.socket.resume()
    expect(await dead.closed).toBe(1006)
    alive.close()
  })

  test('answers pings of a client', async () => {
    const miner = await developer(0)
    const pong = new Promise((resolve) => miner.socket.once('pong', resolve))
    miner.socket.ping()
    await pong
    await hungUp()
  })
})

describe('nonsense', () => {
  const members = [
    'ver',
    'method',
    'data',
    'id',
    'token',
    'm_hash',
    'sign',
    'referrer',
    '__proto__',
    'toString',
  ]
  const values = [
    'null',
    '4',
    '"4"',
    '[]',
    '{}',
    '"hail"',
    '"publish"',
    'true',
    '1e999',
    '-0',
    '"\\ud800"',
    '""',
  ]
  const luck = chance(seed)
  const pick = (from: readonly string[]): string => luck.pick(from)

  const randomObject = (depth: number): string => {
    const count = luck.below(5)
    const parts = Array.from({ length: count }, () => {
      const value = depth > 0 && luck.next() < 0.4 ? randomObject(depth - 1) : pick(values)
      return `${JSON.stringify(pick(members))}:${value}`
    })
    // With a version most of the time, so that a connection hears more than one of them.
    return `{${[...(luck.next() < 0.98 ? ['"ver":4'] : []), ...parts.filter((part) => !part.startsWith('"ver"'))].join(',')}}`
  }

  const fixed = (address: string): readonly string[] => [
    'hello',
    '',
    'null',
    '[]',
    '{}',
    '"',
    '[[[[',
    '\u0000',
    '{"ver":4}',
    '{"ver":4,"method":null}',
    '{"ver":4,"method":"publish"}',
    '{"ver":4,"method":"publish","data":null}',
    '{"ver":4,"method":"hail","data":[]}',
    '{"ver":4,"method":"hail","data":{"id":{}}}',
    `{"ver":4,"method":"hail","data":{"id":"${address}","token":{}}}`,
    '{"__proto__":{"ver":4,"method":"hail"}}',
    '{"ver":4,"method":"__proto__"}',
    '{"ver":4,"method":"hail","data":{"__proto__":{"id":1}}}',
    '['.repeat(30_000),
  ]

  test('1,000 frames of it and frames of 10 MB leave another miner mining', async () => {
    const honest = await developer(0)
    honest.mine()
    honest.hail()
    let sent = 0
    while (sent < 1000) {
      const noisy = await developer(4)
      const frames = [...fixed(noisy.address), ...Array.from({ length: 60 }, () => randomObject(3))]
      for (const frame of frames.sort(() => luck.next() - 0.5)) {
        if (!noisy.isOpen()) break
        noisy.send(luck.next() < 0.1 ? randomBytes(40) : frame)
        sent++
        if (sent % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      noisy.close()
    }
    const huge = await developer(4)
    huge.send(Buffer.alloc(10 * 1024 * 1024, '{'))
    expect(await huge.closed).toBe(1009)
    const calculated = await closeWith(honest)
    expect(minedBy(calculated, honest).length).toBeGreaterThan(0)
    expect(honest.isOpen()).toBe(true)
    await hungUp()
  })
})
