import { microblockHashOf, transactionHashOfTexts } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import type { CalculatedMacroblock } from '../src/chain/calculated-macroblock.ts'
import { payment } from './payments.ts'
import type { Frame } from './raw-miner.ts'
import { until } from './until.ts'
import { describeGateways, minedBy } from './use-gateway.ts'

const COIN = 10n ** 10n

describeGateways('D-9: mining', (gateway) => {
  const { developer, hungUp, balance, closeWith } = gateway

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
    expect(content.kblocks_hash).toBe(gateway.network.producer.openKeyBlock().hash)
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
    const [, agent] = gateway.network.genesis.accounts.developers
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

  test('mines a custom token, with a native microblock of the fallback miner beside it', async () => {
    const { mineable, native } = gateway.network.genesis.tokens
    const miner = await developer(0, mineable.id)
    const before = balance(miner.address, mineable.id)
    miner.mine()
    miner.hail()
    const calculated = await closeWith(miner)
    expect(minedBy(calculated, miner).every(({ tokenId }) => tokenId === mineable.id)).toBe(true)
    const fallback = calculated.macroblock.microblocks.filter(({ tokenId }) => tokenId === native.id)
    expect(fallback.map(({ publisher }) => publisher)).toContain(
      gateway.network.genesis.accounts.fallbackMiner.address,
    )
    expect(balance(miner.address, mineable.id)).toBeGreaterThan(before)
    expect(gateway.network.ledger.token(mineable.id)?.totalSupply).toBeGreaterThan(mineable.totalSupply)
    await hungUp()
  })

  test('gives every connected miner and every mined token a microblock in each macroblock', async () => {
    const { mineable } = gateway.network.genesis.tokens
    const all = await Promise.all([developer(0), developer(1), developer(2, mineable.id)])
    for (const miner of all) {
      miner.mine()
      miner.hail()
    }
    for (let block = 0; block < 3; block++) {
      await until(() => (gateway.network.producer.openMacroblock()?.microblocks.length ?? 0) >= 3)
      const calculated = await gateway.network.producer.closeNow()
      const tokens = new Set(calculated?.macroblock.microblocks.map(({ tokenId }) => tokenId))
      expect(tokens.size).toBe(2)
    }
    await hungUp()
  })

  test('fills microblocks when many transactions wait, and offers each one once', async () => {
    const [from, to] = gateway.network.genesis.accounts.developers
    if (from === undefined || to === undefined) throw new Error('should be funded')
    const sent = Array.from({ length: 12 }, () =>
      payment(gateway.network.genesis, { from, to: to.address, amount: COIN }),
    )
    const miner = await developer(2)
    for (const { transaction, hash } of sent) gateway.network.mempool.add(transaction, hash)
    miner.mine()
    miner.hail()
    await until(() =>
      sent.every(({ hash }) => gateway.network.producer.openMacroblock()?.holds(hash) === true),
    )
    const calculated = await gateway.network.producer.closeNow()
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
    await gateway.network.producer.closeNow()
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
