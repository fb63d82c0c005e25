import { randomBytes } from 'node:crypto'
import {
  type Address,
  addressOf,
  microblockHashOf,
  parsePrivateKey,
  transactionHashOfTexts,
} from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CalculatedMacroblock } from '../src/chain/block-producer.ts'
import { payment } from './payments.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'
import { type Frame, type RawMiner, rawMiner } from './raw-miner.ts'

const COIN = 10n ** 10n

let network: QuickNetwork
let miners: RawMiner[] = []

beforeAll(async () => {
  network = await quickNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

/** A miner with one of the funded keys; hung up after the test. */
async function developer(number: number, token?: string): Promise<RawMiner> {
  const account = network.genesis.accounts.developers[number]
  if (account === undefined) throw new Error('there are five developers')
  return connect(account.privateKey, token)
}

async function connect(privateKey: string, token?: string): Promise<RawMiner> {
  const key = parsePrivateKey(privateKey)
  const miner = await rawMiner(
    network.url,
    token === undefined ? { privateKey: key } : { privateKey: key, token },
  )
  miners.push(miner)
  return miner
}

async function hungUp(): Promise<void> {
  for (const miner of miners) miner.close()
  await Promise.all(miners.map(({ closed }) => closed))
  miners = []
  await until(() => network.gateway.minersOnline().length === 0)
}

async function until(claim: () => boolean, timeoutMs = 30_000): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!claim()) {
    if (Date.now() > end) throw new Error(`not within ${timeoutMs} ms: ${claim}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const balance = (address: Address, tokenId = network.genesis.tokens.native.id): bigint =>
  network.ledger.balance(address, tokenId) ?? 0n

/** Waits until the open macroblock has a microblock of the miner, then closes it. */
async function closeWith(miner: RawMiner): Promise<CalculatedMacroblock> {
  await until(() =>
    (network.producer.openMacroblock()?.microblocks ?? []).some(
      ({ publisher }) => publisher === miner.address,
    ),
  )
  const calculated = await network.producer.closeNow()
  if (calculated === null) throw new Error('should be closed')
  return calculated
}

const minedBy = ({ macroblock }: CalculatedMacroblock, miner: RawMiner) =>
  macroblock.microblocks.filter(({ publisher }) => publisher === miner.address)

describe('mining', () => {
  test('hail, beacon, publication, microblock, reward', async () => {
    const miner = await developer(0)
    const before = balance(miner.address)
    miner.hail()
    const beacon = await miner.next()
    expect(beacon.method).toBe('on_leader_beacon')
    const hash = miner.publish(beacon)
    const calculated = await closeWith(miner)
    expect(calculated.macroblock.microblocks.map((microblock) => microblock.hash)).toContain(hash)
    const reward = calculated.closed.report.microblockRewards.find((one) => one.hash === hash)?.reward ?? 0n
    expect(reward).toBeGreaterThan(0n)
    expect(balance(miner.address) - before).toBe(
      calculated.closed.report.microblockRewards.reduce((sum, one) => sum + one.reward, 0n),
    )
    // There is no acknowledgement: all that came are beacons.
    expect(miner.frames.every(({ method }) => method === 'on_leader_beacon')).toBe(true)
    await hungUp()
  })

  test('a beacon carries texts for amounts and nonces and hashes that can be recomputed', async () => {
    const miner = await developer(0)
    miner.hail()
    const { data } = await miner.next()
    const content = data?.mblock_data as {
      txs: Record<string, string>[]
      kblocks_hash: string
      nonce: bigint
    }
    expect(data).not.toHaveProperty('leader_sign')
    expect(content.kblocks_hash).toBe(network.producer.openKeyBlock().hash)
    const transactionHashes = content.txs.map((offered) => {
      expect([typeof offered.amount, typeof offered.nonce]).toEqual(['string', 'string'])
      const { amount = '', data: memo = '', from = '', nonce = '', sign = '', ticker = '', to = '' } = offered
      const texts = { amount, data: memo, from, nonce, signature: sign, tokenId: ticker, to }
      expect(offered.hash).toBe(transactionHashOfTexts(texts))
      return offered.hash ?? ''
    })
    const parts = { keyBlockHash: content.kblocks_hash, nonce: content.nonce, publisher: miner.address }
    expect(data?.m_hash).toBe(microblockHashOf({ ...parts, transactionHashes }))
    await hungUp()
  })

  test('pays both halves of the referral reward to publisher and agent', async () => {
    const miner = await developer(0)
    const [, agent] = network.genesis.accounts.developers
    if (agent === undefined) throw new Error('should be funded')
    const before = { miner: balance(miner.address), agent: balance(agent.address) }
    miner.mine({ referrer: agent.address })
    miner.hail({ referrer: agent.address })
    const calculated = await closeWith(miner)
    const agentReward = balance(agent.address) - before.agent
    expect(agentReward).toBeGreaterThan(0n)
    const rewards = calculated.closed.report.microblockRewards.reduce((sum, { reward }) => sum + reward, 0n)
    expect(balance(miner.address) - before.miner).toBe(rewards + agentReward)
    const types = calculated.closed.report.records.filter(({ account }) => account === agent.address)
    expect(types.every(({ type }) => type === 'iref')).toBe(true)
    await hungUp()
  })

  test('mines a custom token, with a native microblock of the house beside it', async () => {
    const { mineable, native } = network.genesis.tokens
    const miner = await developer(0, mineable.id)
    const before = balance(miner.address, mineable.id)
    miner.mine()
    miner.hail()
    const calculated = await closeWith(miner)
    expect(minedBy(calculated, miner).every(({ tokenId }) => tokenId === mineable.id)).toBe(true)
    const house = calculated.macroblock.microblocks.filter(({ tokenId }) => tokenId === native.id)
    expect(house.map(({ publisher }) => publisher)).toContain(network.genesis.accounts.houseMiner.address)
    expect(balance(miner.address, mineable.id)).toBeGreaterThan(before)
    expect(network.ledger.token(mineable.id)?.totalSupply).toBeGreaterThan(mineable.totalSupply)
    await hungUp()
  })

  test('gives every connected miner and every mined token a microblock in each macroblock', async () => {
    const { mineable } = network.genesis.tokens
    const all = await Promise.all([developer(0), developer(1), developer(2, mineable.id)])
    for (const miner of all) {
      miner.mine()
      miner.hail()
    }
    for (let block = 0; block < 3; block++) {
      await until(() => (network.producer.openMacroblock()?.microblocks.length ?? 0) >= 3)
      const calculated = await network.producer.closeNow()
      const tokens = new Set(calculated?.macroblock.microblocks.map(({ tokenId }) => tokenId))
      expect(tokens.size).toBe(2)
    }
    await hungUp()
  })

  test('fills microblocks when many transactions wait, and offers each one once', async () => {
    const [from, to] = network.genesis.accounts.developers
    if (from === undefined || to === undefined) throw new Error('should be funded')
    const sent = Array.from({ length: 12 }, () =>
      payment(network.genesis, { from, to: to.address, amount: COIN }),
    )
    const miner = await developer(2)
    for (const { transaction, hash } of sent) network.mempool.add(transaction, hash)
    miner.mine()
    miner.hail()
    await until(() => sent.every(({ hash }) => network.producer.openMacroblock()?.holds(hash) === true))
    const calculated = await network.producer.closeNow()
    const sizes = minedBy(calculated as CalculatedMacroblock, miner).map(
      ({ transactions }) => transactions.length,
    )
    expect(Math.max(...sizes)).toBe(3)
    const statuses = (calculated?.closed.report.transactions ?? []).filter(({ hash }) =>
      sent.some((one) => one.hash === hash),
    )
    expect(statuses.map(({ status }) => status)).toEqual(sent.map(() => 'confirmed'))
    await hungUp()
  })

  test('takes a late answer without punishment and without including it', async () => {
    const miner = await developer(0)
    miner.hail()
    const beacon = await miner.next()
    await network.producer.closeNow()
    // The gateway may have sent a newer beacon by now; then the answer is to an older one, which is ignored too.
    const hash = miner.publish(beacon)
    miner.mine()
    const calculated = await closeWith(miner)
    expect(calculated.macroblock.microblocks.some((microblock) => microblock.hash === hash)).toBe(false)
    expect(miner.isOpen()).toBe(true)
    await hungUp()
  })

  test('offers a transaction again when its miner stays silent', async () => {
    const silent = await developer(0)
    silent.hail()
    const first = await silent.next()
    const second = await silent.next()
    const offered = ({ data }: Frame) =>
      ((data?.mblock_data ?? { txs: [] }) as { txs: { hash: string }[] }).txs.map(({ hash }) => hash)
    expect(offered(second)).toEqual(offered(first))
    await hungUp()
  })
})

describe('refusals', () => {
  test('sends the duplicate-key error to the older connection and hangs up on it', async () => {
    const older = await developer(0)
    older.hail()
    await until(() => network.gateway.minersOnline().length === 1)
    const newer = await developer(0)
    newer.mine()
    newer.hail()
    await older.closed
    expect(older.frames.at(-1)).toEqual({ ver: 4n, err: 'ERR_DUPLICATE_KEY' })
    await closeWith(newer)
    expect(newer.isOpen()).toBe(true)
    await hungUp()
  })

  test('cuts a connection that hails twice', async () => {
    const miner = await developer(0)
    miner.hail()
    miner.hail()
    await miner.closed
    expect(miner.frames.at(-1)).toEqual({ ver: 4n, err: 'ERR_DUPLICATE_KEY' })
    await hungUp()
  })

  test.each(['3', '"4"', 'null', '[4]', '5'])(
    'refuses version %s without evaluating the message',
    async (version) => {
      const miner = await developer(0)
      miner.send(`{"ver":${version},"method":"hail","data":{"id":"${miner.address}"}}`)
      await miner.closed
      expect(miner.frames).toEqual([{ ver: 4n, err: 'ERR_WRONG_PROTOCOL_VERSION' }])
      expect(network.gateway.minersOnline()).toEqual([])
      await hungUp()
    },
  )

  test('takes 4.0 for the number 4', async () => {
    const miner = await developer(0)
    miner.send(`{"ver":4.0,"method":"hail","data":{"id":"${miner.address}"}}`)
    await until(() => network.gateway.minersOnline().length === 1)
    await hungUp()
  })

  test('refuses an unknown method without a version, and ignores one with it', async () => {
    const miner = await developer(0)
    miner.send('{"ver":4,"method":"nonsense"}')
    miner.mine()
    miner.hail()
    await closeWith(miner)
    miner.send('{"method":"nonsense"}')
    await miner.closed
    expect(miner.frames.at(-1)).toEqual({ ver: 4n, err: 'ERR_WRONG_PROTOCOL_VERSION' })
    await hungUp()
  })

  test('cuts a miner with too little stake without a message, after its first publication', async () => {
    const poor = await connect(randomBytes(32).toString('hex'))
    poor.hail()
    const beacon = await poor.next()
    poor.publish(beacon)
    // No closing handshake: the connection just ends.
    expect(await poor.closed).toBe(1006)
    expect(poor.frames.every(({ err }) => err === undefined)).toBe(true)
    await hungUp()
  })

  test('cuts a miner that publishes before it hails', async () => {
    const stranger = await developer(3)
    const data = { id: stranger.address, m_hash: 'a'.repeat(64), token: '0'.repeat(64), sign: '00' }
    stranger.send(JSON.stringify({ ver: 4, method: 'publish', data }))
    expect(await stranger.closed).toBe(1006)
    await hungUp()
  })

  test('never punishes the answer to a beacon it did not send last', async () => {
    const miner = await developer(0)
    miner.hail()
    const beacon = await miner.next()
    miner.publish(beacon, { change: { m_hash: 'b'.repeat(64) } })
    miner.mine()
    miner.publish(beacon)
    await closeWith(miner)
    expect(miner.isOpen()).toBe(true)
    await hungUp()
  })

  test('keeps an unsigned hail out in strict mode, and a signed one in', async () => {
    await using strict = await quickNetwork({ gateway: { strictHail: true } })
    const [account] = strict.genesis.accounts.developers
    if (account === undefined) throw new Error('should be funded')
    const liar = await rawMiner(strict.url, { privateKey: account.privateKey })
    liar.hail({ sign: '00' })
    expect(await liar.closed).toBe(1006)
    const honest = await rawMiner(strict.url, { privateKey: account.privateKey })
    honest.hail()
    expect((await honest.next()).method).toBe('on_leader_beacon')
    honest.close()
  })
})

describe('orders of the operator', () => {
  test('sends a miner to another address', async () => {
    const miner = await developer(0)
    miner.hail()
    await until(() => network.gateway.sendPeer(miner.address, '127.0.0.1', 3000))
    await until(() => miner.frames.some(({ method }) => method === 'peer'))
    const peer = miner.frames.find(({ method }) => method === 'peer')
    expect(peer?.data).toEqual({ ip: '127.0.0.1', port: 3000n })
    expect(network.gateway.sendPeer(addressOf(parsePrivateKey('1'.repeat(64))), 'x', 1)).toBe(false)
    await hungUp()
  })

  test('sends a probe whose hash is right and whose answer is not the outstanding one', async () => {
    const miner = await developer(0)
    miner.hail()
    await until(() => network.gateway.sendProbe(miner.address))
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
    // Nothing is read from now on, so no pong is written either.
    dead.socket.pause()
    alive.hail()
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
  const pick = (from: readonly string[]): string => from[Math.floor(Math.random() * from.length)] ?? ''

  const randomObject = (depth: number): string => {
    const count = Math.floor(Math.random() * 5)
    const parts = Array.from({ length: count }, () => {
      const value = depth > 0 && Math.random() < 0.4 ? randomObject(depth - 1) : pick(values)
      return `${JSON.stringify(pick(members))}:${value}`
    })
    // With a version most of the time, so that a connection hears more than one of them.
    return `{${[...(Math.random() < 0.98 ? ['"ver":4'] : []), ...parts.filter((part) => !part.startsWith('"ver"'))].join(',')}}`
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
      for (const frame of frames.sort(() => Math.random() - 0.5)) {
        if (!noisy.isOpen()) break
        noisy.send(Math.random() < 0.1 ? randomBytes(40) : frame)
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
  }, 20_000)
})
