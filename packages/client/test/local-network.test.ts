import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import {
  type Amount,
  encodeContractOrder,
  parseAmount,
  parseHash,
  parseTokenId,
  toAmount,
  transactionHash,
} from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Client,
  createClient,
  createFetchTransport,
  createUndiciTransport,
  createWallet,
  type SentTransaction,
  type WalkedMacroblock,
  walletFromPrivateKey,
} from '../src/node.ts'
import { cuttingProxy } from './support/cutting-proxy.ts'

const COIN = parseAmount('1', { decimals: 10 })
/** The clock never closes a macroblock; the tests do. */
const slow = { blockTimeMs: 3_600_000, keepAlive: true, faucetWaitMs: 0 }

const wallets = ({ accounts }: LocalNetwork) =>
  accounts.developers.map(({ privateKey }) => walletFromPrivateKey(privateKey))

async function allOf<T>(records: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const record of records) all.push(record)
  return all
}

describe.each(Object.entries({ undici: createUndiciTransport, fetch: createFetchTransport }))(
  'a network on this machine over %s',
  (name, createTransport) => {
    let network: LocalNetwork
    let client: Client
    beforeAll(async () => {
      network = await startLocalNetwork({ ...slow, seed: `client ${name}` })
      const { apiUrl } = network
      client = createClient({ apiUrl, transport: createTransport({ apiUrl }) })
    })
    afterAll(async () => {
      await client.close()
      await network.stop()
    })

    const settle = async ({ hash }: SentTransaction) => {
      await network.closeNow()
      return client.waitForTransaction({ hash, pollMs: 50 })
    }
    const coins = async (address: Parameters<Client['getBalance']>[0]['address']) =>
      (await client.getBalance({ address })).amount

    it('confirms a payment and moves exactly what was prepared', async () => {
      const [from, to] = [wallets(network)[0], createWallet()]
      if (from === undefined) throw new Error('no developer')
      const prepared = await client.prepareTransaction({ from: from.address, to: to.address, amount: COIN })
      const before = await coins(from.address)
      expect(prepared.balance.amount).toBe(before)
      const transaction = from.signTransaction(prepared.fields)
      const sent = await client.sendSignedTransaction({ transaction })
      expect(await client.getTransaction(sent)).toBeUndefined()
      expect(await client.getPendingTransaction(sent)).toMatchObject({ hash: sent.hash, amount: COIN })
      expect(await settle(sent)).toMatchObject({
        status: 'confirmed',
        grossAmount: COIN,
        fee: prepared.fee,
        netAmount: prepared.net,
      })
      expect(await coins(to.address)).toBe(prepared.net)
      expect(await coins(from.address)).toBe(before - COIN)
      expect(await client.getPendingTransaction(sent)).toBeUndefined()
    })

    it('makes a wished net amount arrive', async () => {
      const [from, to] = [wallets(network)[0], createWallet()]
      if (from === undefined) throw new Error('no developer')
      const { grossForNet } = await client.prepareTransaction({
        from: from.address,
        to: to.address,
        amount: COIN,
      })
      const sent = await client.sendTransaction({ wallet: from, to: to.address, amount: grossForNet(COIN) })
      expect(await settle(sent)).toMatchObject({ status: 'confirmed', netAmount: COIN })
      expect(await coins(to.address)).toBe(COIN)
    })

    it('rejects a payment beyond the balance and leaves the balance alone', async () => {
      const [from, to] = [createWallet(), createWallet()]
      const { address } = from
      const prepared = await client.prepareTransaction({ from: address, to: to.address, amount: COIN })
      expect(prepared.balance.isKnown).toBe(false)
      expect(prepared.warnings).toContainEqual({ kind: 'balanceTooLow', missing: COIN })
      const sent = await client.sendTransaction({ wallet: from, to: to.address, amount: COIN })
      expect(await settle(sent)).toMatchObject({ status: 'rejected' })
      expect(await coins(to.address)).toBe(0n)
    })

    it('executes the same bytes once, however often they are sent', async () => {
      const [, from] = wallets(network)
      const to = createWallet()
      if (from === undefined) throw new Error('no developer')
      const sent = await client.sendTransaction({ wallet: from, to: to.address, amount: COIN })
      for (let time = 0; time < 3; time++)
        expect(await client.sendSignedTransaction(sent)).toStrictEqual(sent)
      expect(await settle(sent)).toMatchObject({ status: 'confirmed' })
      const arrived = await coins(to.address)
      // The network takes them again after they were executed, and then counts them as a duplicate.
      expect(await client.sendSignedTransaction(sent)).toStrictEqual(sent)
      expect(await settle(sent)).toMatchObject({ status: 'confirmed' })
      expect(await coins(to.address)).toBe(arrived)
      const copies = (await allOf(client.walkChain({ fromHeight: 0 })))
        .flatMap(({ microblocks }) => microblocks)
        .flatMap(({ transactions }) => transactions)
        .filter(({ hash }) => hash === sent.hash)
      expect(copies.map(({ status }) => status)).toStrictEqual(['confirmed', 'duplicate'])
    })

    it('passes on what the network says about a transaction it does not take', async () => {
      const [from] = wallets(network)
      if (from === undefined) throw new Error('no developer')
      const { transaction } = await client.sendTransaction({ wallet: from, to: from.address, amount: COIN })
      const forged = { ...transaction, amount: toAmount(COIN + 1n) }
      await expect(client.sendSignedTransaction({ transaction: forged })).rejects.toMatchObject({
        code: 'TRANSACTION_REFUSED',
        facts: { message: 'Signature verification failed', hash: transactionHash(forged) },
      })
      await network.closeNow()
    })

    it('creates a token whose id is the hash of its transaction', async () => {
      const [from] = wallets(network)
      const { origin } = await client.getNetworkInfo()
      const { create_token: price = 0n as Amount } = await client.getContractPrices()
      const fee = (await client.getNativeToken())?.feeValue ?? 0n
      if (from === undefined) throw new Error('no developer')
      const token = {
        feeType: 1 as const,
        feeValue: toAmount(100n),
        feeMinimum: toAmount(20n),
        symbol: 'HAIL',
        caption: 'made by a test',
        decimals: 4,
        totalSupply: toAmount(10n ** 18n + 1n),
        isReissuable: true,
        mining: null,
      }
      const sent = await client.sendTransaction({
        wallet: from,
        to: origin.publisher,
        amount: toAmount(price + fee),
        contract: encodeContractOrder({ type: 'create_token', token }),
      })
      expect(await settle(sent)).toMatchObject({ status: 'confirmed' })
      const tokenId = sent.hash as string as Parameters<Client['getToken']>[0]['tokenId']
      expect(await client.getToken({ tokenId })).toMatchObject({
        symbol: 'HAIL',
        owner: from.address,
        totalSupply: 10n ** 18n + 1n,
      })
      // Beyond 2^53 to the unit.
      expect(await client.getBalance({ address: from.address, tokenId })).toMatchObject({
        amount: 10n ** 18n + 1n,
        decimals: 4,
        isKnown: true,
      })
      expect(
        (await client.getHoldings({ address: from.address })).map((holding) => holding.tokenId),
      ).toContain(tokenId)
      expect((await client.getTokenNames()).map(({ id }) => id)).toContain(tokenId)
    })

    it('gives histories of more than one page, each record once and newest first', async () => {
      const [, , from] = wallets(network)
      const to = createWallet()
      if (from === undefined) throw new Error('no developer')
      const amounts = Array.from({ length: 13 }, (_, at) => toAmount(COIN + BigInt(at)))
      const { address } = to
      const sent = await Promise.all(
        amounts.map((amount) => client.sendTransaction({ wallet: from, to: address, amount })),
      )
      await network.closeNow()
      const records = await allOf(client.transactionsOf({ address }))
      expect(new Set(records.map(({ hash }) => hash))).toStrictEqual(new Set(sent.map(({ hash }) => hash)))
      expect(records.map(({ index }) => index)).toStrictEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
      const pages = await Promise.all([0, 1, 2].map((page) => client.getTransactions({ address, page })))
      expect(pages.map((page) => [page.records.length, page.isLast])).toStrictEqual([
        [10, false],
        [3, true],
        [0, true],
      ])
      expect(await client.getRewards({ address })).toMatchObject({ records: [], isLast: true })
    })

    it('shows the rewards of whoever mined, and nothing twice', async () => {
      const chain = await allOf(client.walkChain({ fromHeight: 0 }))
      const publishers = new Set(
        chain.flatMap(({ microblocks }) => microblocks.map(({ header }) => header.publisher)),
      )
      for (const address of publishers) {
        const all = await allOf(client.rewardsOf({ address }))
        const mined = await allOf(client.miningRewardsOf({ address }))
        expect(mined.length).toBeGreaterThan(0)
        expect(all.filter(({ recordType }) => recordType === 'im').map(({ hash }) => hash)).toStrictEqual(
          mined.map(({ hash }) => hash),
        )
        const inBlocks = chain
          .flatMap(({ microblocks }) => microblocks)
          .filter(({ header }) => header.publisher === address)
          .map(({ header }) => header.reward)
        const sum = (units: readonly (bigint | null)[]) =>
          units.reduce<bigint>((total, unit) => total + (unit ?? 0n), 0n)
        expect(sum(mined.map(({ miningReward }) => miningReward))).toBe(sum(inBlocks))
      }
    })

    it('walks the chain up and down with every hash recomputed', async () => {
      const up = await allOf(client.walkChain({ fromHeight: 0 }))
      const tip = network.height() - 1
      const heights = ({ keyBlock }: WalkedMacroblock) => keyBlock.height
      expect(up.map(heights)).toStrictEqual(Array.from({ length: tip + 1 }, (_, height) => height))
      const down = await allOf(client.walkChain({ fromHeight: tip, direction: 'down' }))
      expect(down.reverse()).toStrictEqual(up)
      const [last] = await client.getLastBlocks()
      expect(last).toStrictEqual(up.at(-1)?.keyBlock)
      const hash = last?.hash
      if (hash === undefined) throw new Error('no last block')
      expect(await client.getMacroblockByHash({ hash })).toMatchObject({ keyBlock: last, isCalculated: true })
    })

    it('says that something is not there, in the way of each question', async () => {
      const hash = parseHash('ab'.repeat(32))
      const tokenId = parseTokenId('ab'.repeat(32))
      const { address } = createWallet()
      expect(
        await Promise.all([
          client.getMacroblock({ height: network.height() + 1 }),
          client.getMacroblockByHash({ hash }),
          client.getMicroblock({ hash }),
          client.getTransaction({ hash }),
          client.getPendingTransaction({ hash }),
          client.getToken({ tokenId }),
        ]),
      ).toStrictEqual(Array.from({ length: 6 }, () => undefined))
      expect(await client.getBalance({ address })).toMatchObject({ amount: 0n, isKnown: false })
      expect(await client.getBalance({ address, tokenId })).toMatchObject({ amount: 0n, isKnown: false })
      expect(await client.getHoldings({ address })).toStrictEqual([])
      expect(await allOf(client.rewardsOf({ address }))).toStrictEqual([])
      expect(await client.getMacroblock({ height: network.height() })).toMatchObject({ isCalculated: false })
      const unavailable = allOf(client.walkChain({ fromHeight: 0, toHeight: network.height() }))
      await expect(unavailable).rejects.toMatchObject({ code: 'HEIGHT_UNAVAILABLE' })
    })

    it('answers every other question with the values of this network', async () => {
      expect(await client.getHeight()).toBe(network.height())
      expect(await client.getNativeTokenId()).toBe(network.tokens.native.id)
      expect(await client.getReferrerStake()).toBe(network.tokens.native.mining?.referrerStake)
      const { minimumStake } = await client.getStakeLimits()
      expect(minimumStake).toBe(network.tokens.native.mining?.minimumStake)
      expect(await client.getExpectedReturn({ stake: toAmount(1n) })).toBeUndefined()
      expect(await client.getMinersOnline()).toStrictEqual([])
      expect(Object.keys(await client.getStats())).toContain('accounts')
    })

    it('gives test coins', async () => {
      const { address } = createWallet()
      expect(await client.requestTestCoins({ address })).toBe(true)
      await network.closeNow()
      expect(await coins(address)).toBe(25n * COIN)
    })

    it('gives the stake of another token to a miner or an agent, with native coins for fees', async () => {
      const [miner, agent] = [createWallet(), createWallet()]
      const { id: tokenId, mining } = network.tokens.mineable
      expect(await client.requestTestCoins({ address: miner.address, tokenId })).toBe(true)
      expect(await client.requestTestCoins({ address: agent.address, tokenId, as: 'agent' })).toBe(true)
      await network.closeNow()
      const held = async (address: Parameters<Client['getBalance']>[0]['address']) =>
        (await client.getBalance({ address, tokenId })).amount
      expect(await held(miner.address)).toBe(mining?.minimumStake)
      expect(await held(agent.address)).toBe(mining?.referrerStake)
      expect(await coins(miner.address)).toBe(COIN)
      const fixed = { address: miner.address, tokenId: network.tokens.fixed.id }
      const facts = { status: 400, message: 'The token cannot be mined: the faucet gives stakes alone.' }
      await expect(client.requestTestCoins(fixed)).rejects.toMatchObject({ code: 'HTTP_STATUS', facts })
    })
  },
)

