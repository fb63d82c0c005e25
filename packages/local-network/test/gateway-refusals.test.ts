import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { nativeToken } from './native-token.ts'
import { quickNetwork } from './quick-network.ts'
import { rawMiner } from './raw-miner.ts'
import { until } from './until.ts'
import { describeGateways } from './use-gateway.ts'

describeGateways('D-9: refusals', (gateway) => {
  const { developer, connect, hungUp, closeWith } = gateway

  test('sends the duplicate-key error to the older connection and hangs up on it', async () => {
    const older = await developer(0)
    older.hail()
    await until(() => gateway.network.gateway.minersOnline().length === 1)
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
      expect(gateway.network.gateway.minersOnline()).toEqual([])
      await hungUp()
    },
  )

  test('takes 4.0 for the number 4', async () => {
    const miner = await developer(0)
    miner.send(`{"ver":4.0,"method":"hail","data":{"id":"${miner.address}"}}`)
    await until(() => gateway.network.gateway.minersOnline().length === 1)
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
    const data = { id: stranger.address, m_hash: 'a'.repeat(64), token: nativeToken(), sign: '00' }
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