describe('a connection that is cut', () => {
  it('after any byte of request or answer pays exactly once when the same bytes are sent again', async () => {
    await using network = await startLocalNetwork({ ...slow, seed: 'cut' })
    const [from] = wallets(network)
    if (from === undefined) throw new Error('no developer')
    const { address: to } = createWallet()
    await using direct = createClient({ apiUrl: network.apiUrl })
    const outcomes: string[] = []
    const all: SentTransaction[] = []
    for (const direction of ['request', 'answer'] as const) {
      for (let at = 0; at < 900; at += 53) {
        await using proxy = await cuttingProxy(network.apiUrl, { direction, afterBytes: at })
        await using client = createClient({
          apiUrl: proxy.apiUrl,
          retry: { maxAttempts: 1 },
          timeoutMs: 60_000,
        })
        const tokenId = network.tokens.native.id
        const sending = client.sendTransaction({ wallet: from, to, amount: COIN, tokenId })
        const sent = await sending.catch(async (error) => {
          outcomes.push(error.code)
          // What a program does after a crash or an outage: the very bytes again, over a connection that works.
          return direct.sendSignedTransaction({ transaction: error.facts.transaction })
        })
        expect(sent.status).toBe('pending')
        all.push(sent)
      }
    }
    // More than one macroblock holds.
    for (const { hash } of all) while (await direct.getPendingTransaction({ hash })) await network.closeNow()
    expect(new Set(outcomes)).toStrictEqual(new Set(['TRANSACTION_UNCERTAIN']))
    const fee = (await direct.getNativeToken())?.feeValue ?? 0n
    expect((await direct.getBalance({ address: to })).amount).toBe(BigInt(all.length) * (COIN - fee))
    const records = await allOf(direct.transactionsOf({ address: to }))
    expect(records).toHaveLength(all.length)
  })
})

describe('a network with a clock of its own', () => {
  it('confirms within a few blocks while we wait', async () => {
    await using network = await startLocalNetwork({ blockTimeMs: 300, seed: 'clock' })
    await using client = createClient({ apiUrl: network.apiUrl })
    const [from] = wallets(network)
    if (from === undefined) throw new Error('no developer')
    const sent = await client.sendTransaction({ wallet: from, to: createWallet().address, amount: COIN })
    const final = await client.waitForTransaction({ hash: sent.hash, pollMs: 50 })
    expect(final.status).toBe('confirmed')
    // The tip moves on while it is walked.
    const walked = await allOf(client.walkChain({ fromHeight: 0 }))
    expect(walked.length).toBeGreaterThan(0)
  })

  it('is still waited for when it is away for a while', async () => {
    const network = await startLocalNetwork({ ...slow, seed: 'away' })
    const [from] = wallets(network)
    if (from === undefined) throw new Error('no developer')
    await using client = createClient({ apiUrl: network.apiUrl, retry: { maxAttempts: 1 } })
    const { hash } = await client.sendTransaction({ wallet: from, to: createWallet().address, amount: COIN })
    await network.stop()
    await expect(client.getHeight()).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    await expect(client.waitForTransaction({ hash, pollMs: 50, timeoutMs: 300 })).rejects.toMatchObject({
      code: 'TRANSACTION_TIMEOUT',
      facts: { hash, isPending: null },
    })
  })
})
